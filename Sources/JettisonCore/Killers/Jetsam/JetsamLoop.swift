/// What jetsam does next.
enum JetsamAction: BitwiseCopyable, Sendable, Equatable {
  /// Kills the first process over its limit, whatever its band.
  case highwater
  /// Kills one of band 0.
  case idleExit
  /// Kills one that the reaper found.
  case longIdleExit
  /// Kills many at once.
  case aggressive
  /// Kills one of the lowest band that has any.
  case pageShortage
}

/// What the decision loop reads.
struct JetsamSituation: BitwiseCopyable, Sendable {
  var availablePages: Int64
  /// A process that may be killed is over its limit.
  var hasViolator = false
  /// A process that may be killed is in band 0.
  var hasIdle = false
  /// A sweep is under way and has processes left.
  var hasReapable = false
  /// Aggressive kills are called for.
  var callsForAggression = false
}

/// The decision loop: one action after another until there is none.
struct JetsamLoop: BitwiseCopyable, Sendable, Equatable {
  let thresholds: JetsamThresholds
  let idleRule: JetsamEra.IdleRule

  /// The critical threshold in force: raised while anyone is idle, in the eras that do so.
  func critical(hasIdle: Bool) -> Int64 {
    guard idleRule == .raisesCritical, hasIdle else { return thresholds.critical }
    return max(thresholds.critical, thresholds.idle)
  }

  /// Whether nothing but idle, long-idle and high-water processes may go.
  func isHealthy(_ situation: JetsamSituation) -> Bool {
    situation.availablePages >= critical(hasIdle: situation.hasIdle)
  }

  /// Whether the killer is woken at all, but for sweeps: a cheap test for the usual case.
  ///
  /// Processes over their limit wake it only if their growth has raised the flag; if a limit
  /// was lowered below a footprint, the killer finds that process when something else wakes it.
  func isWoken(
    availablePages: Int64, hasIdle: Bool, isViolatorFlagged: Bool
  ) -> Bool {
    availablePages < thresholds.critical
      || (hasIdle && availablePages < thresholds.idle)
      || (isViolatorFlagged && availablePages < thresholds.highwater)
  }

  /// The next action; nil: none.
  func next(_ situation: JetsamSituation) -> JetsamAction? {
    let available = situation.availablePages
    let healthy = isHealthy(situation)
    if available < thresholds.highwater || !healthy, situation.hasViolator { return .highwater }
    if healthy {
      if idleRule == .exits, available < thresholds.idle, situation.hasIdle { return .idleExit }
      return situation.hasReapable ? .longIdleExit : nil
    }
    return situation.callsForAggression ? .aggressive : .pageShortage
  }

  /// Available pages at which an action is no longer needed.
  func target(_ action: JetsamAction, hasIdle: Bool) -> Int64 {
    switch action {
    case .highwater: thresholds.highwater
    case .idleExit: thresholds.idle
    case .longIdleExit: thresholds.reaper
    case .aggressive: critical(hasIdle: hasIdle)
    case .pageShortage: critical(hasIdle: hasIdle)
    }
  }

  /// Whether emptying a victim's purgeable memory was enough to spare it.
  func spares(
    _ action: JetsamAction, availablePages: Int64, footprintBytes: Int64, limitBytes: Int64
  ) -> Bool {
    switch action {
    case .highwater: footprintBytes <= limitBytes
    case .idleExit, .longIdleExit, .pageShortage: availablePages >= thresholds.soft
    case .aggressive: false
    }
  }
}
