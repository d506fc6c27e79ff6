package import JettisonCore

/// What a trace may tell about apps.
package enum TraceFact: String, CaseIterable, Sendable {
  case launches
  case backgroundLaunches = "background-launches"
  case footprints
  case allocations
  case systemMemory = "system-memory"
  case edits
  case saves
  case latencies
  case exits
  case warnings
  case screen
}

/// A format that traces can be read from.
///
/// To add one: (1) a folder with a reader that makes its trace through ``TraceBuilder``, (2) one
/// line in ``all``, (3) a page of its name in `JettisonCore.docc/Captures`.
package struct TraceFormat: Sendable {
  /// Kebab-case name for `--format`.
  package let name: String
  /// What it is, in one sentence.
  package let summary: String
  /// What its traces may tell.
  package let provides: Set<TraceFact>
  /// Whether a folder of files is one capture of it.
  package let readsFolders: Bool
  /// Whether the first bytes of an input (at most ``TraceInput/chunkBytes``) are of this format.
  package let sniff: @Sendable (_ prefix: Span<UInt8>) -> Bool
  /// Whether a SQLite database is of this format, by the names of its tables in lower case; nil:
  /// the format is no database.
  ///
  /// The tables of a database may be anywhere in its file, so that its first bytes say nothing.
  package let recognises: (@Sendable (_ tables: Set<String>) -> Bool)?
  /// Reads a whole input as the trace of one user.
  package let read:
    @Sendable (_ input: TraceInput, _ options: ImportOptions) throws(TraceError) -> Trace
  /// Reads a whole input as one trace per user, in the order of the input; nil: inputs of this
  /// format are of one user.
  package let readAll:
    (@Sendable (_ input: TraceInput, _ options: ImportOptions) throws(TraceError) -> [Trace])?

  /// Describes a format.
  package init(
    name: String, summary: String, provides: Set<TraceFact>, readsFolders: Bool = false,
    sniff: @escaping @Sendable (_ prefix: Span<UInt8>) -> Bool = { _ in false },
    recognises: (@Sendable (_ tables: Set<String>) -> Bool)? = nil,
    read:
      @escaping @Sendable (_ input: TraceInput, _ options: ImportOptions) throws(TraceError)
      -> Trace,
    readAll: (
      @Sendable (_ input: TraceInput, _ options: ImportOptions) throws(TraceError) -> [Trace]
    )? = nil
  ) {
    self.name = name
    self.summary = summary
    self.provides = provides
    self.readsFolders = readsFolders
    self.sniff = sniff
    self.recognises = recognises
    self.read = read
    self.readAll = readAll
  }

  /// Every format, in the order of detection.
  package static let all: [TraceFormat] = [
    .jettison,
    .jtrace,
    .digitalWellbeing,
    .powerLog,
    .perfetto,
    .memoryReplay,
    .heaptrack,
    .mallocRep,
    .lsapp,
    .jetsamReport,
    .processSamples,
    .androidBugreport,
    .usageStats,
    .androidLogcat,
    .kernelOOM,
    .killerJournal,
    .appUsage,
    .table,
  ]

  /// Whether it is one of the two forms of trace format 1, which are taken as they are.
  package var isNative: Bool { name == Self.jettison.name || name == Self.jtrace.name }

  /// The format of a name; a misuse if there is none.
  package static func named(_ name: String) throws(ConfigurationError) -> TraceFormat {
    guard let format = all.first(where: { $0.name == name }) else {
      throw .unknown(what: "format", name: name, known: all.map(\.name))
    }
    return format
  }

  /// The first format that recognises an input.
  package static func detect(_ input: TraceInput) throws(TraceError) -> TraceFormat {
    let prefix = input.prefix
    if !input.isFolder, SQLiteDatabase.begins(prefix.span) { return try detectDatabase(input) }
    for format in all where format.sniff(prefix.span) { return format }
    if input.isFolder { throw TraceInput.folderError(input.displayName) }
    if prefix.isEmpty {
      throw TraceError(
        file: input.displayName, what: "is empty",
        remedy: "a trace begins with '\(TextTraceReader.firstLine)'")
    }
    if let tool = compressor(of: prefix) {
      throw TraceError(
        file: input.displayName, line: 1, what: "is compressed",
        remedy: "decompress it, or pipe '\(tool)' into '-'")
    }
    // Named after what a person most likely meant: a native trace whose first line is wrong.
    throw TextTraceReader.firstLineError(input)
  }

  private static func compressor(of prefix: [UInt8]) -> String? {
    if prefix.starts(with: [0x1F, 0x8B]) { return "gzip -dc" }
    if prefix.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return "zstd -dc" }
    if prefix.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A]) { return "xz -dc" }
    if prefix.starts(with: [0x42, 0x5A, 0x68]) { return "bzip2 -dc" }
    if prefix.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return "unzip -p" }
    return nil
  }
}

extension Span where Element == UInt8 {
  /// Whether the bytes begin with those of a text.
  package func starts(with text: String) -> Bool {
    var position = 0
    for byte in text.utf8 {
      guard position < count, self[position] == byte else { return false }
      position += 1
    }
    return true
  }
}
