internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Makes a trace of a table's rows.
///
/// Rows in order of time stream through with bounded memory. If a later row is earlier, a file is
/// read again and sorted by time, rows of one time in the file's order; a stream cannot be.
struct TableImport: ~Copyable {
  private var builder: TraceBuilder
  private var reader: TableReader
  private let filter: AppFilter
  private let file: String
  /// Subtracted from every time.
  private var origin: Int64?
  /// The app in front, by the number of a spelling.
  private var front: Int?
  private var apps: [String] = []
  private var seenApps: Set<String> = []
  /// What is known of apps, by the numbers of their spellings.
  private var known: [Known] = []
  private var start: String?
  private var isZoneKnown = true

  /// What few rows are shorter than.
  private static let usualRowBytes = 28

  /// Times from here on (1990-01-01) count from the epoch.
  static let epochNanoseconds: Int64 = 631_152_000_000_000_000

  /// What came of a row.
  enum Outcome {
    case taken, earlier
  }

  private struct Known {
    let isKept: Bool
    /// The builder's number; nil: it has none yet.
    var number: UInt32?
  }

  init(
    options: ImportOptions, columns: TableColumns, input: TraceInput
  ) throws(TraceError) {
    file = input.displayName
    filter = AppFilter(options.apps)
    reader = TableReader(
      columns: columns, user: options.user, zone: options.zoneOffsetSeconds, file: file)
    builder = try TraceBuilder(storage: input.storage, file: file)
    builder.reserve(rows: (input.byteCount ?? 0) / Self.usualRowBytes)
  }

  /// Counts an issue.
  mutating func note(_ severity: IssueSeverity, _ text: String, line: Int? = nil) {
    builder.issues.add(severity, text, line: line)
  }

  /// Reads a line and takes its row; `.earlier` leaves the trace as it was.
  mutating func take(_ text: Span<UInt8>, number: Int) throws(TraceError) -> Outcome {
    guard let row = try reader.read(text, number: number, issues: &builder.issues) else {
      return .taken
    }
    if origin == nil { begin(row) }
    return try take(row, line: number)
  }

  /// Reads all lines and takes their rows in order of time.
  mutating func takeSorted(_ input: TraceInput) throws(TraceError) {
    var rows: [(row: TableReader.Row, line: Int)] = []
    try input.forEachLine { (line, number) throws(TraceError) in
      if let row = try reader.read(line, number: number, issues: &builder.issues) {
        rows.append((row, number))
      }
    }
    rows.sort { ($0.row.nanoseconds, $0.line) < ($1.row.nanoseconds, $1.line) }
    if let first = rows.first { begin(first.row) }
    for (row, line) in rows { _ = try take(row, line: line) }
  }

  private mutating func take(
    _ row: TableReader.Row, line: Int
  ) throws(TraceError) -> Outcome {
    if start == nil, row.nanoseconds >= Self.epochNanoseconds {
      builder.issues.add(
        .error, "a time since 1970, where the first row counts from the start", line: line)
      return .taken
    }
    if start != nil, (row.offsetSeconds != nil) != isZoneKnown {
      builder.issues.add(
        .error,
        isZoneKnown
          ? "a time without a zone, where the first row has one"
          : "a time with a zone, where the first row has none",
        line: line)
      return .taken
    }
    let (time, overflow) = row.nanoseconds.subtractingReportingOverflow(origin ?? 0)
    if overflow || time < builder.lastTime { return .earlier }
    do throws(TraceFault) {
      try append(row, time: time, line: line)
    } catch {
      if error.isStorageFailure { throw TraceError(error, file: file, line: line) }
      builder.issues.add(.error, Self.text(of: error), line: line)
    }
    return .taken
  }

  /// The first row says what times count from.
  private mutating func begin(_ row: TableReader.Row) {
    guard row.nanoseconds >= Self.epochNanoseconds else {
      origin = 0
      return
    }
    let seconds = row.nanoseconds / 1_000_000_000
    origin = seconds * 1_000_000_000
    isZoneKnown = row.offsetSeconds != nil
    let offset = row.offsetSeconds ?? 0
    start = CivilTime.iso8601(seconds: seconds + offset, offset: CivilTime.text(ofOffset: offset))
  }

  private mutating func append(
    _ row: TableReader.Row, time: Int64, line: Int
  ) throws(TraceFault) {
    let kind: EventKind
    switch row.event {
    case .event(let event): kind = event
    case .closed where isInFront(row.app): kind = .home
    case .closed, .ignored:
      builder.issues.add(.info, "an event that changes nothing in front", line: line)
      return
    }
    if let app = row.app, !isKept(app) {
      builder.issues.add(.info, "a row of an excluded app", line: line)
      guard kind == .launch, front != nil else { return }
      // It takes the place of the one in front.
      front = nil
      return try builder.append(.home, time: time)
    }
    let shape = EventShape.of(kind)
    let detail = try row.detail.map { text throws(TraceFault) in
      try builder.detail(text, for: kind, line: line)
    }
    var app: UInt32?
    if shape.app != .none, let spelling = row.app { app = try number(of: spelling) }
    if shape.value == .none, row.value != nil {
      builder.issues.add(.info, "a value that its event has no use for", line: line)
    }
    try builder.append(
      kind, time: time, app: app, value: shape.value == .none ? nil : row.value,
      id: shape.id == .none ? nil : row.id, detail: detail ?? 0)
    switch kind {
    case .launch: front = row.app
    case .home, .boot: front = nil
    default: break
    }
  }

  /// Whether a row's app is the one in front, which may be spelled otherwise.
  private func isInFront(_ app: Int?) -> Bool {
    guard let front, let app else { return false }
    return front == app || reader.appNames[front] == reader.appNames[app]
  }

  private mutating func isKept(_ app: Int) -> Bool {
    while known.count <= app {
      known.append(Known(isKept: filter.keeps(reader.appNames[known.count])))
    }
    return known[app].isKept
  }

  /// The builder's number of an app that is kept.
  private mutating func number(of app: Int) throws(TraceFault) -> UInt32 {
    if let number = known[app].number { return number }
    let name = FittingName.fitting(reader.appNames[app])
    let number = try builder.app(named: name)
    known[app].number = number
    if seenApps.insert(name).inserted { apps.append(name) }
    return number
  }

  /// Makes the trace.
  consuming func finish(
    _ input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> Trace {
    let name = input.traceName
    var header = TraceHeader(user: reader.user ?? name)
    header.device = options.device
    header.start = start
    header.source =
      isZoneKnown
      ? "table with named columns"
      : "table with named columns; times have no zone and are written as +00:00"
    header.appsYAML = CategoryBlock.yaml(apps: apps)
    let file = file
    return try builder.finish(name: name, header: header, file: file)
  }

  /// What is wrong, without the values: issues are counted by their text.
  private static func text(of fault: TraceFault) -> String {
    switch fault {
    case .missing, .unexpected, .notRunning, .afterEnd, .presentLate, .presentAgain,
      .secondFront:
      fault.what
    default:
      fault.column.map { "column '\($0.rawValue)' does not fit the event" } ?? fault.what
    }
  }
}
