import CJemalloc

/// The memory of one running app: a jemalloc arena whose blocks have addresses but no memory.
///
/// A small handle, valid from ``ArenaPool/acquire()`` to ``ArenaPool/release(_:)``. Nothing may
/// read or write at the addresses it hands out.
@safe
struct Arena: BitwiseCopyable {
  /// The arena's place in its pool.
  let index: Int32

  private let state: UnsafeMutablePointer<jettison_arena>

  init(index: Int32, state: UnsafeMutablePointer<jettison_arena>) {
    self.index = index
    unsafe self.state = state
  }

  /// Active and dirty pages, in bytes: one load.
  var footprintBytes: Int64 {
    @inline(__always) get { unsafe state.pointee.footprint }
  }

  /// Bytes of pages that hold blocks, those in the thread cache included: two loads.
  var activeBytes: Int64 {
    @inline(__always) get { unsafe jettison_active_bytes(state) }
  }

  /// Bytes of pages that are free and not yet returned.
  var dirtyBytes: Int64 {
    @inline(__always) get { footprintBytes - activeBytes }
  }

  /// Makes a block and returns its address, or 0 if the arena's address space is used up.
  ///
  /// - Parameters:
  ///   - bytes: Size asked for; a block of no bytes takes as much room as one of 1 byte.
  ///   - alignment: A power of two; anything below 2 asks for none beyond jemalloc's own.
  @inline(__always)
  func allocate(bytes: Int64, alignment: Int64) -> UInt {
    unsafe UInt(jettison_allocate(state, bytes, alignment))
  }

  /// Frees a block of this arena.
  @inline(__always)
  func free(_ address: UInt) {
    unsafe jettison_free(state, UInt(address))
  }

  /// Changes the size of a block and returns its address, which may be new.
  ///
  /// Stays in place when jemalloc's realloc would; otherwise the new block is made before the old
  /// one is freed. Returns 0 if there is no room, and then the old block stays as it is. A block
  /// that stays keeps its address even if that does not have the alignment.
  @inline(__always)
  func reallocate(_ address: UInt, bytes: Int64, alignment: Int64) -> UInt {
    unsafe UInt(jettison_reallocate(state, UInt(address), bytes, alignment))
  }

  /// Returns every page that holds no live block.
  ///
  /// The thread cache is emptied first: freed blocks in it keep their pages active, so that without
  /// it a warning would return next to nothing.
  func releaseDirtyPages() {
    unsafe jettison_arena_flush(state)
    returnDirtyPages()
  }

  /// Returns the dirty pages, if there are any, and leaves the thread cache alone.
  func returnDirtyPages() {
    if dirtyBytes > 0 { unsafe jettison_arena_release_dirty(state) }
  }

  /// Frees every block, ballast included, and returns every page.
  func empty() {
    unsafe jettison_arena_empty(state)
    assert(footprintBytes == 0, "an emptied arena has returned every page")
  }

  /// The number of extents of ballast.
  var ballastCount: Int {
    unsafe Int(state.pointee.ballast_count)
  }

  /// Makes one more extent of ballast; false if it did not add exactly `pages` to the footprint.
  func pushBallast(blockBytes: Int64, extentBytes: Int64) -> Bool {
    let before = footprintBytes
    let address = unsafe jettison_allocate_uncached(state, blockBytes)
    if address == 0 { return false }
    if footprintBytes - before == extentBytes,
      unsafe jettison_ballast_push(state, address, extentBytes)
    {
      return true
    }
    unsafe jettison_free_uncached(state, address)
    unsafe jettison_arena_release_dirty(state)
    return false
  }

  /// Frees the newest extent of ballast and returns its bytes, which are dirty from then on.
  func popBallast() -> Int64 {
    assert(ballastCount > 0, "only ballast that exists can be freed")
    unsafe state.pointee.ballast_count -= 1
    let extent = unsafe state.pointee.ballast[Int(state.pointee.ballast_count)]
    unsafe jettison_free_uncached(state, extent.address)
    return extent.bytes
  }

  /// Throws unless jemalloc's statistics, just refreshed, agree with the hooks and the counters.
  func checkIdentity() throws(ArenaError) {
    var activePages = 0
    var dirtyPages = 0
    let code = unsafe jettison_arena_statistics(state, &activePages, &dirtyPages)
    if code != 0 { throw .statistics(code: code) }
    let active = Int64(activePages) * ArenaPool.pageBytes
    let dirty = Int64(dirtyPages) * ArenaPool.pageBytes
    guard footprintBytes == active + dirty, activeBytes == active else {
      throw .identity(
        arena: Int(index), hooks: footprintBytes, active: active, dirty: dirty)
    }
  }

  /// Looks up the live counter of a new arena; the statistics were refreshed since it was made.
  func attach() throws(ArenaError) {
    let outcome = unsafe jettison_arena_attach(state)
    if outcome.step != JETTISON_DONE {
      throw .unsupported(control: "experimental.arenas.<i>.pactivep")
    }
  }

  /// Ends the arena; every copy of the handle is void.
  func destroy() {
    unsafe jettison_arena_destroy(state)
  }
}
