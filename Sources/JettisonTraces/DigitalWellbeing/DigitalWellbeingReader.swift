internal import JettisonCore

/// Reads the events of a Digital Wellbeing database.
///
/// Times are milliseconds since 1970 in UTC. Rows are held in memory, 32 bytes each, because their
/// order is that in which they were written, which need not be that of time.
struct DigitalWellbeingReader {
  /// One row of `events`.
  struct Row {
    let milliseconds: Int64
    /// Which activity of the package it was.
    let activity: Int64
    let number: Int
    /// Position among the packages.
    let package: Int32
    let type: UsageEventType
  }

  private static let table = "events"
  private static let nanosecondsPerMillisecond: Int64 = 1_000_000
  /// 1970 to 2199, the years of ``CivilTime``.
  private static let milliseconds: Range<Int64> = 0..<7_258_118_400_000

  private var packages: [String] = []
  private var packageNumbers: [Int64: Int32] = [:]
  private var rows: [Row] = []

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
    var machine = ShownApps(packages: reader.packages)
    try machine.run(reader.rows, &timeline)
    let last = reader.rows.last.map { $0.milliseconds * nanosecondsPerMillisecond }
    return try timeline.finish(
      clock: .epoch(offsetSeconds: nil), source: "Digital Wellbeing database", endsAt: last)
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
      packageNumbers[id] = Int32(clamping: packages.count)
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
        issues.add(.error, "a column of an event is no whole number", line: number)
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
        Row(
          milliseconds: time, activity: row.integer(4) ?? 0, number: number, package: position,
          type: UsageEventType(type)))
    }
  }

  /// Brings the rows into the order of time, equal times in that of their numbers.
  private mutating func sort(_ issues: inout ImportIssues) {
    var isSorted = true
    for (earlier, later) in zip(rows, rows.dropFirst())
    where later.milliseconds < earlier.milliseconds {
      isSorted = false
      issues.add(.info, "a row out of the order of time is sorted in", line: later.number)
    }
    if isSorted { return }
    rows.sort { ($0.milliseconds, $0.number) < ($1.milliseconds, $1.number) }
  }
}
