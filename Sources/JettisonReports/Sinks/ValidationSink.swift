/// Takes what a validation yields and makes something of it.
public protocol ValidationSink: Publishable {
  /// Takes the validated runs, once.
  ///
  /// - Parameter runs: Those that did not fail, in the order of the experiment.
  func finish(_ runs: [ValidatedRun]) throws
}
