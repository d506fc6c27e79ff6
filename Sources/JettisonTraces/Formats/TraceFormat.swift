public import JettisonModel
internal import JettisonSupport

/// What a trace may tell about apps.
public enum TraceFact: String, CaseIterable, Sendable {
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
/// line in `TraceFormats.all` of `JettisonImporters`, (3) a page of its name in
/// `JettisonImporters.docc/Captures`. A package of your own hands its formats to
/// `TraceFormats.adding(_:containers:)`.
public struct TraceFormat: Sendable {
  /// Kebab-case name for `--format`.
  public let name: String
  /// What it is, in one sentence.
  public let summary: String
  /// What its traces may tell.
  public let provides: Set<TraceFact>
  /// Endings of the names of its files, without the dot: what traces are called leaves them out, and
  /// a folder stands for the files that have one.
  public let fileExtensions: [String]
  /// Endings of the names of its files.
  var endings: [String] { fileExtensions.map { ".\($0)" } }
  /// Whether a folder of files is one capture of it.
  public let readsFolders: Bool
  /// Whether the user says which column holds what (`--columns`).
  ///
  /// Such a format is never detected from the content.
  public let readsColumns: Bool
  /// Whether it is one of the two forms of trace format 1, which are taken as they are.
  package internal(set) var isNative = false
  /// Whether the first bytes of an input (at most ``TraceInput/chunkBytes``) are of this format.
  public let sniff: @Sendable (_ prefix: Span<UInt8>) -> Bool
  /// Whether a SQLite database is of this format, by the names of its tables in lower case; nil:
  /// the format is no database.
  ///
  /// The tables of a database may be anywhere in its file, so that its first bytes say nothing. What
  /// opens a database is the container `.sqlite` of `JettisonImporters`, which its `TraceFormats.all`
  /// has: add the format to those, or the container with it.
  public let recognises: (@Sendable (_ tables: Set<String>) -> Bool)?
  /// Reads a whole input as the trace of one user.
  public let read:
    @Sendable (_ input: TraceInput, _ options: ImportOptions) throws(TraceError) -> Trace
  /// Reads a whole input as one trace per user, at least one, in the order of the input; nil: inputs
  /// of this format are of one user.
  public let readAll:
    (@Sendable (_ input: TraceInput, _ options: ImportOptions) throws(TraceError) -> [Trace])?

  /// Describes a format.
  public init(
    name: String, summary: String, provides: Set<TraceFact>, fileExtensions: [String] = [],
    readsFolders: Bool = false, readsColumns: Bool = false,
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
    self.fileExtensions = fileExtensions
    self.readsFolders = readsFolders
    self.readsColumns = readsColumns
    self.sniff = sniff
    self.recognises = recognises
    // Whoever reads, and however: options are checked here alone.
    self.read = { (input, options) throws(TraceError) in
      try options.check(for: input)
      return try read(input, options)
    }
    guard let readAll else {
      self.readAll = nil
      return
    }
    self.readAll = { (input, options) throws(TraceError) in
      try options.check(for: input)
      return try readAll(input, options)
    }
  }

  /// Whether one of the first lines of an input is such as a format has: what most ``sniff`` ask.
  ///
  /// - Parameters:
  ///   - prefix: The first bytes of the input.
  ///   - limit: How many lines are looked at. Lines beyond 16 KiB are not.
  ///   - isOfFormat: Whether a line, without its end, is of the format.
  public static func hasLine(
    in prefix: Span<UInt8>, amongFirst limit: Int, where isOfFormat: (Span<UInt8>) -> Bool
  ) -> Bool {
    var isFound = false
    LineSplitter.eachWholeLine(of: prefix, atMost: limit) { line in
      isFound = isOfFormat(line)
      return !isFound
    }
    return isFound
  }
}
