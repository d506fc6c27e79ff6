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
  /// As many as the page tells.
  public var listedLosses: Int { LossStories.most }
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
    try self.init(
      path: path, policies: policies, baseline: baseline, gates: gates, command: command,
      view: ComparisonView())
  }

  /// Makes the file under a hidden name.
  ///
  /// - Parameter view: What of the comparison is shown; what policies say of themselves is added.
  package init(
    path: String, policies: [PolicySpec], baseline: String?, gates: [MetricGate], command: String,
    view: ComparisonView
  ) throws(ReportError) {
    var view = view
    view.explain(policies)
    self.baseline = baseline ?? policies.first?.name ?? ""
    self.view = view
    self.gates = gates
    file = try PageFile(path: path, command: command)
  }

  /// Writes the page and closes the file.
  ///
  /// - Throws: `ReportError` if it cannot be written, and if a run's record names other apps than its
  ///   result has.
  public func finish(
    runs: [RunRecord], comparisons: [Comparison]
  ) throws(ReportError) {
    for run in runs { try run.checkApps() }
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
