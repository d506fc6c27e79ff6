public import JettisonCore
import JettisonImporters
import JettisonTraces

/// An input whose decoding is watched.
public struct ImportCase: Sendable {
  /// Kebab-case name: of a capture, that of its format.
  public let name: String
  private let makeInput: @Sendable (Int) throws -> ImportInput

  /// Every case: at least one of each format.
  public static let all: [ImportCase] =
    [
      ImportCase(name: "jettison-allocations") { .text(TextWorkload.allocations(rows: $0)) },
      ImportCase(name: "jettison-usage") { .text(TextWorkload.usage(rows: $0)) },
      ImportCase(name: "jtrace") { try .binary(AllocationWorkload.trace(operations: $0)) },
      ImportCase(name: "csv") { rows in
        var options = ImportOptions()
        options.columns = UsageCaptures.tableColumns
        return .capture(UsageCaptures.table(lines: rows), as: .table, options: options)
      },
      ImportCase(name: "digital-wellbeing") { try .database(DigitalWellbeingCapture.rows($0)) },
      ImportCase(name: "powerlog") { try .database(AppleCaptures.powerLog(lines: $0)) },
    ]
    + captures.map { name, makeBytes in
      ImportCase(name: name) { .capture(makeBytes($0)) }
    }

  private static let captures: [(name: String, makeBytes: @Sendable (Int) -> [UInt8])] = [
    ("memory-replay", AllocationCaptures.memoryReplay),
    ("heaptrack", AllocationCaptures.heaptrack),
    ("malloc-rep", AllocationCaptures.mallocRep),
    ("app-usage", UsageCaptures.appUsage),
    ("lsapp", UsageCaptures.lsapp),
    ("usage-stats", UsageCaptures.usageStats),
    ("android-logcat", AndroidCaptures.logcat),
    ("android-bugreport", AndroidCaptures.bugreport),
    ("perfetto", PerfettoCapture.trace),
    ("process-samples", LinuxCaptures.processSamples),
    ("kernel-oom", LinuxCaptures.kernelOOM),
    ("killer-journal", LinuxCaptures.killerJournal),
    // Fewer rows: a report is one moment, and no system has so many processes.
    ("jetsam-report", { AppleCaptures.jetsamReport(lines: $0 / 10) }),
  ]

  /// The input, of `size` rows.
  public func input(size: Int) throws -> ImportInput { try makeInput(size) }
}

/// Bytes to decode: text in memory, or the binary form in a file that is gone with this value.
public final class ImportInput: Sendable {
  /// Number of bytes.
  public let count: Int
  private let decode: @Sendable () throws -> Trace
  private let file: TemporaryFile?
  /// What was made in memory; nil: a database, or the binary form.
  private let bytes: [UInt8]?

  private init(
    count: Int, file: TemporaryFile?, bytes: [UInt8]? = nil,
    decode: @escaping @Sendable () throws -> Trace
  ) {
    self.count = count
    self.file = file
    self.bytes = bytes
    self.decode = decode
  }

  static func text(_ bytes: [UInt8]) -> ImportInput {
    ImportInput(count: bytes.count, file: nil, bytes: bytes) {
      try TraceLoader.read(text: bytes.span, name: "text")
    }
  }

  /// A capture; nil: of the format that its content is of.
  static func capture(
    _ bytes: [UInt8], as format: TraceFormat? = nil, options: ImportOptions = ImportOptions()
  ) -> ImportInput {
    let file = TemporaryFile(suffix: ".capture")
    precondition(file.write(bytes), "the capture cannot be written")
    return ImportInput(count: bytes.count, file: file, bytes: bytes) {
      try TraceLoader.load(file.path, format: format, formats: .all, options: options)
    }
  }

  /// A database, made by the `sqlite3` command.
  static func database(_ sql: String) throws -> ImportInput {
    let file = TemporaryFile(suffix: ".sqlite")
    precondition(file.makeDatabase(sql), "the database cannot be made: is sqlite3 installed?")
    return ImportInput(count: file.size, file: file) {
      try TraceLoader.load(file.path, formats: .all)
    }
  }

  static func binary(_ trace: Trace) throws -> ImportInput {
    let file = TemporaryFile(suffix: ".jtrace")
    try TraceWriter.write(trace, to: file.path)
    return ImportInput(count: file.size, file: file) { try TraceLoader.load(file.path) }
  }

  /// Writes the input to a file; false if it cannot, or if the input is no text.
  public func write(to path: String) -> Bool {
    bytes.map { TemporaryFile.write($0, to: path) } ?? false
  }

  /// Decodes the input.
  public func run() throws -> Trace { try decode() }
}
