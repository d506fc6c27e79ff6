/// The memory limits of one process, in bytes; `.max`: none.
///
/// A fatal limit kills on the allocation that passes it, whatever the pressure. A soft one is a
/// high-water mark: over it the process goes first once memory is short.
struct JetsamLimits: BitwiseCopyable, Sendable, Equatable {
  var active: Int64 = .max
  var inactive: Int64 = .max
  var softActive: Int64 = .max
  var softInactive: Int64 = .max

  /// The limit in force, at which an allocation kills.
  func fatal(isActive: Bool) -> Int64 { isActive ? active : inactive }

  /// What counts for a high-water kill: there, fatal and soft limits are alike.
  func highwater(isActive: Bool) -> Int64 {
    isActive ? min(active, softActive) : min(inactive, softInactive)
  }

  /// Whether the active limits hold for a process.
  ///
  /// An app is active while its last request was not for band 0: one that asks for it is inactive at
  /// once, also while it ages.
  static func isActive(_ process: JetsamProcess, band: Int16, isDirty: Bool) -> Bool {
    if process.wasFrozen, band == PriorityBand.freezer { return false }
    return switch process.kind {
    case .app: process.requested > PriorityBand.idle
    case .daemon: isDirty || band > PriorityBand.idle
    case .system: band > PriorityBand.idle
    }
  }

  /// Bytes over which a process is warned that its limit is near; `.max`: never.
  static func warning(limit: Int64, percent: Double) -> Int64 {
    limit == .max ? .max : Int64(Double(limit) * min(percent, 100) / 100)
  }
}

/// Whether a process has been warned at its limit since it last was below the mark.
struct JetsamLimitWarning: BitwiseCopyable, Sendable {
  private var isSpent = false

  /// Another limit is in force: its mark has not been passed yet.
  mutating func rearm() { isSpent = false }

  /// Whether a change of the footprint passes the mark on the way up.
  mutating func passes(_ mark: Int64, from before: Int64, to after: Int64) -> Bool {
    guard after > mark else {
      isSpent = false
      return false
    }
    guard after > before, !isSpent else { return false }
    isSpent = true
    return true
  }
}
