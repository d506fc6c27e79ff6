package import JettisonCore
package import JettisonTraces

/// Why an experiment cannot be set up.
///
/// Payloads hold facts; ``description`` is the sentence.
package enum ExperimentError: Error, CustomStringConvertible {
  /// An option whose value cannot be used.
  case option(String, ConfigurationError)
  /// Options that cannot stand together, or something that is asked of the wrong kind of input.
  case misuse(what: String, remedy: String)
  /// A file that is malformed or cannot be read.
  case input(TraceError)
  /// A directory that cannot be read.
  case unreadable(path: String, reason: String)
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
    case .input(let error):
      "\(error)"
    case .unreadable(let path, let reason):
      "\(path): cannot be read: \(reason)"
    case .noTraces(let path):
      "\(path): the directory holds no trace (files named *.csv or *.jtrace)"
    case .duplicateTrace(let name, let first, let second):
      "two traces are named '\(name)': \(first) and \(second) (rename one: reports know a trace "
        + "by its file name)"
    }
  }
}
