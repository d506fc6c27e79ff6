/// Takes what runs in which memory is taken away yield, and makes something of it.
public protocol CanarySink: Publishable {
  /// Takes the results, once.
  ///
  /// - Parameters:
  ///   - rows: One per run and class of apps, in the order of the runs.
  ///   - runs: The runs themselves.
  func finish(_ rows: [CanaryRow], runs: [RunRecord]) throws
}
