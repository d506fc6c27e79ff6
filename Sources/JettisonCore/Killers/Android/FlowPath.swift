/// Ticks at which apps waited and read pages again, each stretch of them at a flow of its own, since
/// a newest tick that is accounted for.
///
/// Ticks are counted from 1, which is the first after that tick. A stall lasts no longer than to the
/// next tick, so each tick sees the stalls of all before it.
struct FlowPath: ~Copyable {
  // Not private: then the compiler (6.3) fails in debug builds.
  /// Ticks at one flow.
  struct Stretch: BitwiseCopyable {
    /// Ticks, stalled time and pages before its first tick.
    let ticksBefore: Int64
    let stalledBefore: Int64
    let refaultsBefore: Int64
    let flow: FilePageFlow
  }

  /// The newest tick before the first, in nanoseconds.
  private(set) var begin: Int64 = 0
  private(set) var ticks: Int64 = 0
  private var stalledNanoseconds: Int64 = 0
  private var refaultPages: Int64 = 0
  private var stretches = Column<Stretch>(capacity: 64)

  init() {}

  init(copying other: borrowing FlowPath) {
    begin = other.begin
    ticks = other.ticks
    stalledNanoseconds = other.stalledNanoseconds
    refaultPages = other.refaultPages
    stretches = Column(copying: other.stretches)
  }

  /// Forgets everything and begins after a tick.
  mutating func start(after time: Int64) {
    begin = time
    ticks = 0
    stalledNanoseconds = 0
    refaultPages = 0
    stretches.removeAll()
  }

  /// Adds ticks at a flow, at least one.
  @inline(__always)
  mutating func append(_ count: Int64, _ flow: FilePageFlow) {
    stretches.append(
      Stretch(
        ticksBefore: ticks, stalledBefore: stalledNanoseconds, refaultsBefore: refaultPages,
        flow: flow))
    ticks += count
    stalledNanoseconds += count * flow.stallNanoseconds
    refaultPages += count * flow.refaultPages
  }

  /// What the last tick of all found; there must be one.
  var lastFlow: FilePageFlow { stretches[stretches.count - 1].flow }

  /// What a tick found.
  func flow(atTick tick: Int64) -> FilePageFlow { stretch(ofTick: tick).flow }

  /// Time for which all apps were stalled from the first tick on until a tick, in nanoseconds.
  func stalled(untilTick tick: Int64) -> Int64 {
    let stretch = stretch(ofTick: tick)
    return stretch.stalledBefore
      + (tick - 1 - stretch.ticksBefore) * stretch.flow.stallNanoseconds
  }

  /// Pages that were read again at the first tick and all up to this one.
  func refaults(throughTick tick: Int64) -> Int64 {
    let stretch = stretch(ofTick: tick)
    return stretch.refaultsBefore + (tick - stretch.ticksBefore) * stretch.flow.refaultPages
  }

  /// - Complexity: O(stretches after it): who asks means one of the last ticks.
  private func stretch(ofTick tick: Int64) -> Stretch {
    var position = stretches.count - 1
    while position > 0, stretches[position].ticksBefore >= tick { position -= 1 }
    return stretches[position]
  }
}
