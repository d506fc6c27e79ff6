import JettisonTestSupport
import Testing

@testable import JettisonCore

/// systemd-oomd, earlyoom and the kernel's control groups.
extension LinuxKillerCases {
  // MARK: systemd-oomd

  private static let mebibyte = 1024.0 * 1024

  /// Names by swap under the swap rule.
  private static func swapOrder(
    _ groups: [(String, Double, AppProfile.KillPreference)], below prefix: String = ""
  ) -> [String] {
    let tree = ControlGroupTree(paths: groups.map(\.0))
    let unit = tree.matches(prefix).first ?? 0
    let members = groups.indices.filter { tree.contains(unit, tree.nodeOfApp[$0]) }
    let keys = members.map {
      SystemdOomdRules.swapKey(groups[$0].2, swapBytes: Int64(groups[$0].1 * mebibyte))
    }
    return SystemdOomdRules.order(members, by: keys).map { groups[$0].0 }
  }

  @Test("Y1, Y2: only what lies below a unit, avoided ones last, omitted ones never")
  func systemdOrder() throws {
    let groups: [(String, Double, AppProfile.KillPreference)] = [
      ("herp", 60, .none), ("herp/derp", 20, .none), ("herp/derp/sheep", 40, .none),
    ]
    #expect(Self.swapOrder(groups, below: "herp/derp") == ["herp/derp/sheep", "herp/derp"])
    #expect(
      Self.swapOrder([("a", 9, .avoid), ("b", 1, .none), ("c", 5, .omit)]) == ["b", "a"])
    // Of two apps of one group one says avoid, one omit: omit counts.
    var scenario = LinuxEngineTests.two(LinuxEngineTests.scenario(.systemdOOMD))
    scenario.profiles["a"]?.killPreference = .omit
    scenario.profiles["b"]?.killPreference = .avoid
    scenario.configuration.controlGroups = ["user.slice/one", "user.slice/one"]
    let spared = try scenario.replay(LinuxEngineTests.thrashing, on: .fast)
    #expect(spared.story(.purge, .kill) == [])
    scenario.profiles["a"]?.killPreference = .avoid
    #expect(
      try scenario.replay(LinuxEngineTests.thrashing, on: .fast).story(.purge, .kill).count == 2)
  }

  struct Use: Sendable, CustomTestStringConvertible {
    let id: String
    let used: Int64
    let total: Int64
    let isShort: Bool
    var testDescription: String { id }
  }

  @Test(
    "Memory and swap are looked at apart, strictly, and nothing of nothing is not short",
    arguments: [
      Use(id: "Y3", used: 95, total: 100, isShort: true),
      Use(id: "Y3", used: 50, total: 100, isShort: false),
      Use(id: "Y3", used: 90, total: 100, isShort: false),
      Use(id: "Y4", used: 0, total: 0, isShort: false),
      Use(id: "Y8", used: 22_369_452_032, total: 24_681_861_120, isShort: true),
      Use(id: "Y8", used: 8_589_910_016, total: 8_589_930_496, isShort: true),
      Use(id: "Y10", used: 1_500_000_000, total: 3_700_000_000, isShort: false),
      Use(id: "Y10", used: 900_000_000, total: 43_700_000_000, isShort: false),
    ])
  func systemdShort(_ use: Use) {
    #expect(
      SystemdOomdRules.isBelow(used: use.used, total: use.total, leftPercent: 10) == use.isShort)
  }

  @Test("Y5: pages were reclaimed if their counter grew", arguments: [(57, 57), (42, 101)])
  func systemdReclaim(before: Int64, scanned: Int64) {
    #expect(
      SystemdOomdRules.hadReclaim(scanned: scanned, before: before) == (scanned != before))
  }

  @Test("Y6, Y7: the swap rule takes who swaps most, and spares who holds memory alone")
  func systemdReports() {
    #expect(
      Self.swapOrder([("shell", 417.3, .none), ("slack", 256.3, .none), ("firefox", 477.8, .none)])
        == ["firefox", "shell", "slack"])
    let reported = [
      ("firefox", 60.3), ("shell", 42.5), ("festival", 344.8), ("software", 74.7), ("hog", 0),
    ]
    #expect(
      Self.swapOrder(reported.map { ($0.0, $0.1, .none) })
        == ["festival", "software", "firefox", "shell", "hog"])
    #expect(!SystemdOomdRules.isSwapCandidate(swapBytes: 0, swapTotalBytes: 1 << 30))
  }

  @Test("Y9: the only candidate goes once pressure has lasted")
  func systemdPressure() {
    var sustained = SustainedPressure()
    let polls = (0...5).map { second in
      sustained.poll(
        at: Int64(second) * 1_000_000_000, percent: 71.2, limitPercent: 60,
        durationNanoseconds: 5_000_000_000)
    }
    #expect(polls == [false, false, false, false, false, true])
    let key = SystemdOomdRules.scanKey(.none, rate: 0, usageBytes: 11_274_289_152)
    #expect(SystemdOomdRules.order([7], by: [key]) == [7])
  }

  @Test("Y12: a unit without candidates does not keep later units from being looked at")
  func systemdLaterUnits() throws {
    var scenario = LinuxEngineTests.scenario(.systemdOOMD) {
      $0.systemdOomd.pressureUnits = "first,second"
    }
    .app("a", MiB: 880) { $0.killPreference = .omit }.app("b", MiB: 100)
    scenario.configuration.controlGroups = ["first/x", "second/x"]
    let rows = """
      0s,b,launch
      1s,b,background-mode,1,,mode=audio
      10s,a,launch
      100s,,end
      """
    let replayed = try scenario.replay(rows, on: .fast)
    #expect(
      replayed.story(.purge, .kill).first.map { $0.drop { $0 != " " } } == " b kill memoryPressure")
  }

  // MARK: earlyoom

  /// A form of `-m`, and what it comes to at shares of memory in tenths of a percent.
  struct Form: Sendable, CustomTestStringConvertible {
    let id: String
    let term: Double
    let kill: Double?
    /// The most that is left when it sends SIGTERM, SIGKILL; nil: it never does.
    let termAt: Int64?
    let killAt: Int64
    var testDescription: String { id }
  }

  static let forms = [
    Form(id: "E1", term: 2, kill: 1, termAt: 20, killAt: 10),
    Form(id: "E2", term: 30, kill: nil, termAt: 300, killAt: 150),
    Form(id: "E4", term: 5, kill: 9, termAt: nil, killAt: 90),
    Form(id: "E5", term: 0, kill: 5, termAt: nil, killAt: 50),
  ]

  @Test("earlyoom: a SIGTERM below SIGKILL does nothing, and one value is halved", arguments: forms)
  func earlyoomForms(_ form: Form) {
    var parameters = EarlyoomParameters()
    parameters.termMemoryPercent = form.term
    parameters.killMemoryPercent = form.kill
    let rules = EarlyoomRules(parameters: parameters)
    for tenths: Int64 in 0...1000 {
      let expected: EarlyoomRules.Level =
        tenths <= form.killAt ? .kill : tenths <= form.termAt ?? -1 ? .term : .none
      #expect(rules.level(Self.memory(tenths * 10, 0, swap: 0)) == expected, "\(tenths)")
    }
  }

  /// Memory and free swap in hundredths of a percent.
  private static func memory(
    _ available: Int64, _ free: Int64, swap: Int64 = 10_000
  ) -> EarlyoomRules.Memory {
    EarlyoomRules.Memory(
      availableBytes: available, anonymousBytes: 10_000 - available, swapTotalBytes: swap,
      swapFreeBytes: free)
  }

  /// The best of processes given as name, `oom_score` and MiB.
  private static func victim(_ processes: [(String, Int64, Int64)]) -> String {
    var best = processes[0]
    func process(_ entry: (String, Int64, Int64)) -> EarlyoomProcess {
      EarlyoomProcess(score: entry.1, residentBytes: entry.2 << 20)
    }
    for entry in processes.dropFirst()
    where process(entry).isPreferred(to: process(best), byRSS: false) { best = entry }
    return best.0
  }

  @Test("E23: both are low, the score decides; a second later it acts again, however small")
  func earlyoomCluster() {
    let rules = EarlyoomRules(parameters: EarlyoomParameters())
    #expect(rules.level(Self.memory(764, 893)) == .term)
    #expect(rules.level(Self.memory(790, 828)) == .term)
    #expect(Self.victim([("electron", 869, 17), ("cluster", 1264, 23_964)]) == "cluster")
  }

  @Test("E24, E25: the score beats the size")
  func earlyoomScores() {
    var parameters = EarlyoomParameters()
    parameters.termMemoryPercent = 5
    parameters.termSwapPercent = 40
    #expect(EarlyoomRules(parameters: parameters).level(Self.memory(52, 3984)) == .term)
    #expect(
      Self.victim([("python3", 748, 538), ("code", 866, 5), ("code-too", 801, 54)]) == "code")
    #expect(Self.victim([("first", 757, 1), ("second", 799, 1), ("third", 700, 9)]) == "second")
  }

  @Test("E26: memory alone is not enough", arguments: [(2800, false), (1001, false), (1000, true)])
  func earlyoomSwap(free: Int64, acts: Bool) {
    let rules = EarlyoomRules(parameters: EarlyoomParameters())
    #expect((rules.level(Self.memory(100, free)) != .none) == acts)
  }

  @Test("E27: 7609 MiB of 13,855 are a badness of 550, page tables included")
  func earlyoomBadness() throws {
    let pages: Int64 = 7609 * 256
    let total: Int64 = 13_855 * 256
    let points = try #require(
      KernelBadness.points(
        residentPages: pages, swapPages: 0,
        pageTablePages: pages * LinuxParameters().pageTableBytesPerPage / 4096, adjustment: 0,
        totalPages: total))
    #expect(KernelBadness.scoreBefore5_9(points: points, totalPages: total) == 550)
    #expect(KernelBadness.scoreBefore5_9(points: pages, totalPages: total) == 549)
  }

  // MARK: Control groups of the kernel

  /// The suite limits the group; here the machine is what is too small.
  private static func ends(
    _ groups: [String: String], wholes: String, spared: String? = nil
  ) throws -> [String] {
    var scenario = LinuxEngineTests.scenario(.linuxOOM, ram: 150) { $0.wholeGroups = wholes }
    let names = groups.keys.sorted()
    for name in names {
      scenario = scenario.app(name, MiB: name == "parent" ? 60 : 10) {
        if name == spared { $0.oomScoreAdj = -1000 }
      }
    }
    scenario.configuration.controlGroups = names.map { groups[$0] ?? "" }
    let launches = names.reversed().enumerated().map { "\($0.offset)s,\($0.element),launch" }
    let rows = launches + ["20s,allocator,footprint,100MiB", "30s,,end"]
    return try scenario.replay(rows.joined(separator: "\n"), on: .fast).story(.purge, .kill)
      .map { String($0.split(separator: " ")[1]) }
  }

  @Test("G1: all of a child with the flag die, its parent's other process lives")
  func childGroup() throws {
    let groups = [
      "allocator": "top/child", "one": "top/child", "two": "top/child", "parent": "top/own",
    ]
    #expect(
      try Set(Self.ends(groups, wholes: "top/child")) == ["allocator", "one", "two"])
    // Its user starts it again.
    #expect(try Set(Self.ends(groups, wholes: "")) == ["allocator"])
  }

  @Test("G2: with the flag on the parent all below it die, and no group beside it")
  func parentGroup() throws {
    let groups = ["allocator": "top/child", "one": "top/own", "parent": "top", "other": "beside"]
    #expect(
      try Set(Self.ends(groups, wholes: "top,top/child")) == ["allocator", "one", "parent"])
  }

  @Test("G3: a member whose adj is -1000 lives, the other three are counted")
  func sparedMember() throws {
    let groups = ["allocator": "g", "one": "g", "two": "g", "kept": "g", "parent": "beside"]
    #expect(
      try Set(Self.ends(groups, wholes: "g", spared: "kept")) == ["allocator", "one", "two"])
  }
}
