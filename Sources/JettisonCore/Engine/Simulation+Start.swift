extension Simulation {
  /// `present`: an app that ran before the capture began; no rows, nothing happened yet.
  mutating func present(_ event: TraceEvent) {
    let app = event.app
    let detail = details[Int(event.detail)]
    let since = now - detail.sinceNanoseconds
    beginResident(app, since: since, wasShown: detail.wasShown)
    produceUnsaved(app, detail, at: since)
    if event.flags.contains(.hasValue) { apps[app].sampleBytes = event.value }
    // Only apps are ever suspended.
    let isApp = apps.profiles[app.position].processKind == .app
    let state = detail.presentState == .suspended && !isApp ? .background : detail.presentState
    switch state {
    case .front:
      front = app
      apps[app].state = .active
      apps[app].activeSince = now
      beginEpisode(app)
    case .background:
      apps[app].state = .background
      apps[app].budgetFrom = now
    case .suspended:
      apps[app].state = .suspended
      apps[app].suspendedAt = since
      stopAutosaveClock(app)
    }
    wakeAutosave(app)
    model.appeared(app, &self)
    startMemory(app)
    model.settledIn(app, since: since, &self)
    if state == .front { startGrowth(app) }
    if state == .background { suspendWhenIdle(app) }
    needsSettling = true
  }

  private mutating func beginResident(_ app: AppIndex, since: Int64, wasShown: Bool) {
    apps[app].processEpoch = max(1, apps[app].processEpoch &+ 1)
    apps[app].processStart = since
    apps[app].wasShown = wasShown
    apps[app].lastLeftFront = wasShown ? since : .min
    addResident(app)
    startAutosaveClock(app)
  }

  private mutating func produceUnsaved(
    _ app: AppIndex, _ detail: EventDetail, at time: Int64
  ) {
    guard detail.unsavedBytes > 0 || detail.unsavedWorkNanoseconds > 0 else { return }
    apps[app].ledger.producedBytes.addSaturated(detail.unsavedBytes)
    apps[app].ledger.producedWorkNanoseconds.addSaturated(detail.unsavedWorkNanoseconds)
    apps[app].newestEditTime = max(0, time)
  }
}
