/// Where a run has its place in a trace: numbers that no other run there has, nor a capture.
struct PerfettoPlace: Sendable {
  /// Processes that a run may have.
  static let processCount: Int32 = 1 << 20
  /// The most that the kernel of Linux numbers: `PID_MAX_LIMIT`.
  private static let processesOfCaptures: Int32 = 1 << 22
  /// Runs of which each has numbers of its own for its processes.
  static let runCount = Int((Int32.max - processesOfCaptures) / processCount)

  /// The writer of its packets.
  let sequence: UInt32
  /// The machine that it is of; 0: the one that recorded the trace.
  let machine: UInt32
  /// The first of its processes.
  let firstProcess: Int32
  /// The first of its tracks, and of its arrows.
  let firstTrack: UInt64
  /// Time since boot at the start of the run, in nanoseconds.
  let origin: Int64

  /// - Parameters:
  ///   - position: The run's place among all, below ``runCount``.
  ///   - capture: The time since boot at its start, if it lies beside a capture.
  init(_ position: Int, beside capture: Int64?) {
    // Writers of a capture are numbered from 1 on; tracks have random numbers there.
    sequence = 0x4A00_0000 + UInt32(position)
    machine = UInt32(position + (capture == nil ? 0 : 1))
    firstProcess = Self.processesOfCaptures + Self.processCount * Int32(position) + 1
    firstTrack = 0x4A65_0000_0000_0000 + UInt64(position) << 32
    origin = capture ?? 0
  }
}
