internal import JettisonModel

/// One input of a merge on its way into the merged trace: a place in its events, and the numbers
/// that its apps, details, blocks and tasks have there.
struct MergeSource {
  let trace: Trace
  /// Its time 0 in the merged trace; of a stream that runs while its app is in front, what its
  /// clock is behind.
  var offset: Int64
  /// Position of the next event.
  private(set) var position = 0
  /// The app that is in front by its own rows.
  private(set) var front: Int?
  /// Ids in the merged trace by slot; 0: none.
  private var blocks: [Int64]
  private var tasks: [Int64]
  private var details: [UInt32?]
  private var batch: [TraceEvent] = []
  private var batchStart = 0

  /// Begins at the first event.
  init(_ trace: Trace, offset: Int64) {
    self.trace = trace
    self.offset = offset
    blocks = Array(repeating: 0, count: trace.blockSlotCount)
    tasks = Array(repeating: 0, count: trace.taskSlotCount)
    details = Array(repeating: nil, count: trace.details.count)
    fill()
  }

  /// The next event, at its own time; nil at the end.
  var next: TraceEvent? {
    position < batchStart + batch.count ? batch[position - batchStart] : nil
  }

  /// The time of an event in the merged trace; nil if there is no such time.
  func time(of event: TraceEvent) -> Int64? {
    let (time, overflow) = event.timeNanoseconds.addingReportingOverflow(offset)
    return overflow || time > TraceLimits.timeNanoseconds ? nil : time
  }

  /// Goes on to the next event.
  ///
  /// - Parameter numbers: The apps' numbers in the merged trace.
  mutating func advance(numbers: [Int]) {
    if let event = next { note(event, numbers) }
    position += 1
    if position >= batchStart + batch.count { fill() }
  }

  /// Goes back to the first event, with no block and no task.
  mutating func restart() {
    position = 0
    for slot in blocks.indices { blocks[slot] = 0 }
    for slot in tasks.indices { tasks[slot] = 0 }
    fill()
  }

  private mutating func fill() {
    batch.removeAll(keepingCapacity: true)
    batchStart = position
    let end = min(trace.events.count, position + EventWindows.batchCount)
    if position < end { trace.events.append(position..<end, to: &batch) }
  }

  private mutating func note(_ event: TraceEvent, _ numbers: [Int]) {
    let app = event.app == .none ? nil : numbers[event.app.position]
    switch event.kind {
    case .launch: front = app
    case .present:
      if trace.details[Int(event.detail)].presentState == .front { front = app }
    case .exit, .crash, .quit, .update, .observedExit: if front == app { front = nil }
    case .home, .boot: front = nil
    case .interruptEnd:
      if trace.details[Int(event.detail)].outcome == .accepted { front = nil }
    default: break
    }
  }
}

// MARK: - Numbers in the merged trace

extension MergeSource {
  /// The number of an event's detail.
  mutating func detail(
    of event: TraceEvent, builder: inout TraceBuilder
  ) throws(TraceFault) -> UInt32 {
    if event.detail == 0 { return 0 }
    if let known = details[Int(event.detail)] { return known }
    let text = trace.detailTexts[Int(event.detail)]
    let number = try builder.detail(text, for: event.kind)
    details[Int(event.detail)] = number
    return number
  }

  /// The id of an event's block or task; nil if it has none in the merged trace.
  func id(of event: TraceEvent) -> Int64? {
    let isTask = event.kind == .taskBegin || event.kind == .taskEnd
    let id = isTask ? tasks[Int(event.slot)] : blocks[Int(event.slot)]
    return id == 0 ? nil : id
  }

  /// Gives an event's block or task an id, or takes it away with 0.
  mutating func setID(_ id: Int64, of event: TraceEvent) {
    if event.kind == .taskBegin || event.kind == .taskEnd {
      tasks[Int(event.slot)] = id
    } else {
      blocks[Int(event.slot)] = id
    }
  }
}
