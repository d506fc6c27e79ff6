package import JettisonCore
internal import JettisonSupport

/// Makes recorders for runs that execute in parallel: each writes files of its own, which
/// ``ReportWriter/add(_:at:)`` puts in order.
package struct DetailPlan: Sendable {
  /// Which of the large files are wanted.
  package let kinds: Set<DetailKind>
  let directory: String
  let eventKinds: Set<RecordedKind>?
  let samplePeriodNanoseconds: Int64

  /// A recorder for one run; nil if none of the large files is wanted.
  ///
  /// - Parameters:
  ///   - key: The run.
  ///   - apps: Decoded names of its apps, by ``AppIndex``.
  ///   - details: Texts of the details of its trace, by position.
  ///   - index: Place of the run in the order of all runs, from 0.
  package func recorder(
    key: RunKey, apps: [String], details: [String], index: Int
  ) throws(ReportError) -> PartRecorder? {
    guard !kinds.isEmpty else { return nil }
    var writers: [DetailKind: CSVWriter] = [:]
    for kind in DetailKind.allCases where kinds.contains(kind) {
      let path = "\(directory)/\(kind.fileName).part\(index)"
      writers[kind] = CSVWriter(try OutputFile(path: path))
    }
    return PartRecorder(
      recorder: CSVRecorder(
        key: key, apps: apps, details: details, eventKinds: eventKinds,
        samplePeriodNanoseconds: samplePeriodNanoseconds, writers: writers),
      writers: writers)
  }
}

/// A recorder whose rows lie in files of their own until their turn comes.
package struct PartRecorder {
  /// Listens to the run.
  package let recorder: CSVRecorder
  fileprivate let writers: [DetailKind: CSVWriter]

  /// Ends the rows.
  ///
  /// The files are removed when a writer has copied them, at the latest when the part is dropped.
  package func finish() throws(ReportError) -> DetailPart {
    try recorder.finish()
    var files: [DetailKind: HiddenFile] = [:]
    for kind in DetailKind.allCases {
      files[kind] = try writers[kind]?.file.handOver()
    }
    return DetailPart(files: files)
  }
}

/// The rows of one run in hidden files.
package final class DetailPart: Sendable {
  fileprivate let files: [DetailKind: HiddenFile]

  fileprivate init(files: [DetailKind: HiddenFile]) {
    self.files = files
  }

  /// Removes the files.
  ///
  /// A thread that made the part may hold on to it until the process ends.
  fileprivate func remove() {
    for file in files.values { file.remove() }
  }
}

/// Writes the reports of an experiment into a directory.
///
/// All files are created at once and get their names together in
/// ``finish(runs:comparisons:)``: an error before leaves what was there untouched. Runs may
/// execute in any order on any number of threads; the files do not show it.
package final class ReportWriter {
  /// Makes recorders for the large files.
  package let details: DetailPlan
  private let directory: String
  private let runs: CSVWriter
  private let summary: CSVWriter
  private let apps: CSVWriter
  private let comparison: CSVWriter
  private let columns: OutputFile
  private var detailWriters: [DetailKind: CSVWriter] = [:]
  private var waiting: [Int: DetailPart?] = [:]
  private var next = 0

  /// Makes the directory if need be, and all files in it under temporary names.
  ///
  /// - Parameters:
  ///   - directory: Where the files belong.
  ///   - details: Which of the large files are wanted.
  ///   - eventKinds: The kinds of events that have rows in `events.csv`; nil: all.
  ///   - samplePeriodNanoseconds: At most one footprint per app in this time.
  package init(
    directory: String, details: Set<DetailKind> = [], eventKinds: Set<RecordedKind>? = nil,
    samplePeriodNanoseconds: Int64 = 1_000_000_000
  ) throws(ReportError) {
    try ReportDirectory.make(directory)
    let directory =
      directory.count > 1 && directory.hasSuffix("/")
      ? String(directory.dropLast()) : directory
    self.directory = directory
    self.details = DetailPlan(
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

  deinit {
    for part in waiting.values { part?.remove() }
  }

  /// Writes reports that need no large files.
  package static func write(
    directory: String, runs: [RunRecord], comparisons: [ComparisonRow]
  ) throws(ReportError) {
    try ReportWriter(directory: directory).finish(runs: runs, comparisons: comparisons)
  }

  /// A recorder that writes straight into the large files: for runs that execute one after the
  /// other, in order.
  ///
  /// To be ended by ``CSVRecorder/finish()``.
  package func recorder(key: RunKey, apps: [String], details texts: [String]) -> CSVRecorder? {
    guard !detailWriters.isEmpty else { return nil }
    return CSVRecorder(
      key: key, apps: apps, details: texts, eventKinds: details.eventKinds,
      samplePeriodNanoseconds: details.samplePeriodNanoseconds, writers: detailWriters)
  }

  /// Takes the rows of the run at a place in the order of all runs, or nil if it has none.
  ///
  /// They are copied as soon as those of all runs before are.
  package func add(_ part: DetailPart?, at index: Int) throws(ReportError) {
    waiting[index] = .some(part)
    while let part = waiting.removeValue(forKey: next) {
      next += 1
      try append(part)
    }
  }

  private func append(_ part: DetailPart?) throws(ReportError) {
    guard let part else { return }
    defer { part.remove() }
    for kind in DetailKind.allCases {
      guard let file = part.files[kind], let writer = detailWriters[kind] else { continue }
      try writer.file.append(contentsOf: file.path)
    }
  }

  /// Writes the files with one row per run, app and comparison, and gives all files their names.
  package func finish(
    runs records: [RunRecord], comparisons: [ComparisonRow]
  ) throws(ReportError) {
    // A run that was never added leaves a gap; the rows after it are not lost for that.
    for index in waiting.keys.sorted() { try append(waiting.removeValue(forKey: index) ?? nil) }
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
