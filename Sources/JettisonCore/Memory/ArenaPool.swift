import CJemalloc

/// The arenas of one worker: one for each app that runs, used again when it has ended.
///
/// An arena that comes back is emptied, and an empty arena behaves as a new one: the same
/// operations give the same footprints, whatever happened to it or around it before. Used by one
/// thread at a time, which may be another one each time.
@safe
@usableFromInline
struct ArenaPool: ~Copyable {
  /// The size of an arena page in bytes.
  static let pageBytes = Int64(jettison_page_bytes())

  /// The most that an arena holds, in bytes.
  static let spaceBytes = Int64(jettison_space_bytes())

  /// Whether each arena has a thread cache of its own.
  let usesThreadCache: Bool

  private var arenas = Column<Arena>()
  private var idle = Column<Arena>()

  /// Makes a pool without arenas.
  ///
  /// Throws if jemalloc runs with settings under which footprints would not be exact.
  init(usesThreadCache: Bool) throws(ArenaError) {
    try AllocatorSettings.check()
    self.usesThreadCache = usesThreadCache
  }

  @inlinable
  deinit { destroyArenas() }

  @usableFromInline
  func destroyArenas() {
    for index in arenas.indices { arenas[index].destroy() }
  }

  /// Hands out an empty arena.
  ///
  /// - Complexity: O(1), and 60 µs for each arena that must be made first.
  mutating func acquire() throws(ArenaError) -> Arena {
    if idle.isEmpty { try grow() }
    let arena = idle.removeLast()
    assert(arena.footprintBytes == 0, "an arena that is handed out is empty")
    return arena
  }

  /// Empties an arena of this pool and takes it back.
  ///
  /// - Complexity: O(n) in the blocks that are left in it; 170 µs for 53,000 of them.
  mutating func release(_ arena: Arena) {
    arena.empty()
    idle.append(arena)
  }

  /// Throws unless for every arena the bytes its hooks handed out are its active and dirty pages.
  ///
  /// - Complexity: O(n) in all arenas of the process, some 7 µs for each.
  func checkIdentity() throws(ArenaError) {
    let code = jettison_refresh()
    if code != 0 { throw .statistics(code: code) }
    for index in arenas.indices { try arenas[index].checkIdentity() }
  }

  /// Adds as many arenas as there are, four at first and sixteen at most.
  ///
  /// In groups, because the live counters of new arenas can be looked up only after a refresh of
  /// the statistics of all, which would cost more than the arenas themselves.
  private mutating func grow() throws(ArenaError) {
    let before = arenas.count
    let wanted = min(max(before, 4), 16)
    var failure: ArenaError?
    while arenas.count < before + wanted, failure == nil {
      do throws(ArenaError) {
        arenas.append(try makeArena())
      } catch {
        failure = error
      }
    }
    if arenas.count == before, let failure { throw failure }
    let code = jettison_refresh()
    if code != 0 { throw .statistics(code: code) }
    // The first one made is handed out first.
    for index in (before..<arenas.count).reversed() {
      try arenas[index].attach()
      idle.append(arenas[index])
    }
  }

  private func makeArena() throws(ArenaError) -> Arena {
    var state: UnsafeMutablePointer<jettison_arena>?
    let outcome = unsafe jettison_arena_create(usesThreadCache, &state)
    if let state = unsafe state {
      return unsafe Arena(index: Int32(arenas.count), state: state)
    }
    switch outcome.step {
    case JETTISON_CONTROL:
      throw .unsupported(control: "experimental.arenas_create_ext")
    case JETTISON_ARENA:
      throw .arenaLimit(arenas: arenas.count, code: outcome.code)
    case JETTISON_CACHE:
      throw .cacheLimit(caches: arenas.count, code: outcome.code)
    case JETTISON_DECAY:
      throw .unsupported(control: "arena.<i>.dirty_decay_ms")
    default:
      throw .addressSpace(bytes: Self.spaceBytes, code: outcome.code)
    }
  }
}
