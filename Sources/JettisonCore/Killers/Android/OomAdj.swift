/// Values of `oom_score_adj` that ActivityManager gives out; higher goes first.
///
/// Source: `ProcessList.java` of the Android Open Source Project.
package enum OomAdj {
  /// A process that the system never ends.
  package static let persistent: Int16 = -800
  /// What init has started, not ActivityManager.
  package static let native: Int16 = -1000
  package static let foreground: Int16 = 0
  /// Declared background execution of an app that was in front within 15 s.
  package static let recentlyInFront: Int16 = 50
  /// Declared background execution (a foreground service); an app that is still being stopped.
  package static let perceptible: Int16 = 200
  /// A started service that was active within half an hour.
  package static let service: Int16 = 500
  package static let home: Int16 = 600
  /// The app that the user was in before the one in front.
  package static let previous: Int16 = 700
  /// Services beyond a third of all.
  package static let oldService: Int16 = 800
  package static let cachedFirst: Int16 = 900
  package static let highest: Int16 = 1000
  /// Not computed yet.
  package static let unknown: Int16 = 1001
}

/// The values of `oom_score_adj` among which cached apps are spread, from most to least recent.
///
/// Apps that have been shown and empty ones (never shown in this life) have slots of their own.
/// Each kind goes on to its next slot after as many apps as a factor says; the factors rest on
/// the counts of the pass before.
///
/// Source: `OomAdjuster.java`.
package struct CachedSlots: BitwiseCopyable, Sendable {
  /// Which range of values the release gives to cached apps.
  package enum Range: String, CaseIterable, Sendable {
    /// 900 to 999, from Android 10 on.
    case wide = "900-999"
    /// 900 to 906, up to Android 9.
    case narrow = "900-906"
  }

  /// Where one kind of apps stands.
  private struct Cursor: BitwiseCopyable {
    var current: Int16
    var next: Int16
    let step: Int16
    let last: Int16
    let factor: Int
    var taken = 0

    mutating func take() -> Int16 {
      if taken == factor, current != next {
        taken = 0
        current = next
        next = min(last, next + step)
      }
      taken += 1
      return current
    }
  }

  /// How many apps of each kind share a slot.
  struct Factors: BitwiseCopyable, Equatable {
    let shown: Int
    let empty: Int
  }

  private var shown: Cursor
  private var empty: Cursor

  var factors: Factors { Factors(shown: shown.factor, empty: empty.factor) }

  /// Begins a pass over apps from most to least recent.
  ///
  /// - Parameters:
  ///   - shownBefore: Cached apps that have been shown, in the pass before.
  ///   - emptyBefore: Empty apps in the pass before.
  ///   - limit: How many cached apps the framework keeps; nil: no limit.
  package init(range: Range, shownBefore: Int, emptyBefore: Int, limit: Int?) {
    let emptyCounted = min(emptyBefore, limit ?? emptyBefore)
    switch range {
    case .wide:
      shown = Cursor(
        current: 900, next: 910, step: 10, last: 999, factor: Self.factor(shownBefore, slots: 10))
      empty = Cursor(
        current: 905, next: 915, step: 10, last: 999, factor: Self.factor(emptyCounted, slots: 10))
    case .narrow:
      shown = Cursor(
        current: 900, next: 901, step: 2, last: 906, factor: max(1, shownBefore / 3))
      empty = Cursor(
        current: 900, next: 902, step: 2, last: 906, factor: max(1, emptyCounted / 3))
    }
  }

  private static func factor(_ count: Int, slots: Int) -> Int {
    max(1, (count + slots - 1) / slots)
  }

  /// The value of the next app, the most recent first.
  package mutating func take(wasShown: Bool) -> Int16 {
    wasShown ? shown.take() : empty.take()
  }
}
