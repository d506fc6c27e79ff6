/// Rows about the blocks of one app, one after the other: what the general way comes to as long as its
/// footprint stays what it is.
///
/// A process makes and frees many blocks before its footprint changes by a page. Until then a row changes
/// the arena and a few sums, and the sums are written back once.
extension Simulation {
  /// Applies the rows that follow one about a block of an app, as long as they are about its blocks, too,
  /// and change nothing but sums.
  ///
  /// The last of them may change the app's footprint, or free the first pages that have to go back.
  ///
  /// - Parameter first: Where in the window the first of those rows is.
  /// - Returns: How many rows were applied.
  @inline(never)
  mutating func applyBlocks(
    of app: AppIndex, in events: borrowing Span<TraceEvent>, from first: Int
  ) -> Int {
    guard var batch = openBatch(of: app) else { return 0 }
    var next = first
    while next < events.count {
      let event = events[next]
      guard event.kind.isOfBlock, event.app == app, event.timeNanoseconds < batch.endTime
      else { break }
      next += 1
      batch.time = event.timeNanoseconds
      if event.kind == .alloc {
        make(event, &batch)
      } else {
        free(event, &batch)
      }
      guard batch.footprint(memory) == batch.footprintBytes, !batch.armsDecay else { break }
    }
    guard next > first else { return 0 }
    instant.position += next - first
    close(batch)
    return next - first
  }

  /// A batch of rows, if those of the app may be taken so: it runs, nothing waits to be settled, and no log
  /// has a line for each row.
  @inline(__always)
  private mutating func openBatch(of app: AppIndex) -> BlockBatch? {
    guard !needsSettling, notes.isEmpty, !log.wantsFootprints, !followed.isAvailableOpen, now > 0,
      apps[app].state.runsCode, !apps[app].figureIsModelled
    else { return nil }
    let arena = memory.arena(of: app)
    guard arena != nil || !memory.usesArenas else { return nil }
    // Timers run before the rows of their instant, and the end of the warm-up is an instant, too.
    let warmUp = configuration.warmUpNanoseconds
    let endTime = now < warmUp ? min(timers.queue.nextTime, warmUp) : timers.queue.nextTime
    return BlockBatch(
      app: app, arena: arena, endTime: endTime, record: apps[app],
      watchesDirty: arena != nil && !timers.isSet(.decay, app.rawValue))
  }

  @inline(__always)
  private mutating func make(_ event: TraceEvent, _ batch: inout BlockBatch) {
    let slot = event.slot
    // Most rows have no detail.
    var block =
      event.detail == 0
      ? Block(bytes: event.value) : Block(bytes: event.value, details[Int(event.detail)])
    if let arena = batch.arena {
      block.address = arena.allocate(bytes: block.bytes, alignment: block.alignment)
      if block.address == 0 { memory.noteExhausted(batch.app) }
    }
    block.isHere = true
    if blocks[slot].isLive { blocks.remove(slot, from: &apps[batch.app].blocks) }
    blocks.append(slot, block, to: &apps[batch.app].blocks)
    if block.isPurgeable { purgeableBytes += block.bytes }
    batch.liveBytes += block.bytes
    batch.note()
  }

  @inline(__always)
  private mutating func free(_ event: TraceEvent, _ batch: inout BlockBatch) {
    let block = blocks[event.slot]
    guard block.isLive else { return }
    blocks.remove(event.slot, from: &apps[batch.app].blocks)
    guard block.isHere else { return }
    if block.address != 0 { batch.arena?.free(block.address) }
    if block.isPurgeable { purgeableBytes -= block.bytes }
    batch.liveBytes -= block.bytes
    batch.note()
    if batch.watchesDirty, let arena = batch.arena { batch.armsDecay = arena.dirtyBytes > 0 }
  }

  /// Writes back what the rows changed, and does for the last what may follow from it.
  @inline(__always)
  private mutating func close(_ batch: BlockBatch) {
    let app = batch.app
    advanceClock(to: batch.time)
    instant.eventTime = batch.time
    counters.requestedChanged(
      app, from: apps[app].liveBytes, to: batch.liveBytes, over: batch.mostLiveBytes)
    if batch.arena != nil {
      counters.arenaChanged(
        app, activeBytes: batch.mostActiveBytes, dirtyBytes: batch.mostDirtyBytes)
    }
    apps[app].liveBytes = batch.liveBytes
    if batch.footprint(memory) != batch.footprintBytes { refreshFootprint(app) }
    if batch.armsDecay { armDecay(app) }
  }
}

/// What rows about the blocks of one app change before it is written back.
private struct BlockBatch {
  let app: AppIndex
  /// nil: footprints are declared.
  let arena: Arena?
  /// No row of this instant or later belongs to the batch.
  let endTime: Int64
  /// The footprint that all but the last row leave as it is.
  let footprintBytes: Int64
  private let ballastBytes: Int64
  /// Whether freed pages have to set the decay timer.
  let watchesDirty: Bool

  /// Of the newest row, in nanoseconds.
  var time: Int64 = 0
  var liveBytes: Int64
  private(set) var mostLiveBytes: Int64
  private(set) var mostActiveBytes: Int64 = 0
  private(set) var mostDirtyBytes: Int64 = 0
  /// Pages were freed, and no timer is set that gives them back.
  var armsDecay = false

  init(
    app: AppIndex, arena: Arena?, endTime: Int64, record: borrowing AppRecord, watchesDirty: Bool
  ) {
    self.app = app
    self.arena = arena
    self.endTime = endTime
    self.watchesDirty = watchesDirty
    footprintBytes = record.footprintBytes
    ballastBytes = record.ballastBytes
    liveBytes = record.liveBytes
    mostLiveBytes = record.liveBytes
  }

  /// The app's footprint as it is now, in bytes.
  @inline(__always)
  func footprint(_ memory: borrowing AppMemory) -> Int64 {
    arena?.footprintBytes
      ?? memory.footprintBytes(app, liveBytes: liveBytes, ballastBytes: ballastBytes)
  }

  /// Keeps the maxima after a block was made or freed.
  @inline(__always)
  mutating func note() {
    mostLiveBytes = max(mostLiveBytes, liveBytes)
    guard let arena else { return }
    let active = arena.activeBytes
    mostActiveBytes = max(mostActiveBytes, active)
    mostDirtyBytes = max(mostDirtyBytes, arena.footprintBytes - active)
  }
}
