/// Who hears of pressure under jetsam, one process at a time.
///
/// A walk through those who have not heard lasts as long as its timer is set: to the next of them,
/// or over the time that a fall must have lasted.
extension Simulation {
  /// The level changed: a rise is told at once, a fall after a while.
  mutating func changeJetsamLevel(from before: PressureLevel) {
    if before == .normal, jetsam.sustained.isOn {
      timers.set(
        .sustainedPressure, timers.device, at: now + jetsam.sustained.afterNanoseconds)
    }
    if level == .normal {
      timers.cancel(.sustainedPressure, timers.device)
      timers.cancel(.pressureRest, timers.device)
      jetsam.sustained.stop()
    }
    let isWalking = timers.isSet(.warningDelivery, timers.device)
    guard
      let walk = jetsam.delivery.changeLevel(
        from: before, to: level, isWalking: isWalking, at: now)
    else { return }
    if walk.tellsAgain { clearHeard(level) }
    timers.set(.warningDelivery, timers.device, at: walk.start)
  }

  /// Memory has changed while the level holds: late processes may hear, or all of them again.
  mutating func remindUnderJetsam(isTaken: Bool) {
    let isWalking = timers.isSet(.warningDelivery, timers.device)
    if jetsam.delivery.renews(at: now) {
      guard !isWalking else { return }
      clearHeard(level)
      timers.set(.warningDelivery, timers.device, at: now)
    } else if isTaken, jetsam.delivery.tellsLatecomers, !isWalking, nextJetsamHearer() != nil {
      timers.set(.warningDelivery, timers.device, at: now)
    }
  }

  /// Tells the next process, or rests once everyone has heard.
  mutating func deliverJetsamWarning() {
    guard level != .normal else {
      // Processes that heard of the pressure hear that it is over, and are warned anew next time.
      clearHeard(.warning)
      clearHeard(.critical)
      return
    }
    guard let app = nextJetsamHearer() else {
      jetsam.delivery.rest(level, at: now)
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
    timers.set(.warningDelivery, timers.device, at: now + spacing)
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
      let band = apps.ranks.standings[app.position].band
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
