internal import JettisonCore

/// The decisions of a run in brief, and the ends by the system that nothing decided: of all apps,
/// or of one.
final class EndList: Recorder {
  /// What was lost: work in nanoseconds, bytes, and whether a position was among it.
  struct Amount: Sendable, Equatable {
    fileprivate(set) var workNanoseconds: Int64 = 0
    fileprivate(set) var bytes: Int64 = 0
    fileprivate(set) var hasPosition = false

    fileprivate mutating func add(_ loss: EventRecord) {
      workNanoseconds += loss.workNanoseconds ?? 0
      bytes += loss.bytes ?? 0
      if loss.message == .position { hasPosition = true }
    }
  }

  /// A decision, or an end without one, with what it cost.
  struct Entry: Sendable {
    /// Number of the decision, from 1; nil: nothing was decided.
    let decision: Int?
    /// When, in nanoseconds since the start of the trace.
    let timeNanoseconds: Int64
    /// The rule that opened the decision, or what ended the app.
    let rule: String
    /// Whom it ended, in order.
    let ended: [AppIndex]
    /// What was lost.
    fileprivate(set) var lost = Amount()
    /// What of it the user noticed.
    fileprivate(set) var noticed = Amount()

    fileprivate mutating func add(_ loss: EventRecord) {
      lost.add(loss)
      if loss.noticed == .yes { noticed.add(loss) }
    }
  }

  let wantsEvents = true
  let wantsDecisions = true
  let wantsFootprints = false

  /// In the order in which things happened; those that ended the app, if it is about one.
  private(set) var entries: [Entry] = []
  /// Decisions in which the app could have gone and stayed.
  private(set) var stayCount = 0
  /// All apps that the system ended.
  private(set) var endedApps: Set<AppIndex> = []

  private let app: AppIndex?
  /// Losses of the decision in the making: they are told before it.
  private var losses: [EventRecord] = []

  /// Listens for what concerns an app; nil: for everything.
  init(of app: AppIndex? = nil) {
    self.app = app
  }

  func record(_ event: EventRecord) {
    switch event.kind {
    case .loss: if event.lossClass != .restoreLost { take(event) }
    case .purge, .kill, .watchdog, .taskExpired: if event.decision == nil { end(event) }
    case .ended: if event.cause == .noMultitasking { end(event) }
    case .state, .message, .launch, .save, .warning, .response, .restore, .wait: break
    }
  }

  private func take(_ loss: EventRecord) {
    guard app == nil || loss.app == app else { return }
    // What an end lost may be told after the next end, when the app runs again.
    if loss.decision == nil, let last = entries.lastIndex(where: { $0.ended.contains(loss.app) }) {
      entries[last].add(loss)
    } else {
      losses.append(loss)
    }
  }

  /// An end that nothing decided; what it lost comes after it.
  private func end(_ event: EventRecord) {
    endedApps.insert(event.app)
    guard app == nil || event.app == app else { return }
    entries.append(
      Entry(
        decision: nil, timeNanoseconds: event.timeNanoseconds,
        rule: event.cause == .none ? event.kind.name : event.cause.name, ended: [event.app]))
  }

  func record(_ decision: DecisionRecord) {
    let ended = decision.candidates.filter(\.isChosen).map(\.app)
    endedApps.formUnion(ended)
    defer { losses = [] }
    guard let app, !ended.contains(app) else {
      var entry = Entry(
        decision: decision.number, timeNanoseconds: decision.timeNanoseconds,
        rule: decision.trigger.name, ended: ended)
      for loss in losses { entry.add(loss) }
      entries.append(entry)
      return
    }
    if decision.candidates.contains(where: { $0.app == app }) { stayCount += 1 }
  }

  func record(_ footprint: FootprintRecord) {}
}
