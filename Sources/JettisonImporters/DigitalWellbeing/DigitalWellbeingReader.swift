internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Reads the events of a Digital Wellbeing database.
///
/// Times are milliseconds since 1970 in UTC. Rows are held in memory, 32 bytes each, because their
/// order is that in which they were written, which need not be that of time.
struct DigitalWellbeingReader {
  private static let table = "events"
  private static let nanosecondsPerMillisecond: Int64 = 1_000_000
  /// 1970 to 2199, the years of ``CivilTime``.
  private static let milliseconds: Range<Int64> = 0..<7_258_118_400_000

  private var packages: [String] = []
  private var packageNumbers: [Int64: UInt32] = [:]
  private var rows: [ShownApps.Row] = []

  /// Makes the trace of a database.
  static func read(_ input: TraceInput, _ options: ImportOptions) throws(TraceError) -> Trace {
    var issues = ImportIssues()
    let database = try SQLiteDatabase(input, issues: &issues)
    var reader = DigitalWellbeingReader()
    try reader.readPackages(database, &issues)
    try reader.readEvents(database, &issues)
    guard !reader.rows.isEmpty else {
      throw TraceError(
        file: input.displayName, what: "has no event of an app in table \(table)",
        remedy: "the database of Digital Wellbeing is app_usage in its folder databases")
    }
    reader.sort(&issues)
    var timeline = try CaptureTimeline(input, options)
    timeline.issues = issues
    try reader.run(&timeline)
    return try timeline.finish(
      clock: .epoch(offsetSeconds: nil), source: "Digital Wellbeing database",
      endsAt: reader.rows.last?.nanoseconds, deviceYAML: CaptureDevice.anyAndroid.yaml)
  }

  /// Adds the facts of all rows.
  private func run(_ timeline: inout CaptureTimeline) throws(TraceError) {
    var machine = ShownApps()
    // The life of each app that was seen since the last boot.
    var processes: [UInt32: CaptureProcess] = [:]
    for row in rows {
      machine.take(row, &timeline.issues)
      try tell(&machine.facts, &processes, &timeline)
    }
    machine.flush(&timeline.issues)
    try tell(&machine.facts, &processes, &timeline)
    machine.finish(&timeline.issues)
  }

  private func tell(
    _ facts: inout [ShownApps.Fact], _ processes: inout [UInt32: CaptureProcess],
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    for fact in facts {
      let (time, line) = (fact.nanoseconds, fact.line)
      switch fact.kind {
      case .screen(let isOn):
        try timeline.add(.screen(isOn: isOn), at: time, line: line)
        continue
      case .boot:
        try timeline.add(.boot, at: time, line: line)
        processes = [:]
        continue
      case .shown, .left, .serviceStarted, .background, .suspended: break
      }
      let process =
        processes[fact.package]
        ?? timeline.process(named: packages[Int(fact.package)], ranBefore: false)
      processes[fact.package] = process
      switch fact.kind {
      case .shown: try timeline.add(.front, at: time, process, line: line)
      case .left: try timeline.add(.left, at: time, process, line: line)
      case .suspended: try timeline.add(.suspended, at: time, process, line: line)
      case .serviceStarted:
        // The log does not say which processes were gone: a service starts or wakes its own.
        try timeline.add(.started(.unknown), at: time, process, line: line)
        try timeline.add(.background, at: time, process, line: line)
      case .background: try timeline.add(.background, at: time, process, line: line)
      case .screen, .boot: break
      }
    }
    facts.removeAll(keepingCapacity: true)
  }

  private mutating func readPackages(
    _ database: SQLiteDatabase, _ issues: inout ImportIssues
  ) throws(TraceError) {
    try database.forEachRow(
      of: "packages", ["_id", "package_name"], without: "apps have no names", issues: &issues
    ) { (row, number, issues) in
      guard let id = row.integer(1), let name = row.text(2), !name.isEmpty else {
        issues.add(.error, "a row of packages is not a number and a name", line: number)
        return
      }
      guard packageNumbers[id] == nil else { return }
      packageNumbers[id] = UInt32(clamping: packages.count)
      packages.append(name)
    }
  }

  private mutating func readEvents(
    _ database: SQLiteDatabase, _ issues: inout ImportIssues
  ) throws(TraceError) {
    try database.forEachRow(
      of: Self.table, ["timestamp", "type", "package_id", "instance_id"],
      without: "nothing is known of apps", issues: &issues
    ) { (row, number, issues) in
      guard let time = row.integer(1), let type = row.integer(2), let package = row.integer(3),
        row.isNull(4) || row.integer(4) != nil
      else {
        issues.add(.error, "a column of an event is not a whole number", line: number)
        return
      }
      guard Self.milliseconds.contains(time) else {
        issues.add(.error, "an event outside of the years 1970 to 2199", line: number)
        return
      }
      guard let position = packageNumbers[package] else {
        issues.add(.error, "an event of an app that is not among the packages", line: number)
        return
      }
      rows.append(
        ShownApps.Row(
          nanoseconds: time * Self.nanosecondsPerMillisecond, activity: row.integer(4) ?? 0,
          line: number, package: position, type: UsageEventType(type)))
    }
  }

  /// Brings the rows into the order of time, equal times in that of their numbers.
  private mutating func sort(_ issues: inout ImportIssues) {
    var isSorted = true
    for (earlier, later) in zip(rows, rows.dropFirst())
    where later.nanoseconds < earlier.nanoseconds {
      isSorted = false
      issues.add(.info, "a row out of the order of time is sorted in", line: later.line)
    }
    if isSorted { return }
    rows.sort { ($0.nanoseconds, $0.line) < ($1.nanoseconds, $1.line) }
  }
}
