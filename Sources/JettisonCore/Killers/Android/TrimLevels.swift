/// How short of memory ActivityManager believes the device to be.
package enum MemoryFactor: UInt8, Comparable, BitwiseCopyable, Sendable {
  case normal
  case moderate
  case low
  case critical

  package static func < (lhs: MemoryFactor, rhs: MemoryFactor) -> Bool {
    lhs.rawValue < rhs.rawValue
  }

  /// The factor from how many cached and empty apps are left, where stalls are not measured.
  ///
  /// - Parameters:
  ///   - trimCached: With more cached apps than this all is well.
  ///   - trimEmpty: With more empty ones than this, too.
  package static func byCounts(
    cached: Int, empty: Int, trimCached: Int = 5, trimEmpty: Int = 8
  ) -> MemoryFactor {
    guard cached <= trimCached, empty <= trimEmpty else { return .normal }
    switch cached + empty {
    case ...3: return .critical
    case ...5: return .low
    default: return .moderate
    }
  }

  /// The factor after a new evaluation: it may always improve, and worsen only if apps have gone
  /// since the last one.
  package func updated(to evaluated: MemoryFactor, appCount: Int, countBefore: Int) -> MemoryFactor
  {
    evaluated > self && appCount >= countBefore ? self : evaluated
  }

  /// What apps that are more important than the home screen are told.
  package var runningLevel: TrimLevel {
    switch self {
    case .normal: .none
    case .moderate: .runningModerate
    case .low: .runningLow
    case .critical: .runningCritical
    }
  }

  /// The level of reports.
  package var pressureLevel: PressureLevel {
    switch self {
    case .normal: .normal
    case .moderate, .low: .warning
    case .critical: .critical
    }
  }
}

/// What an app is told in `onTrimMemory`; the value is the platform's.
///
/// The platform also has 60 and 80, which no model sends.
package enum TrimLevel: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  case none = 0
  case runningModerate = 5
  case runningLow = 10
  case runningCritical = 15
  case uiHidden = 20
  case background = 40
}

/// What an app has been sent that its main thread is too busy to hear: the newest of each kind.
struct KeptTrims: BitwiseCopyable, Equatable {
  var hidesWindows = false
  /// The newest level of those that run.
  var level = TrimLevel.none
  var isLowMemory = false
}

/// How many cached apps the framework keeps, whether memory is short or not.
///
/// Source: `ActivityManagerConstants.java`: `DEFAULT_MAX_CACHED_PROCESSES` was 32 up to Android 13 and
/// is 1024 since, `DEFAULT_MAX_EMPTY_TIME_MILLIS` went from 30 minutes to 1000 hours;
/// `computeEmptyProcessLimit` halves.
package struct CachedAppLimits: BitwiseCopyable, Sendable, Equatable {
  /// Cached apps of both kinds; nil: no limit.
  package let maximum: Int?
  /// For how long an empty app is kept once there are more than ``trimEmpty``, in nanoseconds.
  package let emptyNanoseconds: Int64

  package init(maximum: Int?, emptyNanoseconds: Int64 = 1_800_000_000_000) {
    self.maximum = maximum
    self.emptyNanoseconds = emptyNanoseconds
  }

  /// The limits of a device: what its parameters say, else those of its release.
  package init(_ device: Device) {
    let parameters = device.pressureParameters.android
    let isRecent = device.releaseLevel >= 34
    let kept = parameters.cachedLimit ?? (isRecent ? 1024 : 32)
    self.init(
      maximum: kept == 0 ? nil : kept,
      emptyNanoseconds: parameters.emptyNanoseconds
        ?? (isRecent ? 3_600_000_000_000_000 : 1_800_000_000_000))
  }

  /// Empty apps kept: half of all.
  package var empty: Int? { maximum.map { $0 / 2 } }
  /// Cached apps kept that have been shown: the other half.
  package var shown: Int? { maximum.map { $0 - $0 / 2 } }
  /// Empty apps above which age counts.
  package var trimEmpty: Int { (empty ?? 16) / 2 }
  /// Cached apps at or below which the memory factor may rise.
  package var trimCached: Int { maximum.map { ($0 - $0 / 2) / 3 } ?? 5 }
}

extension Device {
  /// API level of its Android release; of one that does not say Android 13.
  package var releaseLevel: Int { apiLevel ?? 33 }
}
