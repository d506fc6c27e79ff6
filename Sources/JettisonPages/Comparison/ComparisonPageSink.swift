public import JettisonCore
public import JettisonReports

/// Writes the page of a comparison: which policy, how sure, and at what price.
///
/// ```swift
/// let page = try ComparisonPageSink(path: "page.html", policies: policies)
/// _ = try await experiment.run(into: [page])
/// ```
///
/// The file is created at once and gets its name in ``publish()``: an error before leaves what was
/// there untouched.
public final class ComparisonPageSink: ReportSink {
  private let file: PageFile
  private let baseline: String
  private let view: ComparisonView
  private let gates: [MetricGate]

  /// Makes the file under a hidden name.
  ///
  /// - Parameters:
  ///   - path: Where the page belongs.
  ///   - policies: The policies that are compared.
  ///   - baseline: The name of the policy that others are compared with; nil: the first.
  ///   - gates: The conditions on metrics, whose runs the page shows.
  ///   - command: What the page says to repeat it with, as a shell takes it; empty: nothing.
  /// - Throws: `ReportError` if it cannot be made.
  public convenience init(
    path: String, policies: [PolicySpec], baseline: String? = nil, gates: [MetricGate] = [],
    command: String = ""
  ) throws(ReportError) {
    var view = ComparisonView()
    view.explain(policies)
    try self.init(
      path: path, command: command, baseline: baseline ?? policies.first?.name ?? "", view: view,
      gates: gates)
  }

  /// Makes the file under a hidden name, for a view of one's own.
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
  ///
  /// - Throws: `ReportError` if it cannot be written.
  public func finish(
    runs: [RunRecord], comparisons: [Comparison]
  ) throws(ReportError) {
    let page = ComparisonPage(
      runs: runs, comparisons: comparisons, baseline: baseline, view: view, gates: gates)
    try file.write(page.page(command: file.command))
  }

  /// Gives the file its name.
  ///
  /// - Throws: `ReportError` if it cannot have it.
  public func publish() throws(ReportError) {
    try file.publish()
  }
}
