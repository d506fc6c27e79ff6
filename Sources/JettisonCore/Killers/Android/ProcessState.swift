/// What ActivityManager calls the state of a process; raw values are the platform's.
///
/// Source: `ActivityManager.java` of the Android Open Source Project, from API level 30 on.
package enum ProcessState: Int8, CaseIterable, BitwiseCopyable, Sendable {
  case unknown = -1
  case persistent, persistentUI, top, boundTop, foregroundService, boundForegroundService
  case importantForeground, importantBackground, transientBackground, backup, service, receiver
  case topSleeping, heavyWeight, home, lastActivity
  case cachedActivity, cachedActivityClient, cachedRecent, cachedEmpty
  case nonexistent

  /// Which limits the Memory Limiter gives to a process in this state.
  ///
  /// Source: `MemoryLimiter.java`. A foreground service is not visible, though the user may
  /// perceive it.
  package var limitClass: LimitClass {
    switch self {
    case .unknown, .nonexistent: .untouched
    case .persistent, .persistentUI: .unlimited
    case .top, .boundTop, .importantForeground, .topSleeping: .visible
    case .foregroundService, .boundForegroundService, .importantBackground, .transientBackground,
      .backup, .service, .receiver, .heavyWeight, .home, .lastActivity:
      .notVisible
    case .cachedActivity, .cachedActivityClient, .cachedRecent, .cachedEmpty: .cached
    }
  }
}

/// Which limits a process has from the Memory Limiter.
package enum LimitClass: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  /// Those that it had.
  case untouched
  /// None at all.
  case unlimited
  case visible
  case notVisible
  /// `memory.high` as it was, and swap without limit.
  case cached
}

extension OomAdjuster {
  /// The state of a process, as far as a trace and the value of its last pass tell it.
  ///
  /// A captured value may say more than the life cycle: from 100 on something of the app is visible
  /// behind the front.
  func processState(
    of app: AppIndex, _ record: AppRecord, topSleeping: AppIndex
  ) -> ProcessState {
    let adj = adj(app)
    if adj < 0 || record.isPinned || record.isPinnedByOption { return .persistent }
    if record.state == .active || record.state == .inactive { return .top }
    if app == topSleeping { return .topSleeping }
    switch adj {
    case 100..<OomAdj.perceptible: return .importantForeground
    case OomAdj.home: return .home
    case OomAdj.previous..<OomAdj.oldService: return .lastActivity
    case OomAdj.cachedFirst...: return record.wasShown ? .cachedActivity : .cachedEmpty
    default: break
    }
    if record.modes != 0 { return .foregroundService }
    if record.openTaskCount > 0 { return .service }
    return record.wokenAt >= 0 ? .receiver : .lastActivity
  }
}
