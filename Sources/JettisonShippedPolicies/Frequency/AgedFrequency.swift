/// `lfu-da`: purges the app that was used least, old counts overtaken by an age that grows.
///
/// `K = f + L`: `f` is the number of launches since the process began and `L` the global age, both
/// at the last launch. Purges the smallest `K`; `L` rises to the `K` of the app purged. State: two
/// numbers per app. O(1) per event and score (Arlitt et al., "Evaluating content management
/// techniques for web proxy caches", ACM SIGMETRICS Performance Evaluation Review 2000).
struct AgedFrequency: PurgePolicy {
  static var search: VictimSearch { .keepingScores }

  private var age: Double = 0
  private var uses: [Double]
  private var keys: [Double]

  init(appCount: Int) {
    uses = Array(repeating: 0, count: appCount)
    keys = Array(repeating: 0, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    let app = event.app.position
    switch event.kind {
    case .launched:
      uses[app] += 1
      keys[app] = uses[app] + age
    case .launchedInBackground: keys[app] = age
    case .ended:
      if event.endCause == .purge { age = max(age, keys[app]) }
      uses[app] = 0
    default: break
    }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    keys[app.position]
  }
}

extension PolicyDescriptor {
  package static let agedFrequency = PolicyDescriptor(
    name: "lfu-da", family: "frequency",
    summary: "Purges the app that was used least, old counts overtaken by a growing age.",
    details: """
      Score: K = f + L, set at each launch: f is the number of launches since the process began, L \
      a global age that begins at 0. At a purge L rises to the K of the purged app.
      """,
    source: "Arlitt et al., Evaluating content management techniques, SIGMETRICS PER 2000"
  ) { _, context in AgedFrequency(appCount: context.appCount) }
}
