internal import ArgumentParser
internal import Foundation
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonTraces

/// How the program ends because of an error: a sentence and a status.
enum Ending {
  /// Ends the program.
  static func end(with error: any Error) -> Never {
    switch error {
    case ReportError.closedPipe: exit(ExitStatus.done.rawValue)
    case let error as TraceError where error.kind == .closedPipe: exit(ExitStatus.done.rawValue)
    case let error as CommandFailure:
      if let message = error.message { Console.say(message) }
      exit(error.status.rawValue)
    case let error as TraceError: end(error.description, error.exitStatus)
    case let error as ReportError: end(error.description, error.exitStatus)
    case let error as ExperimentError: end(error.description, error.status)
    case let error as ConfigurationError: end(error.description, ExitStatus.misuse.rawValue)
    case let error as RunError: end(error.description, ExitStatus.failed.rawValue)
    default: end(withMisuse: error)
    }
  }

  /// What the argument parser says: help and the version, or an error with the arguments in it.
  private static func end(withMisuse error: any Error) -> Never {
    let code = Jettison.exitCode(for: error)
    let message = Jettison.fullMessage(for: error)
    if code.isSuccess {
      do { try Console.print(message) } catch { end(with: error) }
    } else {
      Console.sayAsIs(message)
    }
    exit(code.rawValue)
  }

  private static func end(_ sentence: String, _ status: Int32) -> Never {
    Console.say(sentence)
    exit(status)
  }
}

extension ExperimentError {
  /// How the program ends because of it.
  fileprivate var status: Int32 {
    switch self {
    case .value, .misuse, .duplicateTrace: ExitStatus.misuse.rawValue
    case .unreadable, .noTraces: ExitStatus.missing.rawValue
    case .input(let error): error.exitStatus
    }
  }
}
