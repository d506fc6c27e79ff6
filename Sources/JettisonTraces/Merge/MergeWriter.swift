internal import JettisonModel

/// Writes the rows of several inputs into one trace, in order of time.
struct MergeWriter: ~Copyable {
  /// An allocation stream whose clock runs while its app is in front.
  private struct Stream {
    let source: Int
    /// Time of the stream at which its clock stands or stood when it last began to run.
    var position: Int64 = 0
    /// Time of the merged trace at which its clock began to run; nil: it stands.
    var runsSince: Int64?
    /// The most events that any life of its app reached.
    var reach = 0
    var lives = 0
  }

  private let plan: MergePlan
  private let file: String
  private var builder: TraceBuilder
  private var sources: [MergeSource]
  /// By app; nil: it has no stream.
  private var streams: [Stream?]
  /// Inputs that stand in time.
  private let clocked: [Int]
  private let inputIssues: [(file: String, issues: ImportIssues)]
  /// By app: its provisional number.
  private var numbers: [UInt32?]
  private var isAlive: [Bool]
  private var front: Int?
  private var isScreenOn = true
  /// Blocks and tasks so far.
  private var idCount: Int64 = 0
  /// The last `end` row, and which input it is of.
  private var end: (time: Int64, source: Int, event: TraceEvent)?
  private var lastTime: Int64 = 0

  /// Begins an empty trace.
  init(
    _ inputs: [TraceMerge.Input], _ plan: MergePlan, storage: TraceStorage, file: String,
    hidesNames: Bool
  ) throws(TraceError) {
    self.plan = plan
    self.file = file
    builder = try TraceBuilder(storage: storage, file: file)
    numbers = plan.apps.map { _ in nil }
    isAlive = plan.apps.map { _ in false }
    // The name of a file may be that of a person or an app.
    inputIssues = inputs.enumerated().map { position, input in
      hidesNames
        ? ("input \(position + 1)", input.trace.issues.withoutQuotes)
        : (input.file, input.trace.issues)
    }
    var sources: [MergeSource] = []
    var streams: [Stream?] = plan.apps.map { _ in nil }
    var clocked: [Int] = []
    for (position, input) in inputs.enumerated() {
      switch plan.clocks[position] {
      case .from(let offset):
        clocked.append(position)
        sources.append(MergeSource(input.trace, offset: offset))
      case .whileInFront(let app):
        // Another stream of the app would report its memory again: it is ignored as a whole.
        if streams[app] == nil, plan.isOwner(position, of: .memory, app: app) {
          streams[app] = Stream(source: position)
        }
        sources.append(MergeSource(input.trace, offset: 0))
      }
    }
    self.sources = sources
    self.streams = streams
    self.clocked = clocked
  }

  /// Takes all rows.
  mutating func run() throws(TraceError) {
    takeInputIssues()
    for issue in plan.issues.all {
      builder.issues.add(issue.severity, issue.text, count: issue.count, lines: issue.lines)
    }
    do throws(TraceFault) {
      while let source = nextSource() { try take(source) }
      try runStream(to: lastTime, isLast: true)
      try writeEnd()
    } catch {
      throw TraceError(error, file: file)
    }
    countLeftOut()
  }

  /// Says what the inputs had, with the file and the first place in the text where there are several:
  /// a line of a merged trace belongs to no one input.
  private mutating func takeInputIssues() {
    for (file, issues) in inputIssues {
      if inputIssues.count == 1 {
        builder.issues.parts = issues.parts
        builder.issues.areLinesOfSource = issues.areLinesOfSource
      }
      for issue in issues.all where issue.text != TraceRules.noEndIssue {
        guard inputIssues.count > 1 else {
          builder.issues.add(issue.severity, issue.text, count: issue.count, lines: issue.lines)
          continue
        }
        let line = issues.areLinesOfSource ? nil : issue.lines.first
        let place = line.map { line in
          let place = issues.place(ofLine: line)
          return "\(place.file.map { "\(file)/\($0)" } ?? file):\(place.line)"
        }
        builder.issues.add(
          issue.severity, "\(place ?? file): \(issue.text)", count: issue.count, lines: [])
      }
    }
  }

  /// Makes the trace.
  consuming func finish(name: String, header: TraceHeader) throws(TraceError) -> Trace {
    let file = file
    return try builder.finish(name: name, header: header, file: file)
  }

  /// The input whose next row comes first.
  private func nextSource() -> Int? {
    var best: (time: Int64, source: Int)?
    for source in clocked {
      guard let event = sources[source].next else { continue }
      // A time that does not exist comes last; its row is counted then.
      let time = sources[source].time(of: event) ?? .max
      if let found = best, found.time <= time { continue }
      best = (time, source)
    }
    return best?.source
  }

