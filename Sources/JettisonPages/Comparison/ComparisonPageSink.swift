public import JettisonCore
public import JettisonReports

/// Writes the page of a comparison: which policy, how sure, and at what price.
///
/// ```swift
/// let page = try ComparisonPageSink(path: "page.html")
/// _ = try await experiment.run(into: [page])
/// ```
///
/// The file is created at once and gets its name in ``publish()``: an error before leaves what was
/// there untouched.
public final class ComparisonPageSink: ReportSink, FileOutput {
  /// As many as the page tells.
  public var listedLosses: Int { LossStories.most }
  private let file: PageFile
  private let view: ComparisonView
  private let gates: [MetricGate]
  package var outputFiles: [OutputFile] { [file.file] }

  /// Makes the file under a hidden name.
  ///
  /// - Parameters:
  ///   - path: Where the page belongs.
  ///   - gates: The conditions on metrics, whose runs the page shows.
  ///   - command: What the page says to repeat it with, as a shell takes it; empty: nothing.
  /// - Throws: `ReportError` if it cannot be made.
  public convenience init(
    path: String, gates: [MetricGate] = [], command: String = ""
  ) throws(ReportError) {
    try self.init(path: path, gates: gates, command: command, view: ComparisonView())
  }

  /// Makes the file under a hidden name; policies and baseline are those of the results, whatever is given.
  @available(*, deprecated, renamed: "init(path:gates:command:)")
  public convenience init(
    path: String, policies: [PolicySpec], baseline: String? = nil, gates: [MetricGate] = [],
    command: String = ""
  ) throws(ReportError) {
    try self.init(path: path, gates: gates, command: command)
  }

  /// Makes the file under a hidden name.
  ///
  /// - Parameter view: What of the comparison is shown; what policies say of themselves is added.
  package init(
    path: String, gates: [MetricGate], command: String, view: ComparisonView
  ) throws(ReportError) {
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
    var view = view
    view.explain(Self.policies(of: runs))
    // One policy alone is compared with none.
    let baseline = comparisons.first?.baseline ?? runs.first?.key.policy ?? ""
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

  private static func policies(of runs: [RunRecord]) -> [PolicySpec] {
    var names: Set<String> = []
    return runs.compactMap { names.insert($0.key.policy).inserted ? $0.provenance.policy : nil }
  }
}
