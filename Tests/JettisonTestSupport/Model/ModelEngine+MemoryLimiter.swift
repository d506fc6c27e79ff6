import JettisonCore

/// What Android's Memory Limiter knows of one process.
struct ModelLimits {
  enum Zone { case green, red, hot, due }

  var zone = Zone.green
  /// `memory.high` and `memory.swap.max` as configured, in bytes.
  var memory = Int64.max
  var swap = Int64.max
  /// What was taken from it for its limit, in bytes.
  var reclaimed: Int64 = 0

  var swapInForce: Int64 { zone == .hot || zone == .due ? .max : swap }
}

/// Android's Memory Limiter, where memory is never short and nothing else of lmkd's comes to pass.
///
/// Everybody's limits are worked out anew whenever anything has happened.
extension ModelEngine {
  var isAndroid: Bool { configuration.pressure == .androidLMKD }

  private var parameters: AndroidParameters { device.pressureParameters.android }

  private var limits: MemoryLimitSet? {
    parameters.usesMemoryLimiter == true
      ? parameters.memoryLimits.limits(ramBytes: device.ramBytes) : nil
  }

  /// Limits, polls, and the ends that are due.
  func runMemoryLimiter() {
    guard let limits else { return }
    repeat {
      for app in apps where app.life != nil { limit(app, limits) }
      system.availableBytesLeast = min(system.availableBytesLeast, available)
    } while endWhoIsDue()
  }

  private func limit(_ app: ModelApp, _ limits: MemoryLimitSet) {
    guard var own = app.life?.limits else { return }
    switch limitClass(of: app) {
    case .untouched: break
    case .unlimited: (own.memory, own.swap) = (.max, .max)
    case .visible: (own.memory, own.swap) = (limits.visible.memoryBytes, limits.visible.swapBytes)
    case .notVisible:
      (own.memory, own.swap) = (limits.notVisible.memoryBytes, limits.notVisible.swapBytes)
    case .cached: own.swap = .max
    }
    if own.zone == .green, app.state.runsCode, footprint(of: app) > own.memory {
      own.zone = .red
      timers.set(
        .memoryLimiter, app.index,
        at: ModelArithmetic.sum(now, max(Self.second, parameters.limiterPollNanoseconds)))
    }
    app.life?.limits = own
    reclaim(app)
  }

  private func reclaim(_ app: ModelApp) {
    guard let own = app.life?.limits else { return }
    let high: Int64 =
      switch own.zone {
      case .green: own.memory
      case .red: ModelArithmetic.sum(own.memory, parameters.limiterRaiseBytes)
      case .hot, .due: .max
      }
    let reclaimed = max(0, min(footprint(of: app) - high, own.swapInForce))
    app.life?.limits.reclaimed = reclaimed
  }

  // MARK: Who may hold what

  private func limitClass(of app: ModelApp) -> LimitClass {
    if (0..<10_000).contains(app.profile.userID) { return .unlimited }
    if isPersistent(app) { return .unlimited }
    switch app.state {
    case .active, .inactive: return .visible
    case _ where app === topSleeping: return .visible
    case .suspended: return app === previousApp ? .notVisible : .cached
    case .background: return .notVisible
    case .notRunning: return .untouched
    }
  }

  private func isPersistent(_ app: ModelApp) -> Bool {
    app.isPinned || configuration.pinned.contains(app.index) || modifiers.protects(app.name)
  }

  /// Who was shown last of those that are not in front.
  private var previousApp: ModelApp? {
    apps.filter { app in
      app.life?.wasShown == true && app.state != .active && app.state != .inactive
        && app !== topSleeping
    }
    .min { ($1.life?.lastUsed ?? 0, $0.index) < ($0.life?.lastUsed ?? 0, $1.index) }
  }

  // MARK: Polls and ends

  /// The red zone is polled; an app that was hot is due.
  func fireMemoryLimiter(_ app: ModelApp) {
    guard let own = app.life?.limits else { return }
    let held = footprint(of: app)
    if own.zone == .hot {
      app.life?.limits.zone = .due
    } else if held > ModelArithmetic.sum(own.memory, own.swap) {
      app.life?.limits.zone = .hot
      timers.set(
        .memoryLimiter, app.index,
        at: ModelArithmetic.sum(now, parameters.limiterGraceNanoseconds))
    } else if held < own.memory - parameters.limiterMarginBytes {
      app.life?.limits.zone = .green
    } else {
      timers.set(
        .memoryLimiter, app.index,
        at: ModelArithmetic.sum(now, max(Self.second, parameters.limiterPollNanoseconds)))
    }
    reclaim(app)
  }

  private func endWhoIsDue() -> Bool {
    for app in apps where app.life?.limits.zone == .due && isPersistent(app) {
      app.life?.limits = ModelLimits()
    }
    guard let app = apps.first(where: { $0.life?.limits.zone == .due }) else { return false }
    decide(.memoryLimiter, [app], target: available, one: true)
    return true
  }

  // MARK: Swap

  /// What is swapped of an app, in bytes: whole pages.
  func swapped(of app: ModelApp, share: Double) -> Double {
    guard let own = app.life?.limits else { return 0 }
    let bytes = footprint(of: app)
    let suspended = app.state == .suspended ? Double(bytes) * share : 0
    let wanted = min(max(suspended, Double(min(own.reclaimed, bytes))), Double(own.swapInForce))
    return Double(Int64(wanted) / device.pageBytes * device.pageBytes)
  }
}
