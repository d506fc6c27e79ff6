public import JettisonModel

/// The formats that inputs are read by, in the order in which they are tried.
///
/// ``native`` is what this module reads by itself; captures need the formats of `JettisonImporters`,
/// or some of your own. Each has a name of its own: where two share one, reading throws.
public struct TraceFormats: Sendable {
  /// The formats, in the order of detection.
  public let list: [TraceFormat]
  let containers: [TraceContainer]
  /// Endings of the files that a folder of traces stands for, each with its dot.
  package let folderEndings: [String]

  /// Makes a registry.
  ///
  /// A folder read with it stands for the files with an ending of these formats.
  public init(_ formats: [TraceFormat], containers: [TraceContainer] = []) {
    self.init(formats, containers: containers, folderEndings: formats.flatMap(\.endings))
  }

  /// Makes a registry of formats whose files do not all count as traces of a folder.
  package init(
    _ formats: [TraceFormat], containers: [TraceContainer], folderEndings: [String]
  ) {
    list = formats
    self.containers = containers
    self.folderEndings = folderEndings
  }

  /// These formats and, tried after them, more.
  ///
  /// A folder stands for the files with an ending of those, too.
  ///
  /// - Parameters:
  ///   - formats: The formats, none with the name of another.
  ///   - containers: Kinds of files that hold some of them, such as `.sqlite` of `JettisonImporters`.
  public func adding(
    _ formats: [TraceFormat], containers: [TraceContainer] = []
  ) -> TraceFormats {
    TraceFormats(
      list + formats, containers: self.containers + containers,
      folderEndings: folderEndings + formats.flatMap(\.endings))
  }

  /// The format of a name.
  ///
  /// - Throws: `ConfigurationError.unknown` if there is none, `ConfigurationError.invalid` if two have
  ///   the name.
  public func named(_ name: String) throws(ConfigurationError) -> TraceFormat {
    let named = list.filter { $0.name == name }
    guard let format = named.first else {
      throw .unknown(what: "format", name: name, known: list.map(\.name))
    }
    guard named.count == 1 else {
      throw .invalid(
        what: "format", text: name, remedy: "two formats have the name (give one another name)")
    }
    return format
  }

  /// A name that two formats have; nil: each has its own.
  var sharedName: String? {
    var names: Set<String> = []
    return list.first { !names.insert($0.name).inserted }?.name
  }

  /// What a trace is called that was read from a path: the file's name without folders and without
  /// the endings that files of these formats have (`.csv`, `.jtrace`, `.jettison.csv`); `stdin` for
  /// `-`.
  public func traceName(of path: String) -> String {
    if path == "-" { return "stdin" }
    var name = path.split(separator: "/").last.map(String.init) ?? path
    let endings = list.flatMap(\.endings)
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
