/// `lfu`: purges the app that was used least.
///
/// Score: launches since the process began, or, if perfect, since the trace began. State: one
/// number per app. O(1) per event and score. Old counts never fade: compare `lfu-da` and
/// `lfu-decay`.
struct LeastFrequentlyUsed: PurgePolicy {
  static var search: VictimSearch { .keepingScores }

  /// Whether counts survive the end of a process.
  let isPerfect: Bool
  private var uses: [Double]

  init(appCount: Int, isPerfect: Bool) {
    self.isPerfect = isPerfect
    uses = Array(repeating: 0, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    switch event.kind {
    case .launched: uses[event.app.position] += 1
    case .ended where !isPerfect: uses[event.app.position] = 0
    default: break
    }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    uses[app.position]
  }
}

extension PolicyDescriptor {
  package static let leastFrequentlyUsed = PolicyDescriptor(
    name: "lfu", family: "frequency", summary: "Purges the app that was used least.",
    details: """
      Score: launches of the app since its process began; with perfect=on since the trace began. \
      Equal counts fall to the app suspended longest ago.
      """,
    source: "folklore; Einziger et al. call perfect=on perfect LFU",
    parameters: [
      PolicyParameter("perfect", "Keep counts when a process ends: on or off.", default: "off")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    LeastFrequentlyUsed(
      appCount: context.appCount, isPerfect: try arguments.isOn("perfect", default: false))
  }
}
