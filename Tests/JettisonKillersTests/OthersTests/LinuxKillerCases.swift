import JettisonTestSupport
import Testing

@testable import JettisonCore

/// Cases of oomd's, systemd's, earlyoom's and the kernel's own tests, and of public reports,
/// restated.
@Suite("Other people's tests: killers of Linux")
struct LinuxKillerCases {
  typealias Exception = OthersSection.Exception

  static let section = OthersSection(
    "Killers of Linux",
    ids: OthersSection.ids("O", 1...38) + OthersSection.ids("Y", 1...12)
      + OthersSection.ids("E", 1...27) + OthersSection.ids("G", 1...3),
    passed: rankings.flatMap(\.ids) + forms.map(\.id)
      + ["O23", "O24", "O35", "O36", "Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7", "Y8", "Y9"]
      + ["Y10", "Y12", "E23", "E24", "E25", "E26", "E27", "G1", "G2", "G3"],
    different: [
      Exception(
        ["E3", "E6", "E7"],
        "Thresholds are settings of their own, not a text: any share is taken, and 0 % "
          + "acts when nothing is left."
      )
    ],
    inexpressible: [
      Exception(
        ["O12", "O37", "Y11"],
        "An end is complete at once: no app is found dying, or gone between a poll and the kill."),
      Exception(["O29", "O30"], "There is no model of I/O."),
      Exception(
        ["O38"], "Counters in extended attributes; the columns of `apps.csv` count ends instead."),
      Exception(
        OthersSection.ids("E", 8...22),
        "Further texts of `-m`, whose figures are not at hand: Jettison reads two settings."),
    ])

  // MARK: oomd's rankings

  /// Control groups, a kill, and the one that it takes first.
  struct Ranking: Sendable, CustomTestStringConvertible {
    let ids: [String]
    let kind: OomdConfiguration.Ranking
    let groups: [Group]
    var patterns = "*"
    var isRecursive = true
    /// Groups with `memory.oom.group`.
    var wholes = ""
    /// Empty: nobody goes.
    let victim: String
    var testDescription: String { ids.joined(separator: ", ") }
  }

  /// A control group's figures.
  struct Group: Sendable {
    let path: String
    var usage: Int64 = 1
    var average: Int64?
    var swap: Int64 = 0
    var protected: Int64 = 0
    var scans: Int64 = 0
    var pressure: (ten: Double, sixty: Double) = (0, 0)
    var preference = AppProfile.KillPreference.none
    var isEmpty = false
  }

  static let rankings = recursions + sizes + others

  /// The suite ranks by name, descending: here swap grows with the last letter.
  private static func alphabetical(
    _ ids: [String], _ paths: String, patterns: String = "*", isRecursive: Bool = true,
    wholes: String = "", _ wishes: [String: AppProfile.KillPreference] = [:],
    empty: String? = nil, victim: String
  ) -> Ranking {
    let groups = paths.split(separator: " ").map { path in
      Group(
        path: String(path), swap: Int64(path.utf8.last ?? 0),
        preference: wishes[String(path)] ?? .none,
        isEmpty: path[...] == (empty ?? ""))
    }
    return Ranking(
      ids: ids, kind: .swapUsage(.bytes(0), isBiased: false), groups: groups, patterns: patterns,
      isRecursive: isRecursive, wholes: wholes, victim: victim)
  }

  private static let letters = "A A/Y A/Y/Q A/X B B/F C Z Z/F"

  private static let recursions = [
    alphabetical(["O1"], "A A/Z A/X B B/F", victim: "B/F"),
    alphabetical(["O2"], "A A/Z A/X B B/F", isRecursive: false, victim: "B"),
    alphabetical(["O3"], "Q Q/F Q/F/P P P/Z", ["Q/F/P": .omit], victim: "P/Z"),
    alphabetical(["O4"], "X X/A Y Y/M Y/M/A Y/M/B", wholes: "Y/M", victim: "Y/M"),
    alphabetical(
      ["O5"], "Q Q/F Q/F/P B B/M B/M/V B/M/Z", ["Q": .avoid, "B/M/V": .prefer], victim: "B/M/V"),
    alphabetical(["O6"], "Q Q/F Q/F/P B B/M B/M/V", ["Q/F": .avoid], victim: "Q/F/P"),
    alphabetical(
      ["O7"], "Q Q/F Q/F/P B B/M B/M/V B/M/Z", ["B": .prefer, "B/M/Z": .avoid], victim: "B/M/V"),
    alphabetical(["O8"], "A A/Z A/X B B/F", empty: "B/F", victim: "A/Z"),
    alphabetical(["O9"], letters, patterns: "A,B", victim: "B/F"),
    alphabetical(["O10"], letters, patterns: "A/*,B,C", victim: "A/Y/Q"),
    alphabetical(["O11"], letters, patterns: "A/*,Z,B,C", victim: "Z/F"),
    alphabetical(["O11"], letters, victim: "Z/F"),
  ]

