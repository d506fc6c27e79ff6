import JettisonCore
internal import JettisonSupport

/// An end for memory in a run.
struct SimulatedKill: Sendable, Equatable {
  /// When, in nanoseconds since the start of the trace.
  let timeNanoseconds: Int64
  /// Whom it ended.
  let app: AppIndex
  /// The rule behind it.
  let cause: RecordedCause
  /// Number of the decision; nil: a limit of the app's own.
  let decision: Int?
}

/// A warning in a run.
struct SimulatedWarning: Sendable, Equatable {
  /// When, in nanoseconds since the start of the trace.
  let timeNanoseconds: Int64
  /// Who was warned; ``AppIndex/none``: a whole round.
  let app: AppIndex
  /// Warning or critical.
  let level: PressureLevel
}

/// Listens to a run that decides for itself, for everything a validation compares.
///
/// Decisions are kept near observed kills only.
final class SimulatedOutcomes: Recorder {
  /// How an app ended last.
  struct End: Sendable, Equatable {
    let kind: RecordedKind
    let cause: RecordedCause
    let timeNanoseconds: Int64
    let decision: Int?

    /// Whether it ended for memory.
    var isForMemory: Bool { kind == .purge || kind == .kill }
    /// The reason in a word.
    var word: String { cause == .none ? kind.name : cause.name }
  }

  /// How things stood in the run at an `observed-exit` row.
  struct Moment: Sendable {
    let observation: ObservationRecord
    /// How the app ended last; nil: never.
    let lastEnd: End?
  }

  let wantsEvents = true
  let wantsDecisions = true
  let wantsFootprints = false
  let wantsObservations = true

  /// Ends for memory, in the order in which they happened.
  private(set) var kills: [SimulatedKill] = []
  /// The same, app by app.
  private(set) var killsOfApp: [[SimulatedKill]]
  /// Warnings to single apps, in the order in which they happened.
  private(set) var warnings: [SimulatedWarning] = []
  /// One per `observed-exit` row, in order.
  private(set) var moments: [Moment] = []
  /// Available memory at each measurement of the capture, in order.
  private(set) var measurements: [ObservationRecord] = []
  /// Decisions near observed kills, in order.
  private(set) var decisions: [DecisionRecord] = []

  private var lastEnds: [End?]
  private let observedTimes: [Int64]
  private let windowNanoseconds: Int64
  private let warmUpNanoseconds: Int64

  init(
    appCount: Int, observed: [ObservedKill], windowNanoseconds: Int64, warmUpNanoseconds: Int64
  ) {
    lastEnds = Array(repeating: nil, count: appCount)
    killsOfApp = Array(repeating: [], count: appCount)
    observedTimes = observed.map(\.timeNanoseconds)
    self.windowNanoseconds = windowNanoseconds
    self.warmUpNanoseconds = warmUpNanoseconds
  }

  func record(_ event: EventRecord) {
    switch event.kind {
    case .purge, .kill, .ended, .watchdog, .taskExpired:
      let end = End(
        kind: event.kind, cause: event.cause, timeNanoseconds: event.timeNanoseconds,
        decision: event.decision)
      lastEnds[event.app.position] = end
      if end.isForMemory, event.timeNanoseconds >= warmUpNanoseconds {
        let kill = SimulatedKill(
          timeNanoseconds: event.timeNanoseconds, app: event.app, cause: event.cause,
          decision: event.decision)
        kills.append(kill)
        killsOfApp[event.app.position].append(kill)
      }
    case .warning:
      guard event.cause == .warning || event.cause == .critical,
        event.timeNanoseconds >= warmUpNanoseconds
      else { return }
      warnings.append(
        SimulatedWarning(
          timeNanoseconds: event.timeNanoseconds, app: event.app,
          level: event.cause == .warning ? .warning : .critical))
    default: return
    }
  }

  func record(_ decision: DecisionRecord) {
    if isNearObserved(decision.timeNanoseconds) { decisions.append(decision) }
  }

  func record(_ footprint: FootprintRecord) {}

  func record(_ observation: ObservationRecord) {
    switch observation.kind {
    case .exit:
      moments.append(
        Moment(observation: observation, lastEnd: lastEnds[observation.app.position]))
    case .available:
      if observation.timeNanoseconds >= warmUpNanoseconds { measurements.append(observation) }
    case .warning: return
    }
  }

  /// Whether an observed kill is about the same time.
  private func isNearObserved(_ time: Int64) -> Bool {
    let next = observedTimes.partitioningIndex { $0 >= time }
    return (next < observedTimes.count && observedTimes[next] - time <= windowNanoseconds)
      || (next > 0 && time - observedTimes[next - 1] <= windowNanoseconds)
  }
}

/// Listens to a run that follows the capture, for the place that the policy gives each victim.
final class FollowedRanks: Recorder {
  /// A place among those who might have gone.
  struct Place: Sendable, Equatable {
    /// From 1.
    let rank: Int
    let candidateCount: Int
  }

  let wantsEvents = false
  let wantsDecisions = true
  let wantsFootprints = false
  let wantsObservations = true

  /// One per `observed-exit` row, in order; nil: not ranked.
  private(set) var places: [Place?] = []

  private let isKill: [Bool]
  /// Rows whose decision has not come yet.
  private var pending: [(ordinal: Int, app: AppIndex)] = []

  /// Knows which of the rows are put to the policy.
  init(exitCount: Int, kills: [ObservedKill]) {
    var isKill = [Bool](repeating: false, count: exitCount)
    for kill in kills { isKill[kill.ordinal] = true }
    self.isKill = isKill
  }

  func record(_ event: EventRecord) {}
  func record(_ footprint: FootprintRecord) {}

  func record(_ observation: ObservationRecord) {
    guard observation.kind == .exit else { return }
    let ordinal = places.count
    places.append(nil)
    guard ordinal < isKill.count, isKill[ordinal], observation.state != .notRunning else { return }
    pending.append((ordinal, observation.app))
  }

  func record(_ decision: DecisionRecord) {
    let chosen = decision.candidates.first(where: \.isChosen)?.app
    // A row whose app ended otherwise at the same instant has no decision.
    guard let position = pending.firstIndex(where: { chosen == nil || $0.app == chosen }) else {
      return
    }
    let (ordinal, app) = pending[position]
    pending.removeFirst(position + 1)
    // A pinned app is no candidate, and has no place.
    if let rank = decision.candidates.firstIndex(where: { $0.app == app }) {
      places[ordinal] = Place(rank: rank + 1, candidateCount: decision.candidates.count)
    }
  }
}
