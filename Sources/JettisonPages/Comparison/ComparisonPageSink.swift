package import JettisonCore
package import JettisonReports

/// Writes the page of a comparison.
///
/// The file is created at once and gets its name in ``publish()``: an error before leaves what was
/// there untouched.
package final class ComparisonPageSink: ReportSink {
  private let file: PageFile
  private let baseline: String
  private let view: ComparisonView
  private let gates: [MetricGate]

  /// Makes the file under a hidden name.
  ///
  /// - Parameters:
  ///   - path: Where the page belongs.
  ///   - command: What was asked for, as a shell takes it.
  ///   - baseline: The policy that others are compared with.
  ///   - view: Which policies are oracles.
  ///   - gates: The conditions of `--fail-if`.
  /// - Throws: `ReportError` if it cannot be made.
  package init(
    path: String, command: String, baseline: String, view: ComparisonView,
    gates: [MetricGate]
  ) throws(ReportError) {
    self.baseline = baseline
    self.view = view
    self.gates = gates
    file = try PageFile(path: path, command: command)
  }

  /// Writes the page and closes the file.
  package func finish(
    runs: [RunRecord], comparisons: [Comparison]
  ) throws(ReportError) {
    let page = ComparisonPage(
      runs: runs, comparisons: comparisons, baseline: baseline, view: view, gates: gates)
    try file.write(page.page(command: file.command))
  }

  /// Gives the file its name.
  package func publish() throws(ReportError) {
    try file.publish()
  }
}
