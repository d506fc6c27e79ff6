/// `oomd`: purges in the order of the kill that oomd's ruleset carries out.
///
/// Under the pressure model `oomd` that is the order of the control groups under the rule that
/// fired; under any other, that of `kill_by_memory_size_or_growth` with its defaults, each app
/// being a control group whose growth is not known. O(n log n) per decision
/// (facebookincubator/oomd).
struct Oomd: RankingPolicy {
  static var observesEvents: Bool { false }
  static var followsPlatform: Bool { true }

  static func ordersFront(under model: PressureModelKind) -> Bool { true }
  private static let ranking = OomdConfiguration.Ranking.memorySizeOrGrowth(
    sizePercent: 50, growingPercentile: 80, minimumGrowthRatio: 1.25)

  mutating func rank(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    var figures: [ControlGroupFigures] = []
    for app in candidates {
      var own = ControlGroupFigures()
      own.usageBytes = max(0, apps.footprintBytes(app) - apps.swappedBytes(app))
      own.averageBytes = own.usageBytes
      own.preference = apps.killPreference(app)
      figures.append(own)
    }
    let keys = OomdRanking(kind: Self.ranking)
      .keys(of: Array(figures.indices), figures)
    let order = candidates.indices.sorted { a, b in
      guard let keyA = keys[a] else { return false }
      return keys[b].map { keyA > $0 } ?? true
    }
    candidates = order.map { [candidates] in candidates[$0] }
  }
}

extension PolicyDescriptor {
  package static let oomd = PolicyDescriptor(
    name: "oomd", family: "platform",
    summary: "Purges in the order of oomd's kills: size or growth, swap, pressure or scans.",
    details: """
      Under the pressure model oomd: control groups in the order of the rule that fired (preferred, \
      normal, avoided; then its key). Elsewhere each app is a control group of \
      kill_by_memory_size_or_growth: those that hold at least half of the candidates' memory by \
      size, then the others by size.
      """,
    source: "facebookincubator/oomd", complexity: "O(n log n) per decision"
  ) { _, _ in Oomd() }
}
