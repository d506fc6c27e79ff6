/// Takes what a comparison of saving habits yields and makes something of it.
public protocol SavingsSink: Publishable {
  /// Takes the results, once.
  ///
  /// - Parameter rows: One per app, device, memory size and habit; the app that can lose most first.
  /// - Throws: Any error of the sink's own; those of Jettison throw ``ReportError``. Nothing is
  ///   published then.
  func finish(_ rows: [SavingsRow]) throws
}
