/// When each app is launched next: what only an oracle may know.
///
/// The tables are the trace's own, shared by all runs over it. An app's launches so far lead to its
/// next one, so that nothing has to be searched. A launch that is being served counts as past.
/// O(1) per event and question.
struct NextLaunches: Sendable {
  private let starts: [Int]
  private let ordinals: [UInt32]
  /// Empty where launches are counted.
  private let times: [Int64]
  /// Position of the newest launch among all launches of the trace; -1 before the first.
  private(set) var currentOrdinal = -1

  init(_ index: TraceIndex, by clock: Clock = .launches) {
    starts = index.launches.starts
    ordinals = index.launches.ordinals
    times = clock == .seconds ? index.launchTimes : []
  }

  /// Moves on; every event is to be passed on.
  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    guard event.kind == .requested || event.kind == .launched else { return }
    let newest = starts[event.app.position] + apps.launchCount(event.app) - 1
    // A background launch asks for an app that no user may have launched yet.
    if newest >= starts[event.app.position] {
      currentOrdinal = max(currentOrdinal, Int(ordinals[newest]))
    }
  }

  /// The position of the app's next launch among all launches of the trace, from 0; nil if the trace has
  /// none any more.
  func nextOrdinal(of app: AppIndex, apps: borrowing AppTable) -> Int? {
    place(of: app, apps: apps).map { Int(ordinals[$0]) }
  }

  /// Where the tables have the app's next launch.
  private func place(of app: AppIndex, apps: borrowing AppTable) -> Int? {
    let place = starts[app.position] + apps.launchCount(app)
    return place < starts[app.position + 1] ? place : nil
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
    guard let place = place(of: app, apps: apps) else { return Self.never }
    switch clock {
    case .launches: return Double(Int(ordinals[place]) - currentOrdinal)
    case .seconds: return Double(times[place] - timeNanoseconds) / 1e9
    }
  }
}
