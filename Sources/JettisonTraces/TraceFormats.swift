public import JettisonModel
internal import JettisonSupport

/// The formats that inputs are read by, in the order in which they are tried.
///
/// ``native`` is what this module reads by itself; captures need the formats of `JettisonImporters`,
/// or some of your own.
public struct TraceFormats: Sendable {
  /// The formats, in the order of detection.
  public let list: [TraceFormat]
  private let containers: [TraceContainer]

  /// Makes a registry.
  public init(_ formats: [TraceFormat], containers: [TraceContainer] = []) {
    list = formats
    self.containers = containers
  }

  /// Trace format 1, as text and as binary records.
  public static let native = TraceFormats([.jettison, .jtrace])

  /// These formats and, tried after them, more.
  public func adding(
    _ formats: [TraceFormat], containers: [TraceContainer] = []
  ) -> TraceFormats {
    TraceFormats(list + formats, containers: self.containers + containers)
  }

  /// The format of a name; a misuse if there is none.
  public func named(_ name: String) throws(ConfigurationError) -> TraceFormat {
    guard let format = list.first(where: { $0.name == name }) else {
      throw .unknown(what: "format", name: name, known: list.map(\.name))
    }
    return format
  }

  /// What a trace is called that was read from a path: the file's name without folders and without
  /// the endings that files of these formats have (`.csv`, `.jtrace`, `.jettison.csv`); `stdin` for
  /// `-`.
  public func traceName(of path: String) -> String {
    if path == "-" { return "stdin" }
    var name = path.split(separator: "/").last.map(String.init) ?? path
    let endings = list.flatMap { $0.fileExtensions.map { ".\($0)" } }
    while let ending = endings.first(where: { name.hasSuffix($0) && name.count > $0.count }) {
      name = String(name.dropLast(ending.count))
    }
    return name
  }
}

/// A kind of file that holds captures of several formats, such as a database: its first bytes say
/// what it is, and only what is inside says of which format.
public struct TraceContainer: Sendable {
  /// Whether the first bytes of an input are those of such a file.
  public let sniff: @Sendable (_ prefix: Span<UInt8>) -> Bool
  /// Finds the format of such an input.
  public let detect:
    @Sendable (_ input: TraceInput, _ formats: [TraceFormat]) throws(TraceError) -> TraceFormat

  /// Describes a kind of file.
  public init(
    sniff: @escaping @Sendable (_ prefix: Span<UInt8>) -> Bool,
    detect:
      @escaping @Sendable (_ input: TraceInput, _ formats: [TraceFormat]) throws(TraceError)
      -> TraceFormat
  ) {
    self.sniff = sniff
    self.detect = detect
  }
}

// MARK: - Detection

extension TraceFormats {
  /// The first format that recognises an input.
  public func detect(_ input: TraceInput) throws(TraceError) -> TraceFormat {
    let prefix = input.prefix
    if !input.isFolder {
      for container in containers where container.sniff(prefix.span) {
        return try container.detect(input, list)
      }
    }
    for format in list where format.sniff(prefix.span) { return format }
    if input.isFolder { throw TraceInput.folderError(input.displayName) }
    if prefix.isEmpty {
      throw TraceError(
        file: input.displayName, what: "is empty",
        remedy: "a trace begins with '\(TextTraceReader.firstLine)'")
    }
    if let tool = Self.compressor(of: prefix) {
      throw TraceError(
        file: input.displayName, line: 1, what: "is compressed",
        remedy: "decompress it, or pipe '\(tool)' into '-'")
    }
    // Named after what a person most likely meant: a native trace whose first line is wrong.
    throw TextTraceReader.firstLineError(input)
  }

  /// The format to read an input by.
  ///
  /// - Parameters:
  ///   - format: The one that the user named; nil: the one that reads columns if `options` name some,
  ///     else told by content.
  ///   - input: What is to be read.
  ///   - options: How.
  public func choose(
    _ format: TraceFormat?, for input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> TraceFormat {
    let byColumns = options.columns.isEmpty ? nil : list.first(where: \.readsColumns)
    let format = if let named = format ?? byColumns { named } else { try detect(input) }
    if format.isNative, let option = options.captureOption {
      throw TraceError(
        .misuse, file: input.displayName,
        what: "is a trace already, and \(option) is for captures of other formats",
        remedy: "leave it out")
    }
    if input.isFolder, !format.readsFolders { throw TraceInput.folderError(input.displayName) }
    return format
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
