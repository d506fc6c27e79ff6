/// Where the engine asks the platforms' killers: each answers in a file of its own.
extension Simulation {
  /// How short memory is under the model in force.
  @inline(__always)
  mutating func pressureLevel() -> PressureLevel {
    switch rules.family {
    case .thresholds, .idealCache: rules.level(after: level, availableBytes: availableBytes)
    case .ios4: rules.level(notedBytes: rules.noted(availableBytes, after: warning.notedBytes))
    case .jetsam: jetsamLevel()
    case .android: androidLevel()
    case .linux: linuxLevel()
    }
  }

  /// Whether memory is where nobody looks before a time: settling would do no more than note it.
  ///
  /// May be false although it is so.
  mutating func isAtRest(until time: Int64) -> Bool {
    guard !limitExceeded, !memory.hasFailed, pressureLevel() == level else { return false }
    switch rules.family {
    case .thresholds: return Double(availableBytes) >= rules.purgeBytes
    case .ios4:
      return Double(availableBytes) > ios4Bytes
        && rules.noted(availableBytes, after: warning.notedBytes) == warning.notedBytes
    case .jetsam: return isJetsamAtRest()
    case .android: return isAndroidAtRest(until: time)
    case .linux, .idealCache: return false
    }
  }

  /// Leaves what is at rest to the killer's next look.
  mutating func rest() {
    if rules.family == .android, android.rules.usesDaemon { armAndroidLook() }
  }

  /// An app entered a state, or its tasks and modes changed; called where standings are kept.
  @inline(never)
  mutating func standingChanged(_ app: AppIndex, from before: AppState, to after: AppState) {
    switch rules.family {
    case .jetsam: jetsamStandingChanged(app, from: before, to: after)
    case .android: androidStandingChanged(app, from: before, to: after)
    case .thresholds, .ios4, .linux, .idealCache: break
    }
  }

  /// An app waits for memory; called where stalls are accounted for.
  mutating func stall(_ app: AppIndex, for nanoseconds: Int64) {
    guard nanoseconds > 0 else { return }
    stalls.stall(app, for: nanoseconds, at: now)
    if rules.family == .linux { linuxStalled(app, for: nanoseconds) }
    needsSettling = true
  }

  /// A timer of the model is due.
  @inline(never)
  mutating func firePressureTimer(_ timer: Timer) {
    switch rules.family {
    case .jetsam: fireJetsam(timer)
    case .android: fireAndroid(timer)
    case .linux: fireLinux(timer)
    case .thresholds, .ios4, .idealCache: break
    }
  }
}

/// Where an app stands among others, for platforms that keep such an order.
public struct Standing: BitwiseCopyable, Sendable, Equatable {
  /// Priority band (iOS) or `oom_score_adj` (Android); `.min`: none.
  public var band: Int16 = .min
  /// Counts moves of the run: smaller has been in its band's queue for longer.
  public var order: Int64 = 0
  /// When it entered the band, in nanoseconds since the start of the trace.
  public var sinceNanoseconds: Int64 = 0

  /// The band; nil: none.
  public var bandOrNil: Int? { band == .min ? nil : Int(band) }

  /// Stands nowhere.
  public init() {}
}
