import Testing

@testable import JettisonCore

/// The vectors of oomd's ranking rules, restated.
@Suite("Linux: oomd's rankings")
struct OomdRankingTests {
  /// Three control groups below one parent.
  static let tree = ControlGroupTree(paths: ["p/first", "p/second", "p/third"])
  static let names = ["first", "second", "third"]

  /// Figures of the three: usages, averages (as the usages if left out), and more.
  static func figures(
    _ usages: [Int64], averages: [Int64]? = nil,
    _ change: (inout [ControlGroupFigures]) -> Void = { _ in }
  ) -> [ControlGroupFigures] {
    var figures = Array(repeating: ControlGroupFigures(), count: tree.nodes.count)
    for (position, usage) in usages.enumerated() {
      figures[position + 2].usageBytes = usage
      figures[position + 2].anonymousBytes = usage
      figures[position + 2].averageBytes = averages?[position] ?? usage
      figures[position + 2].processCount = 1
    }
    change(&figures)
    return figures
  }

  static func order(
    _ kind: OomdConfiguration.Ranking, _ figures: [ControlGroupFigures],
    machine: MachineFigures = MachineFigures(), scannedBefore: [Int64] = []
  ) -> [String] {
    OomdRanking(kind: kind, machine: machine, scannedBefore: scannedBefore)
      .order([2, 3, 4], figures: figures, tree: tree, recursive: false)
      .map { names[$0 - 2] }
  }

  static func growth(
    size: Double = 50, percentile: Double = 80, ratio: Double = 1.25
  ) -> OomdConfiguration.Ranking {
    .memorySizeOrGrowth(
      sizePercent: size, growingPercentile: percentile, minimumGrowthRatio: ratio)
  }

  @Test("Averages take a quarter of the usage each tick; a new group looks like fast growth")
  func averages() {
    var average: Int64 = 0
    var growths: [Double] = []
    var seen: [Int64] = []
    for usage: Int64 in [100, 100, 100, 100, 200] {
      average = ControlGroupFigures.average(after: average, usageBytes: usage)
      var group = ControlGroupFigures()
      group.usageBytes = usage
      group.averageBytes = average
      seen.append(average)
      growths.append((group.growth * 100).rounded() / 100)
    }
    #expect(seen == [25, 43, 57, 67, 100])
    #expect(growths == [4, 2.33, 1.75, 1.49, 2])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let usages: [Int64]
    var averages: [Int64]?
    let ranking: OomdConfiguration.Ranking
    var preferred: Int?
    let victim: String
    var testDescription: String { "\(usages), \(ranking)" }
  }

  static let cases = [
    Case(usages: [60, 20, 20], ranking: growth(), victim: "first"),
    Case(usages: [60, 20, 20], ranking: growth(), preferred: 1, victim: "second"),
    Case(usages: [21, 20, 30], ranking: growth(), victim: "third"),
    Case(
      usages: [21, 20, 30], averages: [5, 20, 30], ranking: growth(percentile: 20),
      victim: "first"),
    Case(usages: [21, 20, 30], averages: [5, 20, 30], ranking: growth(), victim: "third"),
    Case(
      usages: [40, 50, 60], averages: [7, 30, 60], ranking: growth(percentile: 50, ratio: 1),
      victim: "second"),
    Case(
      usages: [40, 50, 60], averages: [7, 30, 60], ranking: growth(percentile: 20, ratio: 1),
      victim: "first"),
    Case(
      usages: [40, 50, 60], averages: [7, 30, 60], ranking: growth(percentile: 0, ratio: 0),
      victim: "first"),
    Case(
      usages: [40, 50, 60], averages: [7, 30, 60], ranking: growth(percentile: 67, ratio: 1),
      victim: "third"),
    Case(
      usages: [40, 50, 60], averages: [7, 30, 60], ranking: growth(percentile: 50, ratio: 10),
      victim: "third"),
  ]

  @Test("Vectors of size or growth", arguments: cases)
  func sizeOrGrowth(_ example: Case) {
    let figures = Self.figures(example.usages, averages: example.averages) {
      if let preferred = example.preferred { $0[preferred + 2].preference = .prefer }
    }
    #expect(Self.order(example.ranking, figures).first == example.victim)
  }

  @Test("The size that growing groups need follows from the percentile, by their number")
  func percentile() {
    for (count, nth) in [(1, 0), (5, 0), (6, 1), (10, 1), (11, 2)] {
      let groups = (0..<count).map { position in
        var group = ControlGroupFigures()
        group.usageBytes = Int64(1000 - position)
        // All but the largest grow, each faster than the larger ones.
        group.averageBytes = position == 0 ? 1000 : Int64(500 - position)
        group.processCount = 1
        return group
      }
      let keys = OomdRanking(kind: Self.growth(size: 100), machine: MachineFigures())
        .keys(of: Array(groups.indices), groups)
      let growing = keys.indices.filter { (keys[$0]?.second ?? 0) > 0 }
      #expect(growing == Array(1..<max(1, nth + 1)), "\(count) groups")
    }
  }

