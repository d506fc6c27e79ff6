/// Takes what a validation yields and makes something of it.
public protocol ValidationSink: Publishable {
  /// Takes the validated runs, once.
  ///
  /// - Parameter runs: Those that did not fail, in the order of the experiment.
  /// - Throws: Any error of the sink's own; those of Jettison throw ``ReportError``. Nothing is
  ///   published then.
  func finish(_ runs: [ValidatedRun]) throws
}
