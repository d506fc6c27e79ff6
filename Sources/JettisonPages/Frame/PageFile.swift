package import JettisonReports

/// A page while it is written: a file that appears under its name only when it is whole.
///
/// The file is created at once and gets its name in ``publish()``: an error before leaves what was
/// there untouched.
package final class PageFile: Publishable {
  /// What was asked for, as a shell takes it.
  let command: String
  let file: OutputFile

  /// Creates the file under a hidden name.
  ///
  /// - Parameters:
  ///   - path: Where the page belongs.
  ///   - command: What was asked for, as a shell takes it; empty: no command was.
  /// - Throws: `ReportError` if it cannot be made.
  package init(path: String, command: String) throws(ReportError) {
    self.command = command
    file = try OutputFile(path: path)
  }

  /// Writes the page and closes the file, still under its hidden name.
  package func write(_ page: Page) throws(ReportError) {
    try file.write(PageTemplate.bytes(of: page))
    try file.complete()
  }

  /// Gives the file its name.
  package func publish() throws(ReportError) {
    try file.publish()
  }
}
