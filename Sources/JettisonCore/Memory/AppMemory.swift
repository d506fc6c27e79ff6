/// The memory of every app of a run: an arena each, or figures as the trace declares them.
///
/// An app of which the trace has no block would have nothing but ballast in its arena, and ballast
/// makes the footprint what it is to be, to the page. So its figure is written down instead: the same
/// to the byte, without a call of the allocator.
struct AppMemory: ~Copyable {
  /// Whether jemalloc keeps the ledger.
  let usesArenas: Bool
  private let declaresSizes: Bool
  /// What declared footprints are rounded up to, less one byte: a page is a power of two.
  private let pageMask: Int64
  private let checksIdentity: Bool
  private var pool: ArenaPool?
  private var arenas: Column<Arena?>
  private var ballasts: Column<Ballast>
  /// Footprints of apps whose memory is all ballast, in bytes; negative for others, and for apps that
  /// do not run.
  private var figures: Column<Int64>
  private var needsArena: Column<Bool>

  /// The first app whose simulated address space ran out; the run cannot be trusted from there on.
  private(set) var exhaustedApp: AppIndex?

  /// The first thing the allocator could not do, or a disagreement between its statistics and the
  /// hooks where those are checked.
  private(set) var failure: ArenaError?

  /// Whether either of them is there.
  private(set) var hasFailed = false

  init(
    _ configuration: RunConfiguration, declaresSizes: Bool, facts: [TraceIndex.AppFacts]
  ) throws(RunError) {
    let usesArenas = configuration.footprints == .arena && !declaresSizes
    // What can fail comes first, so that no column exists yet when it does.
    pool = try Self.makePool(configuration, isNeeded: usesArenas)
    self.usesArenas = usesArenas
    self.declaresSizes = declaresSizes
    pageMask = ArenaPool.pageBytes - 1
    checksIdentity = configuration.checksArenas && usesArenas
    let count = usesArenas ? facts.count : 0
    arenas = Column(repeating: nil, count: count)
    ballasts = Column(repeating: Ballast(), count: count)
    figures = Column(repeating: -1, count: count)
    var needsArena = Column<Bool>(capacity: count)
    for position in 0..<count {
      needsArena.append(Self.needsArena(facts[position], configuration))
    }
    self.needsArena = needsArena
  }

  /// Memory of the same apps, of which none has an arena: see ``mayHaveArenas``.
  init(copying other: borrowing AppMemory) {
    precondition(!other.mayHaveArenas, "arenas are not copied")
    usesArenas = other.usesArenas
    declaresSizes = other.declaresSizes
    pageMask = other.pageMask
    checksIdentity = other.checksIdentity
    pool = nil
    arenas = Column(copying: other.arenas)
    ballasts = Column(copying: other.ballasts)
    figures = Column(copying: other.figures)
    needsArena = Column(copying: other.needsArena)
    exhaustedApp = other.exhaustedApp
    failure = other.failure
    hasFailed = other.hasFailed
  }

  /// Whether the memory of an app is more than a figure, where jemalloc keeps the ledger.
  static func needsArena(
    _ facts: TraceIndex.AppFacts, _ configuration: RunConfiguration
  ) -> Bool {
    configuration.checksArenas || facts.contains(.allocations)
  }

  /// Whether the memory of some app is more than a figure.
  var mayHaveArenas: Bool { needsArena.indices.contains { needsArena[$0] } }

  /// Whether an app's memory is a figure.
  func isFigure(_ app: AppIndex) -> Bool { !usesArenas || !needsArena[app.position] }

  /// The largest footprint that there is room for, in bytes.
  var mostFigureBytes: Int64 { usesArenas ? ArenaPool.spaceBytes : .max }

  private static func makePool(
    _ configuration: RunConfiguration, isNeeded: Bool
  ) throws(RunError) -> ArenaPool? {
    guard isNeeded else { return nil }
    do throws(ArenaError) {
      return try ArenaPool(usesThreadCache: configuration.usesThreadCache)
    } catch {
      throw .allocator(error.description)
    }
  }

  static func roundedUpToPage(_ bytes: Int64) -> Int64 {
    let page = ArenaPool.pageBytes
    return bytes > Int64.max - page ? .max : (bytes + page - 1) / page * page
  }

  // MARK: Lives

  /// A process begins: it gets an empty arena.
  mutating func start(_ app: AppIndex) {
    guard usesArenas else { return }
    guard needsArena[app.position] else {
      figures[app.position] = 0
      return
    }
    do throws(ArenaError) {
      arenas[app.position] = try pool?.acquire()
      ballasts[app.position] = Ballast()
    } catch {
      if failure == nil { failure = error }
      hasFailed = true
    }
  }

