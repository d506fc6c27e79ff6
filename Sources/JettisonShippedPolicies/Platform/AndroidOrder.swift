/// `android`: purges by `oom_score_adj`, as lmkd does.
///
/// The highest value goes first. Within one value it is the app whose value was set longest ago
/// (the tail of lmkd's list), or the heaviest; from 200 down always the heaviest. Under the models
/// of Android the engine keeps the values; under others the policy derives them
/// itself (`OomAdjuster`). State: two numbers per app. A pass over the running apps per event,
/// O(n log n) per decision.
struct AndroidOrder: RankingPolicy {
  /// Whom lmkd kills within one value.
  enum Heaviest: String, CaseIterable, Sendable {
    case on, off
    /// As the driver in the kernel under `android-lmk`, else as lmkd.
    case auto
  }

  static func ordersFront(under model: PressureModelKind) -> Bool { true }

  private struct Entry: BitwiseCopyable {
    let app: AppIndex
    let process: KillableProcess
  }

  let killsHeaviest: Bool
  private var adjuster: OomAdjuster
  private var knowsOpeningState = false
  private var entries: [Entry] = []

  init(appCount: Int, killsHeaviest: Bool) {
    self.killsHeaviest = killsHeaviest
    adjuster = OomAdjuster(appCount: appCount, limits: CachedAppLimits(maximum: 32))
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    // A model that keeps the values itself needs nothing of ours.
    guard apps.androidStanding(event.app).bandOrNil == nil else { return }
    adoptOpeningState(apps, at: event.timeNanoseconds)
    switch event.kind {
    case .launched, .launchedInBackground: adjuster.began(event.app)
    case .ended: adjuster.ended(event.app)
    case .suspended: break
    case .requested, .resized, .saved: return
    }
    adjuster.touchAll()
    adjuster.pass(apps, at: event.timeNanoseconds)
  }

  mutating func rank(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    adoptOpeningState(apps, at: request.timeNanoseconds)
    entries.removeAll(keepingCapacity: true)
    for app in candidates { entries.append(Entry(app: app, process: process(app, apps))) }
    let killsHeaviest = killsHeaviest
    entries.sort { $0.process.precedes($1.process, killsHeaviest: killsHeaviest) }
    candidates.removeAll(keepingCapacity: true)
    for entry in entries { candidates.append(entry.app) }
  }

  private func process(_ app: AppIndex, _ apps: borrowing AppTable) -> KillableProcess {
    let standing = apps.androidStanding(app)
    let isKept = standing.bandOrNil != nil
    return KillableProcess(
      adj: isKept ? standing.band : adjuster.adj(app),
      setOrder: isKept ? standing.order : adjuster.setOrder(app),
      residentBytes: apps.footprintBytes(app) - apps.swappedBytes(app))
  }

  /// No event reports apps that ran before the capture began.
  private mutating func adoptOpeningState(_ apps: borrowing AppTable, at now: Int64) {
    guard !knowsOpeningState else { return }
    knowsOpeningState = true
    for position in 0..<apps.count where apps.state(AppIndex(position)) != .notRunning {
      adjuster.began(AppIndex(position))
    }
    adjuster.pass(apps, at: now)
  }
}

extension PolicyDescriptor {
  package static let android = PolicyDescriptor(
    name: "android", family: "platform",
    summary: "Purges by oom_score_adj, the highest first, as Android's lmkd does.",
    details: """
      The app that was used before the one in front has 700; the other suspended apps are spread \
      from most to least recent over 900, 910, ... 990, 999, those never shown in this life over \
      905, 915, ...: as many per value as there were such apps in the pass before, over 10, rounded \
      up. A catalog's adj comes before all that. The highest value goes first; within one value \
      the app whose value was set longest ago, or with heaviest=on the largest; from 200 down \
      always the largest. heaviest=auto is on under android-lmk alone. Under a model of Android the \
      values that the engine keeps are used.
      """,
    source: "Android Open Source Project: OomAdjuster.java, lmkd.cpp",
    complexity: "O(n) per event and O(n log n) per decision of n running apps",
    parameters: [
      PolicyParameter(
        "heaviest", "Largest first within one value: on, off or auto.", default: "auto")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    let heaviest = try arguments.choice("heaviest", default: AndroidOrder.Heaviest.auto)
    return AndroidOrder(
      appCount: context.appCount,
      killsHeaviest: heaviest == .on
        || (heaviest == .auto && context.pressure == .androidLMK))
  }
}