  private static func growth(_ sizePercent: Double = 50, percentile: Double = 80)
    -> OomdConfiguration.Ranking
  {
    .memorySizeOrGrowth(
      sizePercent: sizePercent, growingPercentile: percentile, minimumGrowthRatio: 1.25)
  }

  private static func three(
    _ wishes: [AppProfile.KillPreference], averages: [Int64]? = nil,
    _ usages: [Int64] = [60, 30, 20]
  ) -> [Group] {
    usages.enumerated().map { place, usage in
      Group(
        path: "p/\(usage)", usage: usage, average: averages?[place],
        preference: place < wishes.count ? wishes[place] : .none)
    }
  }

  private static func size(
    _ id: String, _ groups: [Group], patterns: String = "p/*",
    _ kind: OomdConfiguration.Ranking? = nil, victim: String
  ) -> Ranking {
    Ranking(
      ids: [id], kind: kind ?? growth(), groups: groups, patterns: patterns, victim: victim)
  }

  private static let sizes = [
    size("O13", three([.avoid]), victim: "p/30"),
    size("O14", three([.none, .avoid, .avoid]), victim: "p/60"),
    size("O15", three([.prefer, .prefer, .prefer]), victim: "p/60"),
    size("O16", three([.prefer, .avoid, .prefer]), victim: "p/60"),
    size(
      "O17", three([]) + [Group(path: "q/100", usage: 100)], patterns: "p/*,q/*", victim: "q/100"),
    size(
      "O18",
      [
        Group(path: "A", usage: 60), Group(path: "A/Z", usage: 20), Group(path: "A/X", usage: 40),
        Group(path: "B", usage: 20),
      ], patterns: "*", victim: "A/X"),
    size(
      "O19", three([.none, .prefer], averages: [1000, 5], [1000, 99]), victim: "p/99"),
    // The file names two results for three cases: the last is held with the rule of size and
    // without.
    size("O20", three([], averages: [5, 5, 30], [21, 99, 30]), victim: "p/99"),
    size(
      "O21", three([], averages: [5, 5, 30], [21, 99, 30]), growth(101, percentile: 20),
      victim: "p/99"),
    size(
      "O22",
      [
        Group(path: "p/60", usage: 60, isEmpty: true), Group(path: "p/21", usage: 21),
        Group(path: "p/20", usage: 20),
      ], victim: "p/21"),
  ]

  private static func each(
    _ ids: [String], _ kind: OomdConfiguration.Ranking, _ groups: [Group], victim: String
  ) -> Ranking {
    Ranking(ids: ids, kind: kind, groups: groups, patterns: "p/*,q/*", victim: victim)
  }

  private static let swap = [20, 60, 40].map { Group(path: "p/\($0)", swap: $0) }
  private static let scans = [10, 30, 50].map { Group(path: "p/\($0)", scans: $0) }
  private static let pressures = [(60.0, 60.0), (50, 70), (80, 80)].map {
    Group(path: "p/\(Int($0.0))", pressure: $0)
  }

  private static let others = [
    each(["O25"], .swapUsage(.bytes(1), isBiased: false), swap, victim: "p/60"),
    each(
      ["O26"], .swapUsage(.bytes(1), isBiased: false), swap + [Group(path: "q/70", swap: 70)],
      victim: "q/70"),
    // All that is swapped is excused: somebody goes nevertheless.
    each(
      ["O27"], .swapUsage(.bytes(1), isBiased: true),
      swap.map { Group(path: $0.path, swap: $0.swap, protected: 1000) }, victim: "p/20"),
    each(
      ["O28"], .swapUsage(.bytes(1), isBiased: false),
      [Group(path: "p/a"), Group(path: "p/b")], victim: ""),
    each(["O31"], .pageScans, scans, victim: "p/50"),
    each(["O32"], .pageScans, [Group(path: "p/a"), Group(path: "p/b")], victim: ""),
    Ranking(
      ids: ["O33"], kind: .pageScans,
      groups: [
        Group(path: "A", scans: 1080), Group(path: "A/Z", scans: 590),
        Group(path: "A/X", scans: 490), Group(path: "B", scans: 970),
      ], victim: "A/Z"),
    each(
      ["O34"], .pressure(.memory), pressures + [Group(path: "q/99", pressure: (99, 99))],
      victim: "q/99"),
  ]

