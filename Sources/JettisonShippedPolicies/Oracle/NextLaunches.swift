/// When each app is launched next: what only an oracle may know.
///
/// The tables are the trace's own, shared by all runs over it. An app's launches so far lead to its
/// next one, so that nothing has to be searched. A launch that is being served counts as past.
/// O(1) per event and question.
struct NextLaunches: Sendable {
  /// A launch of the trace.
  struct Launch: Equatable {
    /// Its position among all launches of the trace, from 0.
    let ordinal: Int
    /// When it happens, in nanoseconds since the start of the trace.
    let timeNanoseconds: Int64
  }

  private let starts: [Int]
  private let ordinals: [Int]
  private let times: [Int64]
  /// Position of the newest launch among all launches of the trace; -1 before the first.
  private(set) var currentOrdinal = -1

  init(_ index: TraceIndex) {
    let launches = index.launches
    starts = launches.starts
    ordinals = launches.ordinals
    times = launches.times
  }

  /// Moves on; every event is to be passed on.
  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    guard event.kind == .requested || event.kind == .launched else { return }
    let newest = starts[event.app.position] + apps.launchCount(event.app) - 1
    // A background launch asks for an app that no user may have launched yet.
    if newest >= starts[event.app.position] {
      currentOrdinal = max(currentOrdinal, ordinals[newest])
    }
  }

  /// The app's next launch; nil if the trace has none any more.
  func next(of app: AppIndex, apps: borrowing AppTable) -> Launch? {
    let position = starts[app.position] + apps.launchCount(app)
    guard position < starts[app.position + 1] else { return nil }
    return Launch(ordinal: ordinals[position], timeNanoseconds: times[position])
  }
}

extension NextLaunches {
  /// What a distance into the future counts.
  enum Clock: String, CaseIterable, Sendable {
    case launches
    case seconds
  }

  /// Stands for "never again": beyond every distance times every size, and finite, so that sizes
  /// and costs still tell such apps apart.
  static let never = 0x1p120

  /// Launches or seconds until the app's next launch; ``never`` if there is none.
  func distance(
    to app: AppIndex, by clock: Clock, at timeNanoseconds: Int64, apps: borrowing AppTable
  ) -> Double {
    guard let launch = next(of: app, apps: apps) else { return Self.never }
    switch clock {
    case .launches: return Double(launch.ordinal - currentOrdinal)
    case .seconds: return Double(launch.timeNanoseconds - timeNanoseconds) / 1e9
    }
  }
}