  @Test("No percentile traps", arguments: [-Double.infinity, -1, 101, .infinity, .nan])
  func strangePercentile(percentile: Double) {
    var group = ControlGroupFigures()
    group.usageBytes = 1000
    group.averageBytes = 1
    group.processCount = 1
    let kind = OomdConfiguration.Ranking.memorySizeOrGrowth(
      sizePercent: 1000, growingPercentile: percentile, minimumGrowthRatio: 1.25)
    let keys = OomdRanking(kind: kind, machine: MachineFigures()).keys(of: [0], [group])
    #expect((keys[0]?.second ?? 0) > 0)
  }

  static let kibibyte: Int64 = 1024

  @Test("Biased swap counts what protection excuses")
  func biased() {
    let figures = Self.figures([9000, 9000, 9000]) {
      for (node, (swap, protected)) in [(1900, 1500), (2000, 2000), (1500, 6000)].enumerated() {
        $0[node + 2].swapBytes = Int64(swap)
        $0[node + 2].protectedBytes = Int64(protected)
      }
    }
    let machine = MachineFigures(ramBytes: 40_000, swapTotalBytes: 10_000)
    let kind = OomdConfiguration.Ranking.swapUsage(.bytes(1), isBiased: true)
    #expect(Self.order(kind, figures, machine: machine) == ["first", "second", "third"])
    let keys = OomdRanking(kind: kind, machine: machine).keys(of: [2, 3, 4], figures)
    #expect(keys.map { $0?.first } == [1525, 1500, 0])
    #expect(
      Self.order(.swapUsage(.bytes(1), isBiased: false), figures, machine: machine)
        == ["second", "first", "third"])
  }

  @Test(
    "Swap below the threshold is not ranked",
    arguments: [([1, 2, 3], nil), ([20 * 1024, 60 * 1024, 40 * 1024], "second")]
      as [([Int64], String?)])
  func swapThreshold(_ swaps: [Int64], _ victim: String?) {
    let figures = Self.figures([1, 1, 1]) {
      for (node, swap) in swaps.enumerated() { $0[node + 2].swapBytes = swap }
    }
    let machine = MachineFigures(ramBytes: 1 << 20, swapTotalBytes: 120 * Self.kibibyte)
    let order = Self.order(
      .swapUsage(.percent(20), isBiased: false), figures, machine: machine)
    #expect(order.first == victim)
  }

  @Test("Pressure is the mean of 10 and 60 s, truncated")
  func pressure() {
    let figures = Self.figures([1, 1, 1]) {
      for (node, (ten, sixty)) in [(60.0, 60.0), (50.0, 70.0), (80.0, 80.0)].enumerated() {
        $0[node + 2].pressure10 = ten
        $0[node + 2].pressure60 = sixty
      }
    }
    let keys = OomdRanking(kind: .pressure(.memory), machine: MachineFigures())
      .keys(of: [2, 3, 4], figures)
    #expect(keys.map { $0?.first } == [60, 60, 80])
    #expect(Self.order(.pressure(.memory), figures) == ["third", "first", "second"])
    #expect(Self.order(.pressure(.io), figures) == ["first", "second", "third"])
  }

  @Test("Scans count since the poll before, and only where there were some")
  func scans() {
    let figures = Self.figures([1, 1, 1]) {
      for (node, pages) in [50, 20, 90].enumerated() {
        $0[node + 2].scannedPages = Int64(pages)
      }
    }
    let order = Self.order(.pageScans, figures, scannedBefore: [0, 0, 10, 20, 80])
    #expect(order == ["first", "third"])
  }

  @Test("Preference dominates the key; dead, empty and omitted groups are not ranked")
  func preference() {
    let figures = Self.figures([60, 20, 20]) {
      $0[2].preference = .avoid
      $0[4].preference = .prefer
    }
    #expect(Self.order(Self.growth(), figures) == ["third", "second", "first"])
    let gone = Self.figures([60, 20, 20]) {
      $0[2].processCount = 0
      $0[3].anonymousBytes = 0
      $0[4].preference = .omit
    }
    #expect(Self.order(Self.growth(), gone) == [])
  }

  @Test("A recursive walk takes the best leaf of the best group, then its next best")
  func recursion() {
    let tree = ControlGroupTree(paths: ["a/x", "a/y", "b/z", "c"])
    var figures = Array(repeating: ControlGroupFigures(), count: tree.nodes.count)
    let usages = ["": 100, "a": 60, "a/x": 20, "a/y": 40, "b": 30, "b/z": 30, "c": 10]
    for node in tree.nodes.indices {
      figures[node].usageBytes = Int64(usages[tree.nodes[node].path] ?? 0)
      figures[node].anonymousBytes = figures[node].usageBytes
      figures[node].averageBytes = figures[node].usageBytes
      figures[node].processCount = 1
    }
    let ranking = OomdRanking(kind: Self.growth(), machine: MachineFigures())
    let peers = tree.matches("*")
    let flat = ranking.order(peers, figures: figures, tree: tree, recursive: false)
    #expect(flat.map { tree.nodes[$0].path } == ["a", "b", "c"])
    let deep = ranking.order(peers, figures: figures, tree: tree, recursive: true)
    #expect(deep.map { tree.nodes[$0].path } == ["a/y", "a/x", "b/z", "c"])
  }
}
