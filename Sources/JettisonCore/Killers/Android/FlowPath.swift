/// Looks at which apps waited and read pages again, each stretch of them at a flow of its own, since
/// a newest look that is accounted for.
///
/// Looks are counted from 1, which is the first after that look. A stall lasts no longer than to the
/// next look, so each look sees the stalls of all before it.
struct FlowPath: ~Copyable {
  // Not private: then the compiler (6.3) fails in debug builds.
  /// Looks at one flow.
  struct Stretch: BitwiseCopyable {
    /// Looks, stalled time and pages before its first look.
    let looksBefore: Int64
    let stalledBefore: Int64
    let refaultsBefore: Int64
    let flow: FilePageFlow
  }

  /// The newest look before the first, in nanoseconds.
  private(set) var begin: Int64 = 0
  private(set) var looks: Int64 = 0
  private var stalledNanoseconds: Int64 = 0
  private var refaultPages: Int64 = 0
  private var stretches = Column<Stretch>(capacity: 64)

  init() {}

  init(copying other: borrowing FlowPath) {
    begin = other.begin
    looks = other.looks
    stalledNanoseconds = other.stalledNanoseconds
    refaultPages = other.refaultPages
    stretches = Column(copying: other.stretches)
  }

  /// Forgets everything and begins after a look.
  mutating func start(after time: Int64) {
    begin = time
    looks = 0
    stalledNanoseconds = 0
    refaultPages = 0
    stretches.removeAll()
  }

  /// Adds looks at a flow, at least one.
  @inline(__always)
  mutating func append(_ count: Int64, _ flow: FilePageFlow) {
    stretches.append(
      Stretch(
        looksBefore: looks, stalledBefore: stalledNanoseconds, refaultsBefore: refaultPages,
        flow: flow))
    looks += count
    stalledNanoseconds += count * flow.stallNanoseconds
    refaultPages += count * flow.refaultPages
  }

  /// What the last look of all found; there must be one.
  var lastFlow: FilePageFlow { stretches[stretches.count - 1].flow }

  /// What a look found.
  func flow(atLook look: Int64) -> FilePageFlow { stretch(ofLook: look).flow }

  /// Time for which everybody was stalled from the first look on until a look, in nanoseconds.
  func stalled(untilLook look: Int64) -> Int64 {
    let stretch = stretch(ofLook: look)
    return stretch.stalledBefore
      + (look - 1 - stretch.looksBefore) * stretch.flow.stallNanoseconds
  }

  /// Pages that were read again at the first look and all up to this one.
  func refaults(throughLook look: Int64) -> Int64 {
    let stretch = stretch(ofLook: look)
    return stretch.refaultsBefore + (look - stretch.looksBefore) * stretch.flow.refaultPages
  }

  /// - Complexity: O(stretches after it): who asks means one of the last looks.
  private func stretch(ofLook look: Int64) -> Stretch {
    var position = stretches.count - 1
    while position > 0, stretches[position].looksBefore >= look { position -= 1 }
    return stretches[position]
  }
}