  /// Takes the next row of an input that stands in time.
  private mutating func take(_ source: Int) throws(TraceFault) {
    guard let event = sources[source].next else { return }
    // Before the input's own front changes by this row.
    let ownFront = sources[source].front
    sources[source].advance(numbers: plan.numbers[source])
    guard let time = sources[source].time(of: event) else {
      builder.issues.add(.error, "a row more than 100 years after the earliest is ignored")
      return
    }
    lastTime = max(lastTime, time)
    if event.kind == .end {
      if end.map({ $0.time <= time }) ?? true { end = (time, source, event) }
      return
    }
    guard isSaid(event, by: source, ownFront: ownFront) else { return }
    try runStream(to: time, isLast: false)
    if event.app != .none, plan.apps[plan.numbers[source][event.app.position]] == nil {
      return try takeLeftOut(event, at: time)
    }
    if event.kind == .present, time > 0 || (front != nil && isFront(event, source)) {
      try takeLatePresent(event, source, at: time)
    } else {
      try append(event, source, at: time)
    }
  }

  /// An excluded app takes the place of the one in front.
  private mutating func takeLeftOut(
    _ event: TraceEvent, at time: Int64
  ) throws(TraceFault) {
    builder.issues.add(.info, "a row of an excluded app")
    guard event.kind == .launch, front != nil else { return }
    try builder.append(.home, time: time)
    setFront(nil, at: time)
  }

  private func isFront(_ event: TraceEvent, _ source: Int) -> Bool {
    sources[source].trace.details[Int(event.detail)].presentState == .front
  }

  /// Whether a row is its input's to say; counts it if not.
  private mutating func isSaid(_ event: TraceEvent, by source: Int, ownFront: Int?) -> Bool {
    guard event.app != .none else {
      let isSaid =
        event.kind == .home
        ? isHome(of: ownFront, source) : plan.isOwner(source, of: event.kind)
      if !isSaid {
        builder.issues.add(.info, "a row of the system is ignored: another input has it")
      }
      return isSaid
    }
    let app = plan.numbers[source][event.app.position]
    guard let topic = MergePlan.Topic(event.kind) else { return true }
    if plan.isOwner(source, of: topic, app: app) { return true }
    builder.issues.add(.info, Self.leftOut(topic))
    return false
  }

  /// Whether the way home is that of the app in front, and its life this input's to say.
  private func isHome(of ownFront: Int?, _ source: Int) -> Bool {
    guard ownFront == front else { return false }
    return ownFront.map { plan.isOwner(source, of: .life, app: $0) }
      ?? plan.isOwner(source, of: .home)
  }

  private static func leftOut(_ topic: MergePlan.Topic) -> String {
    switch topic {
    case .life: "a life-cycle row is ignored: another input has its app's life"
    case .memory: "a memory row is ignored: another input has its app's memory"
    case .work: "an edit or save is ignored: another input has its app's work"
    case .observations: "an observation is ignored: another input observes its app"
    }
  }
}

// MARK: - Rows

extension MergeWriter {
  /// Appends a row; one that does not fit the merged trace is counted.
  private mutating func append(
    _ event: TraceEvent, _ source: Int, at time: Int64
  ) throws(TraceFault) {
    do throws(TraceFault) {
      let app = event.app == .none ? nil : plan.numbers[source][event.app.position]
      let detail = try sources[source].detail(of: event, builder: &builder)
      var id: Int64?
      if event.flags.contains(.hasID) {
        let isNew = event.kind == .alloc || event.kind == .taskBegin
        guard let known = isNew ? idCount + 1 : sources[source].id(of: event) else {
          builder.issues.add(.info, "a row of an ignored block or task is ignored too")
          return
        }
        id = known
      }
      try builder.append(
        event.kind, time: time, app: try app.map { app throws(TraceFault) in try number(app) },
        value: event.flags.contains(.hasValue) ? event.value : nil, id: id, detail: detail)
      keep(id, of: event, source)
      note(event, source, app, at: time)
    } catch {
      if error.isStorageFailure { throw error }
      if event.flags.contains(.hasID) { sources[source].setID(0, of: event) }
      builder.issues.add(.error, "a row that does not fit the life of its app is ignored")
    }
  }

  private mutating func keep(_ id: Int64?, of event: TraceEvent, _ source: Int) {
    switch event.kind {
    case .alloc, .taskBegin:
      idCount += 1
      sources[source].setID(idCount, of: event)
    case .free, .taskEnd: sources[source].setID(0, of: event)
    default: break
    }
  }

  private mutating func number(_ app: Int) throws(TraceFault) -> UInt32 {
    if let number = numbers[app] { return number }
    let number = try builder.app(named: plan.apps[app] ?? "")
    numbers[app] = number
    return number
  }

