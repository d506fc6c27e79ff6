public import JettisonModel

/// The formats that inputs are read by, in the order in which they are tried.
///
/// ``native`` is what this module reads by itself; captures need the formats of `JettisonImporters`,
/// or some of your own.
public struct TraceFormats: Sendable {
  /// The formats, in the order of detection.
  public let list: [TraceFormat]
  let containers: [TraceContainer]

  /// Makes a registry.
  public init(_ formats: [TraceFormat], containers: [TraceContainer] = []) {
    list = formats
    self.containers = containers
  }

  /// These formats and, tried after them, more.
  public func adding(
    _ formats: [TraceFormat], containers: [TraceContainer] = []
  ) -> TraceFormats {
    TraceFormats(list + formats, containers: self.containers + containers)
  }

  /// The format of a name.
  ///
  /// - Throws: `ConfigurationError.unknown` if there is none.
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
  /// Whether an input begins like such a file.
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
