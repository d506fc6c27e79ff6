internal import JettisonModel

/// Gives blocks and tasks their captured ids back while a writer walks over the events.
struct CapturedIDs {
  private var ordinal = 0
  private var blocks: [Int64]
  private var tasks: [Int64]

  init(_ trace: Trace) {
    blocks = Array(repeating: 0, count: trace.blockSlotCount)
    tasks = Array(repeating: 0, count: trace.taskSlotCount)
  }

  /// The captured id of an event that has one.
  ///
  /// Events must come in order.
  mutating func id(of event: TraceEvent, _ ids: Span<Int64>) -> Int64 {
    let slot = Int(event.slot)
    switch event.kind {
    case .alloc:
      blocks[slot] = next(ids)
      return blocks[slot]
    case .taskBegin:
      tasks[slot] = next(ids)
      return tasks[slot]
    case .taskEnd: return tasks[slot]
    default: return blocks[slot]
    }
  }

  private mutating func next(_ ids: Span<Int64>) -> Int64 {
    ordinal += 1
    return ids.isEmpty ? Int64(ordinal) : ids[ordinal - 1]
  }
}
