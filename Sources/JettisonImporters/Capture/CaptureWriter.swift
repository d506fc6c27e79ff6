internal import HeapModule
internal import JettisonModel
internal import JettisonTraces

/// Writes the rows of a capture, from its facts in order of time: see ``CaptureTimeline``.
struct CaptureWriter: ~Copyable {
  /// Where a process is in its life.
  private enum Phase: UInt8 {
    case unborn, alive, over
  }

  private struct Life {
    var app: UInt32 = 0
    /// Which of the processes of its name it is, from 1.
    var ordinal = 0
    var phase = Phase.unborn
    let isKept: Bool
    var isInBackgroundMode = false
    var isPinned = false
    /// Its newest rank; nil: none was told.
    var adj: Int64?
    /// Its newest footprint; negative: not known.
    var bytes: Int64 = -1
  }

  /// Which numbers of a name are to be had: those that were given back, and all from the next on.
  private struct Ordinals {
    var free = Heap<Int>()
    var next = 1
  }

  /// An app that left the front; another may follow it.
  private struct Leave {
    let nanoseconds: Int64
    let process: UInt32
    let line: UInt32
    /// What happened since.
    var held: [CaptureTimeline.Record] = []
  }

  /// The next app comes to the front within this time of the one before; later, the user was on
  /// the home screen.
  static let switchNanoseconds: Int64 = 1_000_000_000

  var builder: TraceBuilder
  private let processes: [CaptureTimeline.Process]
  private let exits: [CaptureExit]
  private let origin: Int64
  private let file: String
  private var lives: [Life]
  /// Those that began since the last boot, which is to end them; some are over already.
  private var begunLives: [Int] = []
  private var ordinals: [String: Ordinals] = [:]
  /// Names that processes have of their own, which no numbered name may take.
  private let ownNames: Set<String>
  private var appNames: [UInt32: String] = [:]
  /// Apps in order of appearance, those that were in front first.
  private var shownApps: [String] = []
  private var otherApps: [String] = []
  /// Further keys of the catalog entries of apps.
  private var catalogKeys: [String: String] = [:]
  private var front: UInt32?
  private var leave: Leave?
  private var isScreenOn: Bool?
  private var systemBytes: Int64 = -1
  private var availableBytes: Int64 = -1

  init(
    builder: consuming TraceBuilder, processes: [CaptureTimeline.Process], exits: [CaptureExit],
    filter: AppFilter, origin: Int64, file: String
  ) {
    self.builder = builder
    self.processes = processes
    self.exits = exits
    self.origin = origin
    self.file = file
    lives = processes.map { Life(isKept: filter.keeps($0.name)) }
    ownNames = Set(processes.lazy.map(\.name))
  }
}

// MARK: - The beginning and the end

extension CaptureWriter {
  /// Writes what ran before the capture.
  mutating func begin() throws(TraceError) {
    // Only one app can have been in front: the one that was seen there, or left it, first.
    let front = processes.indices.filter {
      processes[$0].ranBefore && lives[$0].isKept
        && (processes[$0].firstState == .left || processes[$0].firstState == .inFront)
    }.min { (processes[$0].firstStateAt, $0) < (processes[$1].firstStateAt, $1) }
    for number in processes.indices {
      let process = processes[number]
      guard process.ranBefore, lives[number].isKept, process.firstFactAt < .max else { continue }
      let state =
        number == front ? "front" : process.firstState == .background ? "background" : "suspended"
      try located(0) { (writer) throws(TraceFault) in
        try writer.nameApp(number)
        let isUnshown = number != front && !process.wasShownBefore
        let detail = try writer.builder.detail(
          "state=\(state)\(isUnshown ? ";shown=0" : "")", for: .present)
        let bytes = process.firstBytes
        try writer.builder.append(
          .present, time: 0, app: writer.lives[number].app, value: bytes < 0 ? nil : bytes,
          detail: detail)
        writer.lives[number].bytes = bytes
        if process.isFirstDerived {
          try writer.appendFootprint(bytes, isDerived: true, number, 0)
        }
      }
    }
    self.front = front.map { UInt32(clamping: $0) }
    for number in processes.indices
    where lives[number].phase == .alive && processes[number].firstState == .background {
      try located(0) { (writer) throws(TraceFault) in
        try writer.setBackgroundMode(true, number, time: 0)
      }
    }
    // Before any other row of this instant ends the situation that these rows describe: no pinned
    // app may be purged in it.
    for number in processes.indices
    where lives[number].phase == .alive && processes[number].wasPinned {
      try located(0) { (writer) throws(TraceFault) in
        try writer.setPinned(true, number, time: 0)
      }
    }
    for number in processes.indices where lives[number].phase == .alive {
      guard let rank = processes[number].firstRank else { continue }
      try located(0) { (writer) throws(TraceFault) in
        try writer.setRank(rank, number, time: 0)
      }
    }
  }

