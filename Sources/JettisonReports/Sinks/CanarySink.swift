/// Takes what runs in which memory is taken away yield, and makes something of it.
public protocol CanarySink: Publishable {
  /// Takes the results, once.
  ///
  /// - Parameters:
  ///   - rows: One per run and class of apps, in the order of the runs.
  ///   - runs: The runs themselves.
  /// - Throws: Any error of the sink's own; those of Jettison throw ``ReportError``. Nothing is
  ///   published then.
  func finish(_ rows: [CanaryRow], runs: [RunRecord]) throws
}
