public import JettisonCore
internal import JettisonSupport

/// Makes listeners for runs that execute in parallel: each writes parts of its own, which the sink
/// joins in order.
private struct DetailListeners: RunListeners {
  let kinds: Set<DetailKind>
  let directory: String
  let eventKinds: Set<RecordedKind>?
  let samplePeriodNanoseconds: Int64
  let memory = PartMemory()

  func listener(to run: StartedRun) throws(ReportError) -> (any RunListener)? {
    var writers: [DetailKind: CSVWriter] = [:]
    for kind in DetailKind.allCases where kinds.contains(kind) {
      let path = "\(directory)/\(kind.fileName).part\(run.position)"
      writers[kind] = CSVWriter(OutputFile(partOf: path, in: memory))
    }
    return DetailListener(
      CSVRecorder(
        key: run.key, apps: run.apps, details: run.details, eventKinds: eventKinds,
        samplePeriodNanoseconds: samplePeriodNanoseconds, writers: writers),
      writers)
  }
}

/// Writes rows into parts of their own, in which they lie until their turn comes.
private final class DetailListener: RunListener {
  private let rows: CSVRecorder
  private let writers: [DetailKind: CSVWriter]

  var recorder: any Recorder { rows }

  init(_ rows: CSVRecorder, _ writers: [DetailKind: CSVWriter]) {
    self.rows = rows
    self.writers = writers
  }

  func finish() throws(ReportError) -> any RunPart {
    try rows.finish()
    var parts: [DetailKind: OutputPart] = [:]
    for kind in DetailKind.allCases {
      parts[kind] = try writers[kind]?.file.handOver()
    }
    return DetailPart(parts: parts)
  }
}

/// The rows of one run.
private final class DetailPart: RunPart {
  let parts: [DetailKind: OutputPart]

  init(parts: [DetailKind: OutputPart]) {
    self.parts = parts
  }

  func discard() {
    for part in parts.values { part.discard() }
  }
}

/// Writes the reports of an experiment into a directory: <doc:Reports>.
///
/// All files are created at once and get their names together in ``publish()``: an error before leaves
/// what was there untouched.
public final class CSVReportSink: ReportSink, FileOutput {
  /// Those of the large files; nil if none is wanted.
  public let listeners: (any RunListeners)?
  private let files: ReportFiles
  private let runs: CSVWriter
  private let summary: CSVWriter
  private let apps: CSVWriter
  private let comparison: CSVWriter
  private var detailWriters: [DetailKind: CSVWriter] = [:]
  package var outputFiles: [OutputFile] { files.files }

  /// Makes the directory if need be, and all files in it under temporary names.
  ///
  /// - Parameters:
  ///   - directory: Where the files belong.
  ///   - details: Which of the large files are wanted.
  ///   - eventKinds: The kinds of events that have rows in `events.csv`; nil: all.
  ///   - samplePeriodNanoseconds: At most one footprint per app in this time; 0 or less: all.
  /// - Throws: ``ReportError`` if one of them cannot be made.
  public init(
    directory: String, details: Set<DetailKind> = [], eventKinds: Set<RecordedKind>? = nil,
    samplePeriodNanoseconds: Int64 = 1_000_000_000
  ) throws(ReportError) {
    files = try ReportFiles(directory: directory)
    listeners =
      details.isEmpty
      ? nil
      : DetailListeners(
        kinds: details, directory: files.directory, eventKinds: eventKinds,
        samplePeriodNanoseconds: samplePeriodNanoseconds)
    runs = try files.open(RunTables.runs)
    summary = try files.open(RunTables.summary)
    apps = try files.open(RunTables.apps)
    comparison = try files.open(RunTables.comparison)
    for kind in DetailKind.allCases {
      let isWanted = details.contains(kind)
      detailWriters[kind] =
        switch kind {
        case .events: try writer(of: DetailTables.events, isWanted)
        case .decisions: try writer(of: DetailTables.decisions, isWanted)
        case .footprints: try writer(of: DetailTables.footprints, isWanted)
        }
    }
  }

  private func writer<Row>(
    of table: ReportTable<Row>, _ isWanted: Bool
  ) throws(ReportError) -> CSVWriter? {
    if isWanted { return try files.open(table) }
    files.leaveOut(table)
    return nil
  }

  /// Adds the rows of a run to the large files.
  ///
  /// - Throws: ``ReportError`` if they cannot be written.
  public func add(_ part: any RunPart) throws(ReportError) {
    guard let part = part as? DetailPart else { return }
    for kind in DetailKind.allCases {
      guard let rows = part.parts[kind], let writer = detailWriters[kind] else { continue }
      try writer.file.append(rows)
    }
  }

  /// Writes the files with one row per run, app and comparison, and closes all files.
  ///
  /// - Throws: ``ReportError`` if they cannot be written, and if a run's record names other apps than
  ///   its result has.
  public func finish(
    runs records: [RunRecord], comparisons: [Comparison]
  ) throws(ReportError) {
    for record in records {
      try RunTables.runs.write(record, to: runs)
      guard let row = RunTables.MetricRow(record) else { continue }
      try RunTables.summary.write(row, to: summary)
      try record.checkApps()
      for row in row.byApp { try RunTables.apps.write(row, to: apps) }
    }
    for row in comparisons { try RunTables.comparison.write(row, to: comparison) }
    try files.finish()
  }

  /// Gives all files their names.
  ///
  /// - Throws: ``ReportError`` if one of them cannot have it.
  public func publish() throws(ReportError) {
    try files.publish()
  }
}
