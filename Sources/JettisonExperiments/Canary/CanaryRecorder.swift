internal import JettisonCore
internal import JettisonReports

/// Notes when the apps of each class die for the first time.
final class CanaryRecorder: Recorder {
  let wantsEvents = true
  let wantsDecisions = true
  let wantsFootprints = false

  private struct App {
    var state: AppState
    /// Its class when memory began to be taken away.
    var appClass: CanaryClass?
    var death: CanaryRow.Death?
    /// The decision behind its death.
    var decision: Int?
  }

  private let run: StartedRun
  private let squeeze: MemorySqueeze
  private let ending: TraceEnding
  private var apps: [App]
  private var hasBegun = false
  private var order: [AppIndex] = []

  /// - Parameter isMade: Whether the apps come from ``CanarySet``, so that their names give their classes.
  init(_ run: StartedRun, _ squeeze: MemorySqueeze, _ ending: TraceEnding, isMade: Bool) {
    self.run = run
    self.squeeze = squeeze
    self.ending = ending
    apps = ending.presentStates.map { App(state: $0) }
    guard isMade else { return }
    hasBegun = true
    for position in apps.indices {
      apps[position].appClass = CanarySet.appClass(of: run.apps[position])
    }
  }

  func record(_ event: EventRecord) {
    if event.timeNanoseconds >= squeeze.start { begin() }
    let app = event.app.position
    switch event.kind {
    case .state: apps[app].state = event.stateAfter ?? apps[app].state
    case .purge, .kill:
      guard hasBegun, apps[app].appClass != nil, apps[app].death == nil else { break }
      apps[app].death = CanaryRow.Death(
        app: run.apps[app], takenBytes: squeeze.taken(at: event.timeNanoseconds),
        availableBytes: nil, cause: event.cause.name)
      apps[app].decision = event.decision
      order.append(event.app)
    default: break
    }
  }

  func record(_ decision: DecisionRecord) {
    for candidate in decision.candidates where candidate.isChosen {
      let app = candidate.app.position
      guard apps[app].decision == decision.number, let death = apps[app].death else { continue }
      apps[app].death = CanaryRow.Death(
        app: death.app, takenBytes: death.takenBytes, availableBytes: decision.availableBytes,
        cause: death.cause)
    }
  }

  func record(_ footprint: FootprintRecord) {}

  /// What became of every class.
  func rows() -> [CanaryRow] {
    begin()
    return CanaryClass.allCases.map { appClass in
      let deaths = order.filter { apps[$0.position].appClass == appClass }.compactMap {
        apps[$0.position].death
      }
      return CanaryRow(
        key: run.key, model: run.configuration.pressure.rawValue, appClass: appClass,
        apps: apps.count { $0.appClass == appClass }, deaths: deaths,
        stepBytes: squeeze.stepBytes, takenBytes: squeeze.takenBytes)
    }
  }

  private func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    for position in apps.indices {
      apps[position].appClass = ending.appClass(of: AppIndex(position), in: apps[position].state)
    }
  }
}
