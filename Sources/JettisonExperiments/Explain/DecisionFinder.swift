internal import JettisonCore

/// Listens to a run for one decision, and keeps only that.
final class DecisionFinder: Recorder {
  /// Which decision is wanted.
  enum Wanted: Sendable, Equatable {
    /// The one of the n-th purge of the run, from 1.
    case purge(Int)
    /// The n-th of the run, from 1.
    case number(Int)
    /// The one at a time in nanoseconds; else the next one, else the last one before.
    case time(Int64)
  }

  /// A decision with what followed from it.
  struct Found: Sendable {
    /// The decision.
    let decision: DecisionRecord
    /// Rows of `events.csv` that name it.
    var events: [EventRecord]
    /// When apps that it ended were in front again, in nanoseconds.
    fileprivate(set) var returns: [AppIndex: Int64] = [:]

    fileprivate mutating func noteReturn(_ event: EventRecord) {
      guard event.isReturn, returns[event.app] == nil,
        decision.candidates.contains(where: { $0.isChosen && $0.app == event.app })
      else { return }
      returns[event.app] = event.timeNanoseconds
    }
  }

  let wantsEvents = true
  let wantsDecisions = true
  let wantsFootprints = false

  /// The decision, once the run is over.
  private(set) var found: Found?
  /// How many purges there were in the run, as reports count them.
  private(set) var purgeCount = 0
  /// How many decisions there were.
  private(set) var decisionCount = 0

  private let wanted: Wanted
  /// Rows of the decision in the making: they come before it or after it.
  private var events: [EventRecord] = []

  /// Waits for a decision.
  init(_ wanted: Wanted) {
    self.wanted = wanted
  }

  func record(_ event: EventRecord) {
    found?.noteReturn(event)
    guard let number = event.decision else { return }
    if number == found?.decision.number { found?.events.append(event) }
    if number != events.first?.decision { events = [] }
    events.append(event)
  }

  func record(_ decision: DecisionRecord) {
    decisionCount += 1
    let own = events.filter { $0.decision == decision.number }
    let before = purgeCount
    // Not every end is a purge: those over a limit of their own are kills, suspended or not.
    purgeCount += own.count { $0.kind == .purge }
    let isWanted =
      switch wanted {
      case .purge(let number): before < number && number <= purgeCount
      case .number(let number): decision.number == number
      case .time(let time):
        // Up to the first one at or after the time, each is the best so far.
        (found?.decision.timeNanoseconds ?? .min) < time
      }
    guard isWanted else { return }
    found = Found(decision: decision, events: own)
  }

  func record(_ footprint: FootprintRecord) {}
}

extension EventRecord {
  /// Whether an app came to the front: by a launch, or at an unlock, which is none.
  fileprivate var isReturn: Bool {
    kind == .launch && cause != .background || kind == .state && cause == .t11
  }
}
