public import JettisonCore

/// Writes conditions on metrics, and whether runs meet them, as JUnit XML for build servers.
///
/// The file is created at once and gets its name in ``publish()``: an error before leaves what was
/// there untouched.
public final class JUnitReportSink: ReportSink, FileOutput {
  private let gates: [MetricGate]
  private let file: OutputFile
  package var outputFiles: [OutputFile] { [file] }

  /// Makes the file under a temporary name.
  ///
  /// - Parameters:
  ///   - path: Where the file belongs.
  ///   - gates: The conditions; each becomes a test case, which fails if a run meets it.
  /// - Throws: ``ReportError`` if it cannot be made.
  public init(path: String, gates: [MetricGate]) throws(ReportError) {
    self.gates = gates
    file = try OutputFile(path: path)
  }

  /// Writes the file and closes it.
  ///
  /// - Throws: ``ReportError`` if it cannot be written.
  public func finish(runs: [RunRecord], comparisons: [Comparison]) throws(ReportError) {
    try file.write(JUnitReport(gates, runs: runs).text)
    try file.complete()
  }

  /// Gives the file its name.
  ///
  /// - Throws: ``ReportError`` if it cannot have it.
  public func publish() throws(ReportError) {
    try file.publish()
  }
}
