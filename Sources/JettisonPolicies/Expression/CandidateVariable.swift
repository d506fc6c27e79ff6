/// A figure of a candidate, or of the moment of a decision, that an expression may name.
///
/// One table feeds the expression language, its error messages, `jettison policies FILE` and the
/// questions to programs outside.
package enum CandidateVariable: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  case footprint
  case unsavedWork
  case unsavedBytes
  case hasUnsaved
  case idleTime
  case age
  case suspendedTime
  case timeSinceSave
  case timeSinceWarning
  case launchCost
  case coldLatency
  case warmLatency
  case hotLatency
  case launches
  case band
  case isSuspended
  case isBackground
  case isFront
  case time
  case needed
  case available
  case lambda

  /// The name in expressions.
  package var name: String { row.name }
  /// What it is, in a few words.
  package var summary: String { row.summary }
  /// Its unit in words.
  package var unit: String { dimension.description }

  /// Whether it says yes or no.
  package var isCondition: Bool { dimension.kind == .condition }
  /// Whether it is the same for all candidates of a decision.
  package var isOfMoment: Bool {
    switch self {
    case .time, .needed, .available, .lambda: true
    default: false
    }
  }

  var dimension: Dimension { row.dimension }

  init?(named name: String) {
    guard let variable = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = variable
  }

  private var row: (name: String, dimension: Dimension, summary: String) {
    switch self {
    case .footprint: ("footprint", .bytes, "what the app is charged with now")
    case .unsavedWork: ("unsaved_work", .time, "user work that would be lost now")
    case .unsavedBytes: ("unsaved_bytes", .bytes, "user data that would be lost now")
    case .hasUnsaved: ("has_unsaved", .condition, "whether any user data would be lost now")
    case .idleTime: ("idle_time", .time, "since it left the front; 0 in front")
    case .age: ("age", .time, "since its process began")
    case .suspendedTime: ("suspended_time", .time, "since it was suspended; 0 if it is not")
    case .timeSinceSave:
      ("time_since_save", .time, "since its newest save of this life; infinite without one")
    case .timeSinceWarning:
      ("time_since_warning", .time, "since it heard a memory warning; infinite if it never did")
    case .launchCost: ("launch_cost", .time, "what a relaunch costs: cold less hot latency")
    case .coldLatency: ("cold_latency", .time, "latency of a cold launch")
    case .warmLatency: ("warm_latency", .time, "latency of a warm launch")
    case .hotLatency: ("hot_latency", .time, "latency of a hot launch")
    case .launches: ("launches", .number, "launches by the user so far")
    case .band: ("band", .number, "priority band or adj of the platform; 0 where it has none")
    case .isSuspended: ("is_suspended", .condition, "whether it is suspended")
    case .isBackground: ("is_background", .condition, "whether it runs in the background")
    case .isFront: ("is_front", .condition, "whether it is in front")
    case .time: ("time", .time, "since the start of the trace")
    case .needed: ("needed", .bytes, "what the decision has to free")
    case .available: ("available", .bytes, "available memory; negative if overdrawn")
    case .lambda: ("lambda", .number, "seconds of waiting that a second of lost work is worth")
    }
  }

  /// The figure for one app at one decision: bytes, seconds, a number, or 1 and 0.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  package func value(
    of app: AppIndex, for request: PurgeRequest, lambda: Double, apps: borrowing AppTable
  ) -> Double {
    let now = request.timeNanoseconds
    switch self {
    case .footprint: return Double(apps.footprintBytes(app))
    case .unsavedWork: return Double(apps.unsavedWorkNanoseconds(app)) / 1e9
    case .unsavedBytes: return Double(apps.unsavedBytes(app))
    case .hasUnsaved: return apps.hasUnsavedState(app) ? 1 : 0
    case .idleTime:
      return Self.isInFront(apps.state(app))
        ? 0 : Self.seconds(since: apps.lastUsedNanoseconds(app), now)
    case .age: return Self.seconds(since: apps.processStartNanoseconds(app), now)
    case .suspendedTime:
      guard apps.state(app) == .suspended else { return 0 }
      return apps.suspendedNanoseconds(app).map { Self.seconds(since: $0, now) } ?? 0
    case .timeSinceSave:
      return apps.savedNanoseconds(app).map { Self.seconds(since: $0, now) } ?? .infinity
    case .timeSinceWarning:
      return apps.warnedNanoseconds(app).map { Self.seconds(since: $0, now) } ?? .infinity
    case .launchCost: return apps.relaunchCostSeconds(app)
    case .coldLatency: return apps.latencySeconds(app, .cold)
    case .warmLatency: return apps.latencySeconds(app, .warm)
    case .hotLatency: return apps.latencySeconds(app, .hot)
    case .launches: return Double(apps.launchCount(app))
    case .band: return Double(apps.standing(app).bandOrNil ?? 0)
    case .isSuspended: return apps.state(app) == .suspended ? 1 : 0
    case .isBackground: return apps.state(app) == .background ? 1 : 0
    case .isFront: return Self.isInFront(apps.state(app)) ? 1 : 0
    case .time: return Double(now) / 1e9
    case .needed: return Double(request.neededBytes)
    case .available: return Double(request.availableBytes)
    case .lambda: return lambda
    }
  }

  private static func isInFront(_ state: AppState) -> Bool {
    state == .active || state == .inactive
  }

  private static func seconds(since start: Int64, _ now: Int64) -> Double {
    (Double(now) - Double(start)) / 1e9
  }
}
