/// Ticks that are skipped while apps take memory bit by bit and nothing else happens.
///
/// Below the marks each bit changes what a tick does, so that each would ask for a new outlook, and
/// for all that ticks have moved. But the less memory there is, the more apps wait and read again:
/// what is true of ticks with memory as it is, and would be with all bits taken, is true of those
/// between. So one outlook serves for a *descent*, and the ticks are accounted for at its end.
struct Descent: ~Copyable {
  /// Whether it skips ticks.
  var isOn = false
  /// It lasts while at least so much memory is available, in bytes.
  var leastBytes: Int64 = 0
  /// Memory that is available now, in bytes.
  var availableBytes: Int64 = 0
  /// Skipped ticks, by how much memory they find: what they do is worked out at the end.
  fileprivate var stretches = Column<Stretch>(capacity: 64)
  /// Pages scanned in the background by the newest tick, but for those that ticks scan.
  fileprivate var backgroundScans: Int64 = 0
  fileprivate var path = FlowPath()

  // Not private: then the compiler (6.3) fails in debug builds.
  /// Ticks that find the same memory.
  struct Stretch: BitwiseCopyable {
    let ticks: Int64
    let availableBytes: Int64
  }

  init() {}

  init(copying other: borrowing Descent) {
    isOn = other.isOn
    leastBytes = other.leastBytes
    availableBytes = other.availableBytes
    stretches = Column(copying: other.stretches)
    backgroundScans = other.backgroundScans
    path = FlowPath(copying: other.path)
  }
}

extension AndroidState {
  /// Begins a descent at the newest tick that is accounted for.
  mutating func beginDescent(from availableBytes: Int64, to leastBytes: Int64) {
    descent.isOn = true
    descent.leastBytes = leastBytes
    descent.availableBytes = availableBytes
    descent.stretches.removeAll()
    descent.path.start(after: lastTick)
  }

  /// Skips the ticks up to a time, after which so much memory is available, in bytes.
  @inline(__always)
  mutating func descend(through time: Int64, to availableBytes: Int64) {
    let count = (time - lastTick) / Self.tickNanoseconds
    if count > 0 {
      descent.stretches.append(
        Descent.Stretch(ticks: count, availableBytes: descent.availableBytes))
      descent.backgroundScans = backgroundScans
      lastTick += count * Self.tickNanoseconds
    }
    descent.availableBytes = availableBytes
  }

  /// Works out what ticks do, one stretch after the other.
  private mutating func findPath() {
    let before = backgroundScans
    for position in descent.stretches.indices {
      let stretch = descent.stretches[position]
      let flow = flow(withBytes: stretch.availableBytes)
      descent.path.append(stretch.ticks, flow)
      refaults += stretch.ticks * flow.refaultPages
      backgroundScans += stretch.ticks * flow.backgroundScans
    }
    descent.backgroundScans += backgroundScans - before
    flow = flow(withBytes: descent.availableBytes)
    seenAvailableBytes = descent.availableBytes
  }

  @inline(__always)
  private func flow(withBytes availableBytes: Int64) -> FilePageFlow {
    rules.memory.flow(
      availablePages: pages(availableBytes), runningCount: stall.memberCount)
  }

  /// Accounts for the skipped ticks.
  mutating func endDescent() {
    descent.isOn = false
    findPath()
    let ticks = descent.path.ticks
    guard ticks > 0 else { return }
    stall.advance(to: descent.path.begin + Self.tickNanoseconds)
    let (some, full) = (
      course(stall.some.totalNanoseconds), course(stall.full.totalNanoseconds)
    )
    stall.repeatStalls(
      in: descent.path.stalled(untilTick: ticks), until: lastTick,
      last: descent.path.lastFlow.stallNanoseconds)
    func seen(_ course: StallTrigger.Course, _ tick: Int64) -> Int64 {
      course.total + descent.path.stalled(untilTick: tick)
    }
    stallWindow.follow(ticks, on: some) { seen(some, $0) }
    partialTrigger.follow(some, ticks: ticks, partialOutlook) { seen(some, $0) }
    completeTrigger.follow(full, ticks: ticks, completeOutlook) { seen(full, $0) }
    seenStallNanoseconds = stall.some.totalNanoseconds
    if leftOutPolls != .none { followPolls() }
  }

  /// How stalls go on from the beginning of the descent, by what the first tick sees.
  private func course(_ total: Int64) -> StallTrigger.Course {
    StallTrigger.Course(
      time: descent.path.begin, total: total,
      growth: descent.path.flow(atTick: 1).stallNanoseconds)
  }

  private mutating func followPolls() {
    var reading = LMKDaemon.Reading()
    reading.time = descent.path.begin
    reading.directScans = directScans
    reading.refaults = refaults - descent.path.refaults(throughTick: descent.path.ticks)
    daemon.follow(
      descent.path, every: Self.tickNanoseconds, from: reading,
      backgroundScans: descent.backgroundScans)
    pollsUntil = max(pollsUntil, lastTick.addingSaturated(rules.windowNanoseconds))
    nextPoll = lastTick + pollNanoseconds
  }
}
