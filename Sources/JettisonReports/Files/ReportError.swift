internal import JettisonSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A report that could not be written.
public enum ReportError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The directory of the reports cannot be made or is none.
  case directoryNotCreatable(path: String, code: Int32)
  /// A file cannot be made where it belongs.
  case fileNotCreatable(path: String, code: Int32)
  /// Writing stopped part-way.
  case writeFailed(path: String, code: Int32)
  /// A result has more or fewer apps than the record of its run names: a record that a program made by
  /// hand.
  case appsDiffer(policy: String, named: Int, counted: Int)
  /// A file that a report is to begin with cannot be read.
  case unreadable(path: String)
  /// Such a file cannot serve, or not with what is replayed.
  case unusable(path: String, what: String, remedy: String)
  /// More runs than one file can hold.
  case tooManyRuns(path: String, most: Int)
  /// More processes in a run than one file can tell apart.
  case tooManyProcesses(path: String)
  /// A sink that has served a run already, or stands twice in its list; nil: it writes no file.
  case usedTwice(path: String?)
  /// Two sinks of a run write to one file.
  case placeTaken(path: String)
  /// The program that read the output stopped reading: a reason to stop quietly, not to complain.
  case closedPipe(path: String)

  /// Status with which a command ends: 64 asked for too much, 65 and 66 for a file that cannot serve
  /// or be read, 73 not creatable, 74 writing failed, 1 for a record of a run that contradicts itself.
  public var exitStatus: Int32 {
    switch self {
    case .tooManyRuns, .tooManyProcesses, .usedTwice, .placeTaken: 64
    case .unusable: 65
    case .unreadable: 66
    case .directoryNotCreatable, .fileNotCreatable: 73
    case .writeFailed, .closedPipe: 74
    case .appsDiffer: 1
    }
  }

  /// The sentence, with what to do about it.
  public var description: String {
    switch self {
    case .directoryNotCreatable(let path, let code):
      "\(Self.shown(path)): cannot be made a directory: "
        + Self.reason(code, remedy: "name a directory you may write to")
    case .fileNotCreatable(let path, let code):
      "\(Self.shown(path)): cannot be created: "
        + Self.reason(code, remedy: "name a place you may write to")
    case .writeFailed(let path, let code):
      "\(path): writing failed: "
        + Self.reason(code, remedy: "make room there, or write elsewhere")
    case .appsDiffer(let policy, let named, let counted):
      "a run under '\(policy)' names \(named) apps, and its result has \(counted) (name those of "
        + "the trace, in its order)"
    case .unreadable(let path):
      "\(Self.shown(path)): cannot be read (name a file that you may read)"
    case .unusable(let path, let what, let remedy):
      "\(path): \(what) (\(remedy))"
    case .tooManyRuns(let path, let most):
      "\(path): one file holds at most \(most) runs (replay fewer at a time)"
    case .tooManyProcesses(let path):
      "\(path): a run starts more processes than one file can tell apart (replay a part of it)"
    case .usedTwice(let path):
      (path.map { "\($0): " } ?? "")
        + "a sink takes the results of one run, once (make a new sink for each run)"
    case .placeTaken(let path):
      "\(path): another sink writes there, too (name another place)"
    case .closedPipe(let path):
      "\(path): the program that read the output stopped reading"
    }
  }

  /// A path, so that one sees where it is empty.
  private static func shown(_ path: String) -> String { path.isEmpty ? "''" : path }

  /// What the system says about a code of its own, its first letter small, and what to do.
  private static func reason(_ code: Int32, remedy: String) -> String {
    let failure = SystemFailure(code: code)
    let text = failure.text
    return text.prefix(1).lowercased() + text.dropFirst()
      + " (\(failure.remedy(or: remedy)))"
  }
}
