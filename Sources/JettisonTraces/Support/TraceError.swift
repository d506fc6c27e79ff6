/// Why an input cannot be read or an output cannot be written, and where.
///
/// Every reader reports damage as `file:line: column 'value': what is wrong (what to do)`.
public struct TraceError: Error, Equatable, Sendable {
  /// What kind of failure it is; decides the exit status.
  public enum Kind: Equatable, Sendable {
    /// The command was used wrongly: a directory where a file is needed.
    case misuse
    /// The input says something that it may not say.
    case malformed
    /// The input is missing or cannot be read.
    case unreadable
    /// The output cannot be created.
    case notCreatable
    /// Writing failed part-way.
    case writingFailed
    /// The program that read the output stopped reading: a reason to stop quietly.
    case closedPipe
  }

  /// What kind of failure it is.
  public let kind: Kind
  /// The file as the user named it; `<stdin>` for standard input.
  public let file: String
  /// Line in the file, from 1.
  public let line: Int?
  /// Position in the line in characters, from 1, where no column has a name (YAML).
  public let position: Int?
  /// Name of the column.
  public let column: String?
  /// What is wrong, without place and remedy.
  public let what: String
  /// What to do about it; empty if nothing helps.
  public let remedy: String
  /// The line in question with a mark under the place, as two lines; empty where ``position`` or
  /// ``column`` say enough.
  public let excerpt: String

  /// Makes an error; malformed input unless said otherwise.
  public init(
    _ kind: Kind = .malformed, file: String, line: Int? = nil, position: Int? = nil,
    column: String? = nil, what: String, remedy: String = "", excerpt: String = ""
  ) {
    self.kind = kind
    self.file = file
    self.line = line
    self.position = position
    self.column = column
    self.what = what
    self.remedy = remedy
    self.excerpt = excerpt
  }

  /// Puts a fault of the builder at a place.
  public init(_ fault: TraceFault, file: String, line: Int? = nil) {
    self.init(
      fault.kind, file: file, line: line,
      column: fault.column?.rawValue, what: fault.what, remedy: fault.remedy)
  }

  /// The exit status that a command ends with.
  public var exitStatus: Int32 {
    switch kind {
    case .misuse: 64
    case .malformed: 65
    case .unreadable: 66
    case .notCreatable: 73
    case .writingFailed, .closedPipe: 74
    }
  }
}

extension TraceError: CustomStringConvertible {
  /// One line: place, what is wrong, and in brackets what to do; below it the excerpt, if any.
  public var description: String {
    var text = file
    if let line { text += ":\(line)" }
    if line != nil, let position { text += ":\(position)" }
    text += ": "
    if let column { text += "column '\(column)': " }
    text += what
    if !remedy.isEmpty { text += " (\(remedy))" }
    if !excerpt.isEmpty { text += "\n\(excerpt)" }
    return text
  }
}