  /// A process ends: its arena is emptied in one step.
  mutating func end(_ app: AppIndex) {
    guard usesArenas else { return }
    figures[app.position] = -1
    guard let arena = arenas[app.position] else { return }
    checkIdentity()
    pool?.release(arena)
    arenas[app.position] = nil
  }

  /// Compares the hooks with the allocator's statistics, where asked for.
  mutating func checkIdentity() {
    guard checksIdentity, failure == nil else { return }
    do throws(ArenaError) {
      try pool?.checkIdentity()
    } catch {
      failure = error
      hasFailed = true
    }
  }

  // MARK: Reading

  /// The arena of an app; nil: it has none.
  @inline(__always)
  func arena(of app: AppIndex) -> Arena? { usesArenas ? arenas[app.position] : nil }

  /// What an app is charged with: its arena's pages, or declared bytes rounded up to a page.
  ///
  /// On `ideal-cache` the ballast is the declared size, whatever is allocated meanwhile.
  @inline(__always)
  func footprintBytes(_ app: AppIndex, liveBytes: Int64, ballastBytes: Int64) -> Int64 {
    if usesArenas { return arenaFootprintBytes(app) }
    if declaresSizes { return ballastBytes }
    return (liveBytes + ballastBytes + pageMask) & ~pageMask
  }

  @inline(__always)
  func arenaFootprintBytes(_ app: AppIndex) -> Int64 {
    arenas[app.position]?.footprintBytes ?? max(0, figures[app.position])
  }

  /// Bytes on pages in use; negative where footprints are declared.
  @inline(__always)
  func activeBytes(_ app: AppIndex) -> Int64 {
    usesArenas ? arenas[app.position]?.activeBytes ?? max(0, figures[app.position]) : -1
  }

  /// Bytes on freed pages that have not gone back yet.
  @inline(__always)
  func dirtyBytes(_ app: AppIndex) -> Int64 {
    usesArenas ? arenas[app.position]?.dirtyBytes ?? 0 : 0
  }

  // MARK: Changing

  @inline(__always)
  mutating func allocate(_ app: AppIndex, bytes: Int64, alignment: Int64) -> UInt {
    guard usesArenas, let arena = arenas[app.position] else { return 0 }
    let address = arena.allocate(bytes: bytes, alignment: alignment)
    if address == 0 { noteExhausted(app) }
    return address
  }

  @inline(__always)
  func free(_ app: AppIndex, _ address: UInt) {
    guard address != 0 else { return }
    arenas[app.position]?.free(address)
  }

  @inline(__always)
  mutating func reallocate(
    _ app: AppIndex, _ address: UInt, bytes: Int64, alignment: Int64
  ) -> UInt {
    guard usesArenas, let arena = arenas[app.position] else { return 0 }
    if address == 0 { return allocate(app, bytes: bytes, alignment: alignment) }
    let moved = arena.reallocate(address, bytes: bytes, alignment: alignment)
    if moved == 0 { noteExhausted(app) }
    return moved
  }

  /// Makes the app's total what the trace says; false if its live blocks alone are more.
  @inline(__always)
  mutating func setTotal(_ app: AppIndex, bytes: Int64, liveBytes: Int64) -> Bool {
    guard usesArenas else { return liveBytes <= bytes }
    if let arena = arenas[app.position] { return setTotal(app, bytes: bytes, in: arena) }
    return figures[app.position] < 0 ? liveBytes <= bytes : writeDown(app, bytes)
  }

  private mutating func setTotal(_ app: AppIndex, bytes: Int64, in arena: Arena) -> Bool {
    let reached = ballasts[app.position].set(total: bytes, in: arena)
    if !reached, arena.footprintBytes < bytes { noteExhausted(app) }
    return reached
  }

  /// Makes a total the figure of an app that has no arena; false if an arena would be too small.
  private mutating func writeDown(_ app: AppIndex, _ bytes: Int64) -> Bool {
    figures[app.position] = min(Ballast.roundedUpToPage(bytes), ArenaPool.spaceBytes)
    guard bytes > ArenaPool.spaceBytes else { return true }
    noteExhausted(app)
    return false
  }

  /// Freed pages go back.
  mutating func releaseDirtyPages(_ app: AppIndex) {
    guard usesArenas else { return }
    arenas[app.position]?.releaseDirtyPages()
    checkIdentity()
  }

  /// The simulated address space of an app has run out.
  @inline(__always)
  mutating func noteExhausted(_ app: AppIndex) {
    if exhaustedApp == nil { exhaustedApp = app }
    hasFailed = true
  }
}
