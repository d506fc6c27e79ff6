package import JettisonCore
package import JettisonTraces

/// Why an experiment cannot be set up.
///
/// Payloads hold facts; ``description`` is the sentence.
package enum ExperimentError: Error, CustomStringConvertible {
  /// What is wrong inside a device or experiment file.
  package enum FileProblem: Sendable, Equatable {
    case syntax(String)
    case notUTF8
    case tooLarge(limitBytes: Int)
    case alias
    case notMapping(what: String)
    case notScalar(key: String)
    case duplicateKey(String)
    case missingKey(String)
    case setting(ConfigurationError)
  }

  /// An option whose value cannot be used.
  case option(String, ConfigurationError)
  /// Options that cannot stand together, or something that is asked of the wrong kind of input.
  case misuse(what: String, remedy: String)
  /// A malformed device or experiment file.
  case file(path: String, line: Int?, FileProblem)
  /// A trace or catalog that cannot be read.
  case input(TraceError)
  /// A file that is not there or cannot be read.
  case unreadable(path: String, reason: String)
  /// A directory where a file is needed.
  case directory(path: String, needed: String)
  /// A directory without a trace in it.
  case noTraces(path: String)
  /// Two traces of one name, which reports could not tell apart.
  case duplicateTrace(name: String, first: String, second: String)

  package var description: String {
    switch self {
    case .option(let option, let error):
      "\(option): \(error)"
    case .misuse(let what, let remedy):
      "\(what) (\(remedy))"
    case .file(let path, let line, let problem):
      "\(path)\(line.map { ":\($0)" } ?? ""): \(problem.sentence)"
    case .input(let error):
      "\(error)"
    case .unreadable(let path, let reason):
      "\(path): cannot be read: \(reason)"
    case .directory(let path, let needed):
      "\(path): is a directory (name \(needed))"
    case .noTraces(let path):
      "\(path): the directory holds no trace (files named *.csv or *.jtrace)"
    case .duplicateTrace(let name, let first, let second):
      "two traces are named '\(name)': \(first) and \(second) (rename one: reports know a trace "
        + "by its file name)"
    }
  }
}

extension ExperimentError.FileProblem {
  /// The sentence that follows the place.
  var sentence: String {
    switch self {
    case .syntax(let reason): "is not YAML: \(reason)"
    case .notUTF8: "is not UTF-8 text (save it as UTF-8)"
    case .tooLarge(let limit): "is larger than \(limit) bytes (is it the right file?)"
    case .alias: "anchors and aliases are not read (write the value out)"
    case .notMapping(let what): "\(what) must be a mapping (write 'key: value' lines)"
    case .notScalar(let key): "key '\(key)': one value is needed here, not a list or a mapping"
    case .duplicateKey(let key): "key '\(key)' is given twice (remove one)"
    case .missingKey(let key): "key '\(key)' is missing (add it)"
    case .setting(let error): "\(error)"
    }
  }
}
