package import JettisonCore
internal import JettisonSupport

/// Counts the transitions, ends, losses and issues of a run, to say what a trace gives occasion to.
package final class LifeTally: Recorder {
  package let wantsEvents = true
  package let wantsDecisions = false
  package let wantsFootprints = false
  package let wantsIssues = true

  /// What could not be applied.
  package private(set) var issues = ImportIssues()

  private let eventLines: EventLines
  /// When each kind of issue was met first; told where events have no lines.
  private var firstTimes: [IssueRecord.Kind: Int64] = [:]
  private var transitions = [Int](repeating: 0, count: 16)
  private var ends: [String: Int] = [:]
  private var losses: [String: Int] = [:]

  /// Counts a run of a trace whose events stand on these lines.
  package init(_ lines: EventLines) {
    eventLines = lines
  }

  package func record(_ event: EventRecord) {
    switch event.kind {
    case .state: if let number = Self.transition(event) { transitions[number] += 1 }
    case .purge: ends["purge", default: 0] += 1
    case .kill: ends["kill \(event.cause.name)", default: 0] += 1
    case .watchdog, .taskExpired: ends[event.kind.name, default: 0] += 1
    case .ended: ends[event.cause.name, default: 0] += 1
    case .loss:
      let name = event.lossClass?.name ?? ""
      losses[event.message == .position ? "position" : name, default: 0] += 1
    case .message, .launch, .save, .warning, .response, .restore, .wait: break
    }
  }

  package func record(_ issue: IssueRecord) {
    guard let line = eventLines.line(ofEvent: issue.eventPosition) else {
      let time = firstTimes[issue.kind, default: issue.timeNanoseconds]
      firstTimes[issue.kind] = time
      let place = HumanText.duration(nanoseconds: time)
      return issues.add(.info, "\(issue.kind.text), first at \(place)")
    }
    issues.add(.info, issue.kind.text, line: line)
  }

  package func record(_ decision: DecisionRecord) {}

  package func record(_ footprint: FootprintRecord) {}

  /// What was counted, one line each: transitions by number, ends and losses by name.
  package var lines: [String] {
    let numbers = transitions.indices.filter { transitions[$0] > 0 }
    let counted = numbers.map { "\(transitions[$0]) T\($0)" }
    return [("transitions", counted), ("ends", Self.sorted(ends)), ("losses", Self.sorted(losses))]
      .map { "\($0): \($1.isEmpty ? "none" : $1.joined(separator: ", "))" }
  }

  private static func sorted(_ counts: [String: Int]) -> [String] {
    counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
  }

  /// The number of the transition that a row is counted for; nil: it is another row of one.
  private static func transition(_ event: EventRecord) -> Int? {
    let (before, after) = (event.stateBefore, event.stateAfter)
    let isCounted =
      switch event.cause {
      case .t1: before == .notRunning
      case .t5: after == .background
      case .t11: after == .inactive
      default: true
      }
    return isCounted ? Int(event.cause.rawValue) : nil
  }
}
