/// Why the real system ended an app: the word `cause` of an `observed-exit` row.
///
/// Android's exit reasons (`ApplicationExitInfo`), Apple's jetsam causes (`kern_memorystatus.h`)
/// and exit classes (MetricKit), one word each.
public enum ExitCause: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  /// Also what a row without a cause says.
  case unknown
  case byItself
  case signal
  case lowMemory
  case crash
  case nativeCrash
  case notResponding
  case initFailure
  case permissionChange
  case excessiveResourceUse
  case userRequest
  case userStopped
  case dependencyDied
  case other
  case freezer
  case packageStateChange
  case packageUpdated
  case memoryLimiter
  case highWater
  case vnode
  case pageShortage
  case processThrashing
  case fileCacheThrashing
  case perProcessLimit
  case diskSpaceShortage
  case idleExit
  case zoneMap
  case compressorThrashing
  case compressorSpace
  case lowSwap
  case sustainedPressure
  case watchdog
  case cpuLimit
  case memoryLimit
  case memoryPressure
  case taskTimeout

  /// The word in a trace.
  public var name: String { Self.names[Int(rawValue)] }

  /// Names by raw value.
  private static let names: [String] = allCases.map { cause in
    cause == .byItself ? "self" : "\(cause)".words()
  }

  /// Whether the system took the app's memory: because memory was short, or because the app used
  /// more than it may.
  ///
  /// Shortages of other things (vnodes, disk space, processor time) are none of memory, nor is what
  /// the user, the app or an update did. An unknown cause is not taken for one.
  public var isForMemory: Bool {
    switch self {
    case .lowMemory, .memoryLimiter, .highWater, .pageShortage, .processThrashing,
      .fileCacheThrashing, .perProcessLimit, .idleExit, .zoneMap, .compressorThrashing,
      .compressorSpace, .lowSwap, .sustainedPressure, .memoryLimit, .memoryPressure:
      true
    case .unknown, .byItself, .signal, .crash, .nativeCrash, .notResponding, .initFailure,
      .permissionChange, .excessiveResourceUse, .userRequest, .userStopped, .dependencyDied,
      .other, .freezer, .packageStateChange, .packageUpdated, .vnode, .diskSpaceShortage,
      .watchdog, .cpuLimit, .taskTimeout:
      false
    }
  }
}