  /// Writes all facts.
  mutating func write(
    _ records: Span<CaptureTimeline.Record>, _ merge: inout CaptureMerge<CaptureTimeline.Record>
  ) throws(TraceError) {
    while let position = merge.next(records) { try take(records[position]) }
    try settleLeave()
  }

  /// Ends the trace.
  consuming func finish(
    at end: Int64, name: String, header: TraceHeader
  ) throws(TraceError) -> Trace {
    let file = file
    var header = header
    header.appsYAML = CategoryBlock.yaml(apps: shownApps + otherApps, keys: catalogKeys)
    let time = max(builder.lastTime, min(time(of: end) ?? 0, TraceLimits.timeNanoseconds))
    try located(0) { (writer) throws(TraceFault) in
      let detail = try writer.builder.detail("reason=complete", for: .end)
      try writer.builder.append(.end, time: time, detail: detail)
    }
    return try builder.finish(name: name, header: header, file: file)
  }
}

// MARK: - Leaving the front

extension CaptureWriter {
  /// Takes a fact, or holds it back while it is open whether a leave led to the home screen.
  private mutating func take(_ record: CaptureTimeline.Record) throws(TraceError) {
    if let left = leave {
      let (elapsed, overflow) = record.nanoseconds.subtractingReportingOverflow(left.nanoseconds)
      if overflow || elapsed > Self.switchNanoseconds {
        try settleLeave()
      } else if record.kind.isInFront, lives[Int(record.process)].isKept {
        leave = nil
        for held in left.held { try apply(held) }
        if record.process == left.process, lives[Int(record.process)].phase == .alive {
          // One screen of an app followed another.
          front = record.process
          return
        }
      } else {
        leave?.held.append(record)
        return
      }
    }
    try apply(record)
  }

  /// The app that left was followed by no other.
  private mutating func settleLeave() throws(TraceError) {
    guard let left = leave else { return }
    leave = nil
    if let time = time(of: left.nanoseconds) {
      try located(left.line) { (writer) throws(TraceFault) in
        try writer.builder.append(.home, time: max(time, writer.builder.lastTime))
      }
    }
    for held in left.held { try apply(held) }
  }
}

// MARK: - Facts as rows

extension CaptureWriter {
  private mutating func apply(_ record: CaptureTimeline.Record) throws(TraceError) {
    guard let time = time(of: record.nanoseconds) else {
      builder.issues.add(
        .error, "a time more than a hundred years after the first", line: Self.line(record.line))
      return
    }
    try located(record.line) { (writer) throws(TraceFault) in
      if record.process == .max {
        try writer.applyToSystem(record, time)
      } else if writer.lives[Int(record.process)].isKept {
        try writer.apply(record, Int(record.process), time)
      } else if record.kind.isInFront, writer.front != nil {
        // An app that --apps leaves out takes the place of the one in front.
        writer.front = nil
        try writer.builder.append(.home, time: time)
      }
    }
  }

