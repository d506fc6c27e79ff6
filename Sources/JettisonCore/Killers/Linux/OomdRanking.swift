/// Who goes first under each of oomd's kills (<doc:LinuxModels#oomd>).
package struct OomdRanking {
  /// What decides the place of a control group; greater goes first, left to right.
  package struct Key: Comparable, BitwiseCopyable, Sendable {
    /// Preferred before normal before avoided; dominates everything else.
    let preference: Int
    let first: Double
    let second: Double
    let third: Double

    init(
      _ preference: AppProfile.KillPreference, _ first: Double, _ second: Double = 0,
      _ third: Double = 0
    ) {
      self.preference = preference == .prefer ? 1 : preference == .avoid ? -1 : 0
      self.first = first
      self.second = second
      self.third = third
    }

    package static func < (a: Key, b: Key) -> Bool {
      if a.preference != b.preference { return a.preference < b.preference }
      if a.first != b.first { return a.first < b.first }
      if a.second != b.second { return a.second < b.second }
      return a.third < b.third
    }
  }

  let kind: OomdConfiguration.Ranking
  let machine: MachineFigures
  /// Pages scanned at the poll before, by node; for the ranking by scans.
  var scannedBefore: [Int64]

  init(
    kind: OomdConfiguration.Ranking, machine: MachineFigures, scannedBefore: [Int64] = []
  ) {
    self.kind = kind
    self.machine = machine
    self.scannedBefore = scannedBefore
  }

  /// Where nothing is known of the machine.
  package init(kind: OomdConfiguration.Ranking) {
    self.init(kind: kind, machine: MachineFigures())
  }

  /// The order in which control groups are taken: the best of `peers` first; if `recursive`, the
  /// best leaf of the best.
  ///
  /// Control groups without processes or anonymous memory, and those that the ranking leaves out,
  /// are not in it. Equals stay in the order of their numbers.
  ///
  /// - Complexity: O(n log n).
  func order(
    _ peers: [Int], figures: [ControlGroupFigures], tree: ControlGroupTree, recursive: Bool
  ) -> [Int] {
    let living = peers.filter { (node: Int) -> Bool in
      figures[node].processCount > 0 && figures[node].anonymousBytes > 0
        && figures[node].preference != .omit
    }
    let keys: [Key?] = keys(of: living, figures)
    var places: [Int] = living.indices.filter { keys[$0] != nil }
    places.sort { (a: Int, b: Int) -> Bool in
      guard let first = keys[a], let second = keys[b] else { return false }
      return first != second ? first > second : living[a] < living[b]
    }
    let ranked: [Int] = places.map { (place: Int) -> Int in living[place] }
    guard recursive else { return ranked }
    return ranked.flatMap { (node: Int) -> [Int] in
      tree.isLeaf(node)
        ? [node]
        : order(tree.nodes[node].children, figures: figures, tree: tree, recursive: true)
    }
  }

  /// Keys that rank control groups; nil: not ranked.
  package func keys(of peers: [Int], _ figures: [ControlGroupFigures]) -> [Key?] {
    switch kind {
    case .memorySizeOrGrowth(let sizePercent, let percentile, let ratio):
      return sizeOrGrowthKeys(
        of: peers.map { figures[$0] }, sizePercent: sizePercent, percentile: percentile,
        minimumGrowthRatio: ratio)
    case .swapUsage(let threshold, let isBiased):
      let least = threshold.bytes(of: machine.swapTotalBytes)
      return peers.map { swapKey(figures[$0], least: least, isBiased: isBiased) }
    case .pressure(let resource):
      return peers.map { node in
        let group = figures[node]
        let felt = (group.pressure10 / 2 + group.pressure60 / 2).rounded(.towardZero)
        return Key(group.preference, resource == .memory ? felt : 0)
      }
    case .pageScans:
      return peers.map { node in
        let before = scannedBefore.indices.contains(node) ? scannedBefore[node] : 0
        let rate = figures[node].scannedPages - before
        return rate > 0 ? Key(figures[node].preference, Double(rate)) : nil
      }
    }
  }

  private func swapKey(
    _ group: ControlGroupFigures, least: Double, isBiased: Bool
  ) -> Key? {
    let swap = Double(group.swapBytes)
    guard swap > least else { return nil }
    guard isBiased else { return Key(group.preference, swap) }
    let excused =
      machine.ramBytes > 0
      ? Double(machine.swapTotalBytes) / Double(machine.ramBytes) * Double(group.protectedBytes)
      : 0
    return Key(group.preference, max(0, swap - excused))
  }

  private func sizeOrGrowthKeys(
    of groups: [ControlGroupFigures], sizePercent: Double, percentile: Double,
    minimumGrowthRatio: Double
  ) -> [Key?] {
    let total = groups.reduce(0.0) { $0 + Double($1.usageBytes) }
    let least = leastGrowingSize(groups.map(\.effectiveBytes), percentile: percentile)
    return groups.map { group in
      let isLarge = Double(group.usageBytes) >= sizePercent / 100 * total
      let grows =
        group.growth >= minimumGrowthRatio && group.effectiveBytes >= least
      return Key(
        group.preference, isLarge ? Double(group.effectiveBytes) : 0,
        grows ? group.growth : 0, Double(group.effectiveBytes))
    }
  }

  /// The size of the nth largest, with n from the percentile: smaller groups do not count as
  /// growing.
  private func leastGrowingSize(_ sizes: [Int64], percentile: Double) -> Int64 {
    guard !sizes.isEmpty else { return 0 }
    let percent = max(0, min(100, percentile))
    let nth = Int((Double(sizes.count) * (100 - percent) / 100).rounded(.up)) - 1
    return sizes.sorted(by: >)[min(sizes.count - 1, max(0, nth))]
  }
}
