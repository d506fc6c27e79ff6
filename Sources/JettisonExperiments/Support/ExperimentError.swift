public import JettisonCore
public import JettisonTraces

/// Why an experiment cannot be set up.
///
/// Payloads hold facts; ``description`` is the sentence.
public enum ExperimentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A value that cannot be used, after what it is called where it was given: a key of an experiment
  /// file, or an option.
  case value(String, ConfigurationError)
  /// Things that cannot stand together, or something that is asked of the wrong kind of input.
  case misuse(what: String, remedy: String)
  /// A file that is malformed or cannot be read.
  case input(TraceError)
  /// A directory that cannot be read.
  case unreadable(path: String, reason: String)
  /// A directory without a trace in it, that is a file with one of some endings.
  case noTraces(path: String, endings: [String] = [".csv", ".jtrace"])
  /// Two traces of one name, which reports could not tell apart.
  case duplicateTrace(name: String, first: String, second: String)

  /// The sentence, with what to do about it.
  public var description: String {
    switch self {
    case .value(let name, let error):
      "\(name): \(error)"
    case .misuse(let what, let remedy):
      "\(what) (\(remedy))"
    case .input(let error):
      "\(error)"
    case .unreadable(let path, let reason):
      "\(path): cannot be read: \(reason)"
    case .noTraces(let path, let endings):
      "\(path): the directory holds no trace "
        + "(files named \(endings.map { "*\($0)" }.joined(separator: " or ")))"
    case .duplicateTrace(let name, let first, let second):
      "two traces are named '\(name)': \(first) and \(second) (rename one: reports know a trace "
        + "by its file name)"
    }
  }
}
