/// Takes what a comparison of saving habits yields and makes something of it.
public protocol SavingsSink: Publishable {
  /// How many of the app's worst losses a run should list; 0, unless it says otherwise.
  var listedLosses: Int { get }

  /// Takes the results, once.
  ///
  /// - Parameter rows: One per app, device, memory size and habit; the app that can lose most first.
  /// - Throws: Any error of the sink's own; those of Jettison throw ``ReportError``. Nothing is
  ///   published then.
  func finish(_ rows: [SavingsRow]) throws
}

extension SavingsSink {
  /// Most sinks add losses up.
  public var listedLosses: Int { 0 }
}