  @Test("oomd: whom a kill takes first", arguments: rankings)
  func ranking(_ example: Ranking) {
    let tree = ControlGroupTree(paths: example.groups.map(\.path), wholes: example.wholes)
    var figures = Array(repeating: ControlGroupFigures(), count: tree.nodes.count)
    for (position, group) in example.groups.enumerated() {
      var own = ControlGroupFigures()
      own.usageBytes = group.usage
      own.anonymousBytes = group.usage
      own.averageBytes = group.average ?? group.usage
      own.swapBytes = group.swap
      own.protectedBytes = group.protected
      own.scannedPages = group.scans
      own.pressure10 = group.pressure.ten
      own.pressure60 = group.pressure.sixty
      own.processCount = group.isEmpty ? 0 : 1
      own.preference = group.preference
      figures[tree.nodeOfApp[position]] = own
    }
    let machine = MachineFigures(ramBytes: 1000, swapTotalBytes: 1000, swapFreeBytes: 500)
    let order = OomdRanking(kind: example.kind, machine: machine)
      .order(
        tree.matches(example.patterns), figures: figures, tree: tree,
        recursive: example.isRecursive)
    #expect(order.first.map { tree.nodes[$0].path } ?? "" == example.victim)
  }

  // MARK: oomd's engine

  private static func ruleset(_ actions: [OomdConfiguration.Action]) -> OomdConfiguration {
    OomdConfiguration(rulesets: [
      OomdConfiguration.Ruleset(
        name: "r",
        detectorGroups: [
          OomdConfiguration.DetectorGroup(name: "g", detectors: [.constant(true)])
        ], actions: actions)
    ])
  }

  @Test("O23: a dry kill takes no app, and stops the ruleset as a real one does")
  func dry() throws {
    let kill = OomdConfiguration.Kill(Self.growth(), groups: "user.slice/*")
    var pretended = kill
    pretended.isDry = true
    for (actions, ends) in [
      ([.kill(pretended), .kill(kill)], 0), ([.kill(kill), .kill(kill)], 1),
    ] as [([OomdConfiguration.Action], Int)] {
      let replayed = try LinuxEngineTests.scenario(.oomd) {
        $0.oomdConfiguration = Self.ruleset(actions)
      }
      .app("a", MiB: 50).app("b", MiB: 50).replay(
        "0s,a,launch\n1s,b,launch\n12s,,end", on: .fast)
      #expect(replayed.story(.purge, .kill).count == ends)
    }
  }

  @Test("O35, O36: little swap counts only while enough is swapped out", arguments: [800, 1200])
  func swapRate(_ kilobytes: Int64) {
    var engine = OomdEngine(
      OomdConfiguration(rulesets: [
        OomdConfiguration.Ruleset(
          name: "r",
          detectorGroups: [
            OomdConfiguration.DetectorGroup(
              name: "g", detectors: [.swapFree(percent: 20, swapOutBytesPerSecond: 1_000_000)])
          ], actions: [.kill(OomdEngineTests.kill)])
      ]), tree: OomdEngineTests.tree)
    let machine = MachineFigures(
      ramBytes: 1000, swapTotalBytes: 1000, swapFreeBytes: 199,
      swapOutBytesPerSecond: Double(kilobytes * 1000))
    engine.tick(at: 5_000_000_000, figures: OomdEngineTests.quiet(), machine: machine)
    #expect((engine.nextKill() != nil) == (kilobytes == 1200))
  }

  @Test("O4: a control group that ends as a whole does so under oomd")
  func whole() throws {
    var scenario = LinuxEngineTests.scenario(.oomd) {
      var kill = OomdConfiguration.Kill(Self.growth(), groups: "*")
      kill.isRecursive = true
      $0.oomdConfiguration = Self.ruleset([.kill(kill)])
    }
    for app in ["a", "b", "c"] { scenario = scenario.app(app, MiB: app == "c" ? 100 : 60) }
    scenario.configuration.controlGroups = ["y/m/a", "y/m/b", "x/c"]
    let rows = "0s,a,launch\n1s,b,launch\n2s,c,launch\n9s,,end"
    #expect(try scenario.replay(rows, on: .fast).story(.purge, .kill).count == 1)
    scenario.configuration.device.pressureParameters.linux.wholeGroups = "y/m"
    let ends = try scenario.replay(rows, on: .fast).story(.purge, .kill)
    #expect(ends.map { String($0.split(separator: " ")[1]) }.sorted() == ["a", "b"])
  }
}
