internal import JettisonSupport

/// What is written in full before any of it appears, such as files under hidden names.
public protocol Publishable: AnyObject {
  /// Lets it appear; called once, when everything else has been written, too.
  ///
  /// Signals that end the process wait so long: whatever takes time belongs before.
  ///
  /// - Throws: Any error of its own; what Jettison writes throws ``ReportError``.
  func publish() throws
}

extension Publishable {
  /// What leaves no file has nothing to let appear.
  public func publish() {}
}

/// Lets several outputs appear as one.
package enum Publishing {
  /// Lets all appear: a signal comes before the first of them or after the last.
  package static func together(_ outputs: [any Publishable]) throws {
    try AtomicFile.together {
      for output in outputs { try output.publish() }
    }
  }
}
