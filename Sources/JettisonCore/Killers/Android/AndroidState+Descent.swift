/// Looks that are left out while apps take memory bit by bit and nothing else happens.
///
/// Below the marks each bit changes what a look does, so that each would ask for a new outlook, and
/// for all that looks have moved. But the less memory there is, the more apps wait and read again:
/// what is true of looks with memory as it is, and would be with all bits taken, is true of those
/// between. So one outlook serves for a *descent*, and the looks are accounted for at its end.
struct Descent: ~Copyable {
  /// Whether looks are left out by it.
  var isOn = false
  /// It lasts while at least so much memory is available, in bytes.
  var leastBytes: Int64 = 0
  /// Memory that is available now, in bytes.
  var availableBytes: Int64 = 0
  /// Looks that were left out, by how much memory they find: what they do is worked out at the end.
  fileprivate var stretches = Column<Stretch>(capacity: 64)
  /// Pages scanned in the background by the newest look, but for those that looks scan.
  fileprivate var backgroundScans: Int64 = 0
  fileprivate var path = FlowPath()

  // Not private: then the compiler (6.3) fails in debug builds.
  /// Looks that find the same memory.
  struct Stretch: BitwiseCopyable {
    let looks: Int64
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
  /// Begins a descent at the newest look that is accounted for.
  mutating func beginDescent(from availableBytes: Int64, to leastBytes: Int64) {
    descent.isOn = true
    descent.leastBytes = leastBytes
    descent.availableBytes = availableBytes
    descent.stretches.removeAll()
    descent.path.start(after: lookedAt)
  }

  /// Leaves out the looks up to a time, after which so much memory is available, in bytes.
  @inline(__always)
  mutating func descend(through time: Int64, to availableBytes: Int64) {
    let count = (time - lookedAt) / Self.lookNanoseconds
    if count > 0 {
      descent.stretches.append(
        Descent.Stretch(looks: count, availableBytes: descent.availableBytes))
      descent.backgroundScans = backgroundScans
      lookedAt += count * Self.lookNanoseconds
    }
    descent.availableBytes = availableBytes
  }

  /// Works out what looks do, one stretch after the other.
  private mutating func findPath() {
    let before = backgroundScans
    for position in descent.stretches.indices {
      let stretch = descent.stretches[position]
      let flow = flow(withBytes: stretch.availableBytes)
      descent.path.append(stretch.looks, flow)
      refaults += stretch.looks * flow.refaultPages
      backgroundScans += stretch.looks * flow.backgroundScans
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

  /// Accounts for the looks that were left out.
  mutating func endDescent() {
    descent.isOn = false
    findPath()
    let looks = descent.path.looks
    guard looks > 0 else { return }
    stall.advance(to: descent.path.begin + Self.lookNanoseconds)
    let (some, full) = (
      course(stall.some.totalNanoseconds), course(stall.full.totalNanoseconds)
    )
    stall.repeatStalls(
      in: descent.path.stalled(untilLook: looks), until: lookedAt,
      last: descent.path.lastFlow.stallNanoseconds)
    func seen(_ course: StallTrigger.Course, _ look: Int64) -> Int64 {
      course.total + descent.path.stalled(untilLook: look)
    }
    stallWindow.follow(looks, on: some) { seen(some, $0) }
    partialTrigger.follow(some, looks: looks, partialOutlook) { seen(some, $0) }
    completeTrigger.follow(full, looks: looks, completeOutlook) { seen(full, $0) }
    seenStallNanoseconds = stall.some.totalNanoseconds
    if leftOutPolls != .none { followPolls() }
  }

  /// How stalls go on from the beginning of the descent, by what the first look sees.
  private func course(_ total: Int64) -> StallTrigger.Course {
    StallTrigger.Course(
      time: descent.path.begin, total: total,
      growth: descent.path.flow(atLook: 1).stallNanoseconds)
  }

  private mutating func followPolls() {
    var reading = LMKDaemon.Reading()
    reading.time = descent.path.begin
    reading.directScans = directScans
    reading.refaults = refaults - descent.path.refaults(throughLook: descent.path.looks)
    daemon.follow(
      descent.path, every: Self.lookNanoseconds, from: reading,
      backgroundScans: descent.backgroundScans)
    pollsUntil = max(pollsUntil, lookedAt.addingSaturated(rules.windowNanoseconds))
    nextPoll = lookedAt + pollNanoseconds
  }
}
