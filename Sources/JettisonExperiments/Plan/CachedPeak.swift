package import JettisonCore
internal import JettisonReports
internal import JettisonSupport

/// The most apps that a capture shows suspended at once, without those that Android does not count
/// among the cached: what is pinned, the home screen, and the last app in front before the one in
/// front.
package struct CachedPeak: Sendable, Equatable {
  /// Of apps that had been in front, and of those that had not.
  package private(set) var shown = 0
  package private(set) var empty = 0

  /// Counts a capture; nil if it does not say what ran and what ended.
  ///
  /// An app launched into the background counts from the end of the time that iOS and Android give
  /// such a launch.
  ///
  /// - Parameter profiles: By position of the app; they say which one is the home screen.
  /// - Complexity: O(changes of state · apps that run).
  package init?(_ trace: Trace, profiles: [AppProfile]) {
    let counts = trace.index.kindCounts
    guard
      counts[Int(EventKind.present.rawValue)] > 0
        || counts[Int(EventKind.observedExit.rawValue)] > 0
    else { return nil }
    var walk = Walk(isHome: profiles.map { $0.oomScoreAdj == Self.homeAdj })
    var peak = CachedPeak()
    trace.events.forEachWindow { (events, _) in
      for position in 0..<events.count {
        let isChange = walk.apply(events[position], trace.details)
        let endsInstant =
          position + 1 == events.count
          || events[position + 1].timeNanoseconds > events[position].timeNanoseconds
        if isChange || walk.isChanged, endsInstant {
          peak.meet(walk.counts(at: events[position].timeNanoseconds))
        }
      }
    }
    self = peak
  }

  private init() {}

  /// The least limit of cached apps, of which half may be of each kind, under which all of them
  /// live.
  package var leastLimit: Int { 2 * max(shown, empty) }

  /// What the capture proves about a run's limit of cached apps; nil: all of them fit, or the run has
  /// no such limit.
  package func excess(in configuration: RunConfiguration) -> String? {
    let device = configuration.device
    guard let limit = configuration.pressure.text.cachedLimit(of: device), leastLimit > limit else {
      return nil
    }
    return "the capture shows \(text) cached at once, and '\(device.name)' keeps \(limit), half of "
      + "each kind: its phone kept more, unless it lists apps before they were cached "
      + "(the setting android.max-cached=\(leastLimit) keeps all of them)"
  }

  /// Both figures in words.
  package var text: String {
    "\(HumanText.counted(Double(shown), "app")) that had been shown and \(empty) that had not"
  }

  private mutating func meet(_ counts: (shown: Int, empty: Int)) {
    shown = max(shown, counts.shown)
    empty = max(empty, counts.empty)
  }

  private static let homeAdj: Int16 = 600
}

/// What a capture says about the life of its apps, from row to row.
private struct Walk {
  private struct Life {
    var runs = false
    var wasShown = false
    var isPinned = false
    /// Tasks and modes that are open, and whether it was at work when the capture began.
    var work = 0
    /// When it left the front, or began in the background.
    var idleFrom: Int64 = 0
  }

  private static let backgroundLaunch: Int64 = 30_000_000_000

  private let isHome: [Bool]
  private var lives: [Life]
  private var front = AppIndex.none
  /// Whether something has changed since it was counted last.
  private(set) var isChanged = false

  init(isHome: [Bool]) {
    self.isHome = isHome
    lives = Array(repeating: Life(), count: isHome.count)
  }

  /// The result is whether the row changes which apps are cached.
  mutating func apply(_ event: TraceEvent, _ details: [EventDetail]) -> Bool {
    let app = event.app.position
    switch event.kind {
    case .present:
      let detail = details[Int(event.detail)]
      lives[app] = Life(
        runs: true, wasShown: detail.wasShown, isPinned: lives[app].isPinned,
        idleFrom: event.timeNanoseconds)
      switch detail.presentState {
      case .front: front = event.app
      case .background: lives[app].work = 1
      case .suspended: break
      }
    case .launch:
      leave(at: event.timeNanoseconds)
      lives[app].runs = true
      lives[app].wasShown = true
      front = event.app
    case .home: leave(at: event.timeNanoseconds)
    case .backgroundLaunch:
      guard !lives[app].runs else { return false }
      lives[app].runs = true
      lives[app].idleFrom = event.timeNanoseconds + Self.backgroundLaunch
    case .backgroundMode: lives[app].work += event.value == 0 ? -1 : 1
    case .taskBegin: lives[app].work += 1
    case .taskEnd: lives[app].work -= 1
    case .pin: lives[app].isPinned = event.value != 0
    case .quit, .exit, .crash, .update, .observedExit:
      lives[app] = Life(isPinned: lives[app].isPinned)
      if front == event.app { front = .none }
    case .boot:
      for position in lives.indices { lives[position] = Life() }
      front = .none
    default: return false
    }
    isChanged = true
    return true
  }

  private mutating func leave(at time: Int64) {
    if front != .none { lives[front.position].idleFrom = time }
    front = .none
  }

  /// The apps that are cached now, of both kinds.
  mutating func counts(at time: Int64) -> (shown: Int, empty: Int) {
    isChanged = false
    var counts = (shown: 0, empty: 0)
    var hasPrevious = false
    for (position, life) in lives.enumerated()
    where life.runs && !life.isPinned && AppIndex(position) != front && life.idleFrom <= time {
      guard life.work <= 0, !isHome[position] else { continue }
      if life.wasShown { counts.shown += 1 } else { counts.empty += 1 }
      if life.wasShown { hasPrevious = true }
    }
    if hasPrevious { counts.shown -= 1 }
    return counts
  }
}