  /// `present` belongs to the beginning: an app that ran when a later capture began, or a second
  /// one in front, starts there.
  private mutating func takeLatePresent(
    _ event: TraceEvent, _ source: Int, at time: Int64
  ) throws(TraceFault) {
    builder.issues.add(
      .info, "an app that ran already when its capture began is started there")
    var start = event
    start.kind = isFront(event, source) ? .launch : .backgroundLaunch
    start.value = 0
    start.detail = 0
    start.flags = []
    try append(start, source, at: time)
    guard event.flags.contains(.hasValue) else { return }
    let app = plan.numbers[source][event.app.position]
    guard plan.isMemoryFree(of: source, app: app) else { return }
    var sample = event
    sample.kind = .footprint
    sample.detail = 0
    try append(sample, source, at: time)
  }

  /// Keeps track of which apps live and which is in front, and starts and stops clocks.
  private mutating func note(
    _ event: TraceEvent, _ source: Int, _ app: Int?, at time: Int64
  ) {
    let details = sources[source].trace.details[Int(event.detail)]
    switch event.kind {
    case .launch, .backgroundLaunch, .present:
      guard let app else { return }
      if !isAlive[app] { beginLife(app) }
      isAlive[app] = true
      if event.kind == .launch || (event.kind == .present && details.presentState == .front) {
        setFront(app, at: time)
      }
    case .exit, .crash, .quit, .update, .observedExit:
      guard let app else { return }
      if front == app { setFront(nil, at: time) }
      isAlive[app] = false
    case .home: setFront(nil, at: time)
    case .interruptEnd where details.outcome == .accepted: setFront(nil, at: time)
    case .boot:
      setFront(nil, at: time)
      for app in isAlive.indices { isAlive[app] = false }
    case .screen:
      stop(at: time)
      isScreenOn = event.value != 0
      start(at: time)
    default: break
    }
  }

  private mutating func writeEnd() throws(TraceFault) {
    guard let end, end.time >= lastTime else { return }
    let detail = try sources[end.source].detail(of: end.event, builder: &builder)
    try builder.append(.end, time: end.time, detail: detail)
  }
}

// MARK: - Streams

extension MergeWriter {
  private mutating func setFront(_ app: Int?, at time: Int64) {
    stop(at: time)
    front = app
    start(at: time)
  }

  private mutating func start(at time: Int64) {
    guard let front, isScreenOn else { return }
    streams[front]?.runsSince = time
  }

  private mutating func stop(at time: Int64) {
    guard let front, let since = streams[front]?.runsSince else { return }
    streams[front]?.position += time - since
    streams[front]?.runsSince = nil
  }

  /// A new process runs its recording from the beginning.
  private mutating func beginLife(_ app: Int) {
    guard var stream = streams[app] else { return }
    stream.position = 0
    stream.runsSince = nil
    stream.lives += 1
    if stream.lives > 1 {
      builder.issues.add(.info, "a further life of an app runs its stream from the beginning")
      sources[stream.source].restart()
    }
    streams[app] = stream
  }

  /// Appends what the stream of the app in front says before a time, or up to it at the end.
  private mutating func runStream(to time: Int64, isLast: Bool) throws(TraceFault) {
    guard let front, let stream = streams[front], let since = stream.runsSince else { return }
    let source = stream.source
    // Both are times of the trace, so the difference cannot overflow.
    let shift = since - stream.position
    while let event = sources[source].next {
      let (mapped, overflow) = event.timeNanoseconds.addingReportingOverflow(shift)
      guard !overflow, isLast ? mapped <= time : mapped < time else { break }
      sources[source].advance(numbers: plan.numbers[source])
      streams[front]?.reach = max(stream.reach, sources[source].position)
      if MergePlan.Topic(event.kind) == .memory {
        try append(event, source, at: max(mapped, since))
      }
    }
  }

  /// Counts what no life of the streams' apps reached, and the life cycles that they tell.
  private mutating func countLeftOut() {
    for input in sources.indices where !clocked.contains(input) {
      let stream = streams.first { $0?.source == input } ?? nil
      let reach = stream?.reach ?? 0
      var lifeRows = 0
      var memoryRows = 0
      var otherRows = 0
      sources[input].trace.events.forEachWindow { (events, first) in
        for position in 0..<events.count {
          switch MergePlan.Topic(events[position].kind) {
          case .life: lifeRows += 1
          case .memory: if first + position >= reach { memoryRows += 1 }
          case nil where events[position].kind == .end: break
          default: otherRows += 1
          }
        }
      }
      count(lifeRows, Self.leftOut(.life))
      count(otherRows, "a row of a stream is ignored: it is not an allocation")
      count(
        memoryRows,
        stream == nil
          ? Self.leftOut(.memory)
          : "an allocation is ignored: it does not fit into the time its app is in front")
    }
  }

  private mutating func count(_ count: Int, _ text: String) {
    if count > 0 { builder.issues.add(.info, text, count: count, lines: []) }
  }
}
