package import JettisonReports

/// A page while it is written: a file that appears under its name only when it is whole.
package final class PageFile {
  private let file: OutputFile

  /// Creates the file under a hidden name.
  ///
  /// - Parameter path: Where the page belongs.
  /// - Throws: `ReportError` if it cannot be made.
  package init(path: String) throws(ReportError) {
    file = try OutputFile(path: path)
  }

  /// Writes the page and closes the file, still under its hidden name.
  package func write(_ page: Page) throws(ReportError) {
    try file.write(PageTemplate.text(of: page))
    try file.complete()
  }

  /// Gives the file its name.
  package func publish() throws(ReportError) {
    try file.publish()
  }
}
