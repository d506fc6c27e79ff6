/// Who hears of pressure under jetsam, one process at a time.
extension Simulation {
  /// The level changed: a rise is told at once, a fall after a while.
  mutating func changeJetsamLevel(from before: PressureLevel) {
    if before == .normal, jetsam.sustained.isOn {
      timers.set(
        .sustainedPressure, timers.device, at: now + jetsam.sustained.afterNanoseconds, in: &queue)
    }
    if level == .normal {
      timers.cancel(.sustainedPressure, timers.device)
      timers.cancel(.pressureRest, timers.device)
      jetsam.sustained.stop()
    }
    let due = jetsam.delivery.changeLevel(from: before, to: level, at: now)
    timers.cancel(.warningRepeat, timers.device)
    timers.set(.warningDelivery, timers.device, at: due, in: &queue)
  }

  /// Tells the next process, or rests once everyone has heard.
  mutating func deliverJetsamWarning() {
    guard level != .normal else {
      // Whoever heard of the pressure hears that it is over, and is told anew the next time.
      clearHeard(.warning)
      clearHeard(.critical)
      return
    }
    guard let app = nextJetsamHearer() else {
      let end = jetsam.delivery.rest(level, at: now)
      timers.set(.warningRepeat, timers.device, at: max(now, end), in: &queue)
      return
    }
    if level == .critical {
      jetsam.apps[app.position].heardCritical = true
    } else {
      jetsam.apps[app.position].heardWarning = true
    }
    warn(app, level == .critical ? .critical : .warning)
    let spacing = jetsam.delivery.spacing(
      availablePages: jetsamAvailablePages(), thresholds: jetsam.loop.thresholds)
    timers.set(.warningDelivery, timers.device, at: now + spacing, in: &queue)
  }

  /// A rest is over: if the level still holds, everyone is told again.
  mutating func repeatJetsamWarnings() {
    clearHeard(level)
    deliverJetsamWarning()
  }

  private mutating func clearHeard(_ level: PressureLevel) {
    for position in 0..<residents.count {
      let app = residents[position].position
      switch level {
      case .normal: break
      case .warning: jetsam.apps[app].heardWarning = false
      case .critical: jetsam.apps[app].heardCritical = false
      }
    }
  }

  private mutating func nextJetsamHearer() -> AppIndex? {
    var next: JetsamDelivery.Hearer?
    for position in 0..<residents.count {
      let app = residents[position]
      let record = apps[app]
      let band = apps.standings[app.position].band
      let state = jetsam[app]
      guard !(level == .critical ? state.heardCritical : state.heardWarning),
        jetsam.delivery.mayHear(
          band: band, footprintBytes: record.footprintBytes,
          isSuspended: !record.state.runsCode)
      else { continue }
      let hearer = JetsamDelivery.Hearer(
        app: app, band: band, footprintBytes: record.footprintBytes)
      if let chosen = next,
        !JetsamDelivery.Hearer.precedes(hearer, chosen, isFalling: jetsam.delivery.isFalling)
      {
        continue
      }
      next = hearer
    }
    return next?.app
  }
}