  private mutating func applyToSystem(
    _ record: CaptureTimeline.Record, _ time: Int64
  ) throws(TraceFault) {
    switch record.kind {
    case .systemMemory where record.value != systemBytes:
      systemBytes = record.value
      try builder.append(.systemMemory, time: time, value: record.value)
    case .available where record.value != availableBytes:
      availableBytes = record.value
      try builder.append(.observedAvailable, time: time, value: record.value)
    case .screen where isScreenOn != (record.value == 1):
      isScreenOn = record.value == 1
      try builder.append(.screen, time: time, value: record.value)
    case .systemWarned:
      try builder.append(.observedWarning, time: time, value: record.value)
    case .clock:
      try builder.append(.clock, time: time, value: record.value)
    case .boot:
      for number in begunLives where lives[number].phase == .alive { endLife(number) }
      begunLives.removeAll(keepingCapacity: true)
      front = nil
      try builder.append(.boot, time: time)
    default: break
    }
  }

  private mutating func apply(
    _ record: CaptureTimeline.Record, _ number: Int, _ time: Int64
  ) throws(TraceFault) {
    if lives[number].phase == .over {
      builder.issues.add(
        .info, "a process that is over already", line: Self.line(record.line))
      return
    }
    if record.kind == .inFront, front == record.process { return }
    if record.kind.isInFront { return try launch(number, time) }
    if lives[number].phase == .unborn {
      try beginLife(record, number, time)
    } else if record.kind == .started, front != record.process {
      try wake(record, number, time)
    }
    switch record.kind {
    case .left: leaveFront(record, number)
    case .background:
      if front == record.process { leaveFront(record, number) }
      try setBackgroundMode(true, number, time: time)
    case .suspended:
      if front == record.process { leaveFront(record, number) }
      try setBackgroundMode(false, number, time: time)
    case .pinned:
      try setPinned(record.value == 1, number, time: time)
    case .ranked: try setRank(record.value, number, time: time)
    case .footprint:
      guard lives[number].bytes != record.value else { return }
      lives[number].bytes = record.value
      try appendFootprint(record.value, isDerived: record.extra == 1, number, time)
    case .exited: try exit(exits[Int(record.exit)], number, time)
    case .launchTook:
      let kind = LaunchKind(rawValue: record.extra) ?? .cold
      let detail = try builder.detail("kind=\(kind.name)", for: .observedLaunch)
      try append(.observedLaunch, number, time, value: record.value, detail: detail)
    case .warned: try append(.observedWarning, number, time, value: record.value)
    default: break
    }
  }

  private mutating func launch(_ number: Int, _ time: Int64) throws(TraceFault) {
    if lives[number].phase == .unborn { try nameApp(number) }
    front = UInt32(clamping: number)
    try append(.launch, number, time)
    try setBackgroundMode(false, number, time: time)
  }

  private mutating func beginLife(
    _ record: CaptureTimeline.Record, _ number: Int, _ time: Int64
  ) throws(TraceFault) {
    if record.kind != .started {
      builder.issues.add(
        .info, "a process whose start is not shown begins with what is said of it first",
        line: Self.line(record.line))
    }
    try nameApp(number)
    try wake(record, number, time)
  }

  /// The system starts a process in the background, or wakes it.
  private mutating func wake(
    _ record: CaptureTimeline.Record, _ number: Int, _ time: Int64
  ) throws(TraceFault) {
    let wake = CaptureFact.Wake(rawValue: record.kind == .started ? record.extra : 0) ?? .unknown
    let detail =
      wake == .unknown ? 0 : try builder.detail("reason=\(wake)", for: .backgroundLaunch)
    try append(.backgroundLaunch, number, time, detail: detail)
  }

  private mutating func leaveFront(_ record: CaptureTimeline.Record, _ number: Int) {
    guard front == record.process else {
      builder.issues.add(
        .info, "an app leaves the front and was not in front", line: Self.line(record.line))
      return
    }
    front = nil
    leave = Leave(
      nanoseconds: record.nanoseconds, process: UInt32(clamping: number), line: record.line)
  }

  private mutating func setBackgroundMode(
    _ isOn: Bool, _ number: Int, time: Int64
  ) throws(TraceFault) {
    guard lives[number].isInBackgroundMode != isOn else { return }
    lives[number].isInBackgroundMode = isOn
    let detail = try builder.detail("mode=service", for: .backgroundMode)
    try append(.backgroundMode, number, time, value: isOn ? 1 : 0, detail: detail)
  }

  private mutating func setRank(
    _ adj: Int64, _ number: Int, time: Int64
  ) throws(TraceFault) {
    guard lives[number].adj != adj else { return }
    lives[number].adj = adj
    try append(.adj, number, time, value: adj)
  }

