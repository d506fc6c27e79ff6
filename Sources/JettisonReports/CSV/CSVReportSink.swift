public import JettisonCore
internal import JettisonSupport

/// Makes listeners for runs that execute in parallel: each writes files of its own, which the sink
/// joins in order.
private struct DetailListeners: RunListeners {
  let kinds: Set<DetailKind>
  let directory: String
  let eventKinds: Set<RecordedKind>?
  let samplePeriodNanoseconds: Int64

  func listener(to run: StartedRun) throws -> (any RunListener)? {
    var writers: [DetailKind: CSVWriter] = [:]
    for kind in DetailKind.allCases where kinds.contains(kind) {
      let path = "\(directory)/\(kind.fileName).part\(run.position)"
      writers[kind] = CSVWriter(try OutputFile(path: path))
    }
    return DetailListener(
      CSVRecorder(
        key: run.key, apps: run.apps, details: run.details, eventKinds: eventKinds,
        samplePeriodNanoseconds: samplePeriodNanoseconds, writers: writers),
      writers)
  }
}

/// Writes rows into files of their own, in which they lie until their turn comes.
private final class DetailListener: RunListener {
  private let rows: CSVRecorder
  private let writers: [DetailKind: CSVWriter]

  var recorder: any Recorder { rows }

  init(_ rows: CSVRecorder, _ writers: [DetailKind: CSVWriter]) {
    self.rows = rows
    self.writers = writers
  }

  func finish() throws -> any RunPart {
    try rows.finish()
    var files: [DetailKind: HiddenFile] = [:]
    for kind in DetailKind.allCases {
      files[kind] = try writers[kind]?.file.handOver()
    }
    return DetailPart(files: files)
  }
}

/// The rows of one run in hidden files, which go at the latest when the part does.
private final class DetailPart: RunPart {
  let files: [DetailKind: HiddenFile]

  init(files: [DetailKind: HiddenFile]) {
    self.files = files
  }

  /// Removes the files: a thread that made the part may hold on to it until the process ends.
  func discard() {
    for file in files.values { file.remove() }
  }
}

/// Writes the reports of an experiment into a directory: <doc:Reports>.
///
/// All files are created at once and get their names together in
/// ``finish(runs:comparisons:)``: an error before leaves what was there untouched.
public final class CSVReportSink: ReportSink {
  /// Those of the large files; nil if none is wanted.
  public let listeners: (any RunListeners)?
  private let directory: String
  private let runs: CSVWriter
  private let summary: CSVWriter
  private let apps: CSVWriter
  private let comparison: CSVWriter
  private let columns: OutputFile
  private var detailWriters: [DetailKind: CSVWriter] = [:]

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
    try ReportDirectory.make(directory)
    let directory =
      directory.count > 1 && directory.hasSuffix("/")
      ? String(directory.dropLast()) : directory
    self.directory = directory
    listeners =
      details.isEmpty
      ? nil
      : DetailListeners(
        kinds: details, directory: directory, eventKinds: eventKinds,
        samplePeriodNanoseconds: samplePeriodNanoseconds)
    runs = try Self.open(RunTables.runs, in: directory)
    summary = try Self.open(RunTables.summary, in: directory)
    apps = try Self.open(RunTables.apps, in: directory)
    comparison = try Self.open(RunTables.comparison, in: directory)
    columns = try OutputFile(path: "\(directory)/columns.md")
    for kind in DetailKind.allCases where details.contains(kind) {
      detailWriters[kind] =
        switch kind {
        case .events: try Self.open(DetailTables.events, in: directory)
        case .decisions: try Self.open(DetailTables.decisions, in: directory)
        case .footprints: try Self.open(DetailTables.footprints, in: directory)
        }
    }
  }

  /// Adds the rows of a run to the large files.
  ///
  /// - Throws: ``ReportError`` if they cannot be written.
  public func add(_ part: any RunPart) throws {
    guard let part = part as? DetailPart else { return }
    for kind in DetailKind.allCases {
      guard let file = part.files[kind], let writer = detailWriters[kind] else { continue }
      try writer.file.append(contentsOf: file.path)
    }
  }

  /// Writes the files with one row per run, app and comparison, and gives all files their names.
  ///
  /// - Throws: ``ReportError`` if they cannot be written.
  public func finish(
    runs records: [RunRecord], comparisons: [Comparison]
  ) throws(ReportError) {
    for record in records {
      try RunTables.runs.write(record, to: runs)
      guard var row = RunTables.MetricRow(record) else { continue }
      try RunTables.summary.write(row, to: summary)
      assert(row.reader.result.apps.count == record.provenance.apps.count)
      for position in row.reader.result.apps.indices {
        row.app = AppIndex(position)
        try RunTables.apps.write(row, to: apps)
      }
    }
    for row in comparisons { try RunTables.comparison.write(row, to: comparison) }
    try columns.write(ColumnsDocument.text)
    let files =
      [runs, summary, apps, comparison].map(\.file) + [columns]
      + DetailKind.allCases.compactMap { detailWriters[$0]?.file }
    // Closing tells of a full disk; only then does any file replace an older one.
    for file in files { try file.complete() }
    try AtomicFile.together { () throws(ReportError) in
      for file in files { try file.publish() }
    }
  }

  private static func open<Row>(
    _ table: ReportTable<Row>, in directory: String
  ) throws(ReportError) -> CSVWriter {
    let writer = CSVWriter(try OutputFile(path: "\(directory)/\(table.fileName)"))
    try table.writeHeader(to: writer)
    return writer
  }
}
