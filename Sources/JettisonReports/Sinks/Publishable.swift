internal import JettisonSupport

/// What is written in full before any of it appears, such as files under hidden names.
///
/// It serves one run: make a new one for each. What Jettison writes refuses a second with
/// ``ReportError``, before any work.
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

/// What writes files, once.
package protocol FileOutput: Publishable {
  /// Those that are made with it.
  var outputFiles: [OutputFile] { get }
}

/// Lets several outputs appear as one.
package enum Publishing {
  /// Refuses outputs that have served a run already or stand twice in the list, and two that write
  /// to one file.
  ///
  /// To be called once, before the first run.
  package static func begin(_ outputs: [any Publishable]) throws(ReportError) {
    var seen: Set<ObjectIdentifier> = []
    var places: Set<FileSystem.Place> = []
    let files = outputs.map { ($0 as? any FileOutput)?.outputFiles ?? [] }
    for (output, files) in zip(outputs, files) {
      guard seen.insert(ObjectIdentifier(output)).inserted else {
        throw .usedTwice(path: files.first?.path)
      }
      for file in files {
        guard !file.hasBegun else { throw .usedTwice(path: file.path) }
        guard let place = file.place, !places.insert(place).inserted else { continue }
        throw .placeTaken(path: file.path)
      }
    }
    for file in files.joined() { file.hasBegun = true }
  }

  /// Lets all appear: a signal comes before the first of them or after the last.
  package static func together(_ outputs: [any Publishable]) throws {
    try AtomicFile.together {
      for output in outputs { try output.publish() }
    }
  }
}