  private mutating func setPinned(
    _ isOn: Bool, _ number: Int, time: Int64
  ) throws(TraceFault) {
    guard lives[number].isPinned != isOn else { return }
    lives[number].isPinned = isOn
    let detail = try builder.detail("reason=user", for: .pin)
    try append(.pin, number, time, value: isOn ? 1 : 0, detail: detail)
  }

  private mutating func exit(
    _ exit: CaptureExit, _ number: Int, _ time: Int64
  ) throws(TraceFault) {
    if front == UInt32(clamping: number) { front = nil }
    endLife(number)
    switch exit {
    case .byItself: try append(.exit, number, time)
    case .crashed: try append(.crash, number, time)
    case .quit: try append(.quit, number, time)
    case .updated: try append(.update, number, time)
    case .observed(let cause, let band):
      var pairs: [(key: String, value: String)] = []
      if let cause { pairs.append(("cause", cause)) }
      // A capture may say anything; a trace holds what a system can have.
      if let band, TraceLimits.bands.contains(band) { pairs.append(("band", "\(band)")) }
      let detail = try builder.detail(pairs, for: .observedExit)
      try append(.observedExit, number, time, detail: detail)
    }
  }

  private mutating func appendFootprint(
    _ bytes: Int64, isDerived: Bool, _ number: Int, _ time: Int64
  ) throws(TraceFault) {
    let detail = isDerived ? try builder.detail("derived=1", for: .footprint) : 0
    try append(.footprint, number, time, value: bytes, detail: detail)
  }
}

// MARK: - Lives and names

extension CaptureWriter {
  /// Begins a life: its app is the name with the lowest number that no living process has.
  private mutating func nameApp(_ number: Int) throws(TraceFault) {
    let name = processes[number].name
    let ordinal = takeOrdinal(of: name)
    let appName = FittingName.fitting(name, suffix: ordinal == 1 ? "" : ":\(ordinal)")
    let app = try builder.app(named: appName)
    lives[number].app = app
    lives[number].ordinal = ordinal
    lives[number].phase = .alive
    begunLives.append(number)
    guard appNames.updateValue(appName, forKey: app) == nil else { return }
    let keys = processes[number].catalogKeys
    if !keys.isEmpty { catalogKeys[appName] = keys }
    if processes[number].wasInFront { shownApps.append(appName) } else { otherApps.append(appName) }
  }

  /// The lowest number of a name that no living process has.
  ///
  /// Complexity: O(log processes of the name).
  private mutating func takeOrdinal(of name: String) -> Int {
    if let free = ordinals[name]?.free.popMin() { return free }
    var ordinal = ordinals[name]?.next ?? 1
    // A number that would be another process's own name is never free.
    while ordinal > 1, ownNames.contains("\(name):\(ordinal)") { ordinal += 1 }
    ordinals[name, default: Ordinals()].next = ordinal + 1
    return ordinal
  }

  private mutating func endLife(_ number: Int) {
    lives[number].phase = .over
    ordinals[processes[number].name]?.free.insert(lives[number].ordinal)
  }

  private mutating func append(
    _ kind: EventKind, _ number: Int, _ time: Int64, value: Int64? = nil, detail: UInt32 = 0
  ) throws(TraceFault) {
    try builder.append(kind, time: time, app: lives[number].app, value: value, detail: detail)
  }

  /// Nanoseconds since the beginning; nil if that is beyond a trace.
  private func time(of nanoseconds: Int64) -> Int64? {
    let (time, overflow) = nanoseconds.subtractingReportingOverflow(origin)
    return overflow || time > TraceLimits.timeNanoseconds ? nil : time
  }

  private static func line(_ line: UInt32) -> Int? { line == 0 ? nil : Int(line) }

  private mutating func located(
    _ line: UInt32, _ body: (inout CaptureWriter) throws(TraceFault) -> Void
  ) throws(TraceError) {
    do throws(TraceFault) {
      try body(&self)
    } catch {
      throw TraceError(error, file: file, line: Self.line(line))
    }
  }
}
