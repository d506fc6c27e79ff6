internal import ArgumentParser
internal import Foundation
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

/// Where the program talks: results on standard output, everything else on standard error.
enum Console {
  /// Where results go.
  static func standardOutput() -> OutputFile {
    OutputFile(descriptor: STDOUT_FILENO, name: "standard output")
  }

  /// Writes a whole result to standard output.
  static func print(_ text: String) throws(ReportError) {
    let output = standardOutput()
    try output.write(text.hasSuffix("\n") ? text : text + "\n")
    try output.flush()
  }

  /// Tells something beside the results; that nobody listens is no failure.
  static func say(_ text: String) {
    let output = OutputFile(descriptor: STDERR_FILENO, name: "standard error")
    let message = "jettison: \(PrintableText.message(text))\n"
    try? output.write(lines(message, for: STDERR_FILENO))
    try? output.flush()
  }

  /// Lines that programs read one by one, each ended: broken only in a terminal, where people read
  /// them.
  static func lines(_ text: String, for descriptor: Int32 = STDOUT_FILENO) -> String {
    guard isTerminal(descriptor) else { return text }
    let width = width(of: descriptor)
    return text.split(separator: "\n").map { line in
      // What fits stays as it is, with the blanks that set a mark below its place.
      guard TextStyle.displayWidth(line) > width else { return line + "\n" }
      let indent = line.prefix { $0 == " " }.count
      return Prose.wrap(String(line), width: width, indent: indent).map { $0 + "\n" }.joined()
    }.joined()
  }

  /// How text on standard output looks: coloured on a terminal that wants it, plain elsewhere.
  static var style: TextStyle {
    let environment = ProcessInfo.processInfo.environment
    let wantsColor =
      environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    return TextStyle(width: width, isColoured: wantsColor && isTerminal(STDOUT_FILENO))
  }

  /// Columns of standard output.
  static var width: Int { width(of: STDOUT_FILENO) }

  private static func width(of descriptor: Int32) -> Int {
    TextStyle.width(
      descriptor: descriptor, columns: ProcessInfo.processInfo.environment["COLUMNS"])
  }

  private static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Ends the program because of an error: one sentence and a status.
  static func end(with error: any Error) -> Never {
    switch error {
    case ReportError.closedPipe: exit(ExitStatus.done.rawValue)
    case let error as TraceError where error.kind == .closedPipe: exit(ExitStatus.done.rawValue)
    case let error as CommandFailure:
      if let message = error.message { say(message) }
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
      do { try print(message) } catch { end(with: error) }
      exit(code.rawValue)
    }
    let output = OutputFile(descriptor: STDERR_FILENO, name: "standard error")
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines { try? output.write(PrintableText.clean(String(line)) + "\n") }
    try? output.flush()
    exit(code.rawValue)
  }

  private static func end(_ sentence: String, _ status: Int32) -> Never {
    say(sentence)
    exit(status)
  }
}

extension ExperimentError {
  /// How the program ends because of it.
  var status: Int32 {
    switch self {
    case .value, .misuse, .duplicateTrace: ExitStatus.misuse.rawValue
    case .unreadable, .noTraces: ExitStatus.missing.rawValue
    case .input(let error): error.exitStatus
    }
  }
}
