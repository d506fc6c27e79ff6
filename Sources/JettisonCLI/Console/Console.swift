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

  /// Says something beside the results; a closed standard error is no failure.
  static func say(_ text: String) {
    let output = OutputFile(descriptor: STDERR_FILENO, name: "standard error")
    let message = "jettison: \(PrintableText.message(OptionNames.worded(text)))\n"
    try? output.write(lines(message, for: STDERR_FILENO))
    try? output.flush()
  }

  /// Tells what is made up in lines already, each without characters that move the cursor.
  static func sayAsIs(_ text: String) {
    let output = OutputFile(descriptor: STDERR_FILENO, name: "standard error")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines { try? output.write(PrintableText.clean(String(line)) + "\n") }
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
}
