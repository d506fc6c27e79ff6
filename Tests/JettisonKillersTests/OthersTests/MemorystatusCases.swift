import JettisonTestSupport
import Testing

@testable import JettisonCore

/// Cases of the tests of XNU's memorystatus, restated.
@Suite("Other people's tests: XNU's memorystatus")
struct MemorystatusCases {
  typealias Exception = OthersSection.Exception

  static let section = OthersSection(
    "XNU's memorystatus", ids: ids(1...75),
    passed: ["X1", "X2", "X5"] + Set(steps.map(\.id)).sorted() + ids(30...33)
      + ["X42", "X43", "X45", "X46", "X55", "X61", "X62", "X69"],
    different: [
      Exception(
        ["X68", "X70"],
        "A limit of 0 allows nothing, and an app without a fatal limit has the device's, "
          + "whatever its soft one: that is how catalogs are read."
      ),
      Exception(
        ["X57", "X58"], "The freezer takes apps one by one, as its defaults do, and no coalition."),
    ],
    inexpressible: [
      Exception(
        ids(17...29),
        "A process that tracks its work but never exits when idle is not a kind in the "
          + "catalog: `kind: system` does not track."
      ),
      Exception(
        ["X40", "X41", "X63"], "Errors and entitlements of system calls: a trace makes no calls."),
      Exception(
        ["X44"] + ids(47...50), "An app is frozen whole, and thaws are not counted."),
      Exception(
        ids(51...54) + ["X56", "X59", "X60"],
        "Demotion, lists from user space, resets and marks of the freezer are not modelled."),
      Exception(
        ids(64...67),
        "How soon a process comes back is written in the catalog (`relaunch`), not "
          + "learned."),
      Exception(
        ids(71...75),
        "Entitlements, app swap and the kernel's zone map are not modelled; a catalog's "
          + "`limit` may say what an entitlement gives."
      ),
    ])

  private static func ids(_ numbers: ClosedRange<Int>) -> [String] {
    OthersSection.ids("X", numbers)
  }

  private static let second: Int64 = 1_000_000_000

  // MARK: Sorting

  @Test("X1: of one coalition the leader goes last, what has no role first")
  func coalition() {
    let roles: [JetsamCoalition.Role] = [.leader, .appExtension, .undefined, .service]
    let members = roles.enumerated().map { position, role in
      JetsamCoalition.Member(position: position, coalition: 1, role: role, footprintBytes: 1)
    }
    #expect(
      JetsamCoalition.order(members).map { roles[$0] }
        == [.undefined, .appExtension, .service, .leader])
  }

  @Test("X2: sorted by footprint, the idle band goes largest first")
  func bySize() throws {
    var scenario = JetsamEngineTests().scenario(ramMiB: 10_000)
    scenario.policy = "jetsam-largest"
    for (app, pages) in [("first", 500), ("second", 0), ("third", 2500)] as [(String, Int64)] {
      scenario = scenario.app(app, MiB: pages)
    }
    let replayed = try scenario.replay(
      """
      0s,first,launch
      1s,second,launch
      2s,third,launch
      3s,,home
      20s,,system-memory,20000MiB
      21s,,end
      """, on: .fast)
    #expect(
      replayed.story(.purge).map { String($0.split(separator: " ")[1]) }
        == ["third", "first", "second"])
  }

  // MARK: Work, ageing and limits

  /// What happens to a daemon, and the band and the limit that it has afterwards.
  struct Step: Sendable, CustomTestStringConvertible {
    let id: String
    /// All that has happened so far; the next is looked at half a second later.
    let rows: String
    let at: Int
    let band: Int
    /// In MiB.
    let limit: Int
    /// Its two limits, active first.
    let limits: [Int]
    var testDescription: String { "\(id) at \(at) s" }
  }

  static let steps =
    walk(
      [
        // An assertion that is worth 100 is the front.
        ("X3", 0, "background-launch", 10, 35), ("X3", 2, "", 10, 35), ("X4", 3, "launch", 100, 35),
        ("X6", 5, "home", 10, 35), ("X7", 36, "", 0, 25), ("X8", 40, "launch", 100, 35),
        ("X9", 41, "task-begin,,1", 100, 35), ("X10", 42, "home", 80, 35), ("X11", 43, "", 80, 35),
        ("X12", 44, "launch", 100, 35), ("X13", 45, "task-end,,1", 100, 35),
        ("X14", 46, "task-begin,,2", 100, 35), ("X15", 47, "home", 80, 35),
        ("X16", 48, "task-end,,2", 10, 35),
      ], limits: [35, 25])
    + walk(
      [
        ("X34", 0, "background-launch", 10, 6), ("X35", 30, "", 0, 4),
        ("X36", 31, "task-begin,,1", 80, 6), ("X37", 32, "task-end,,1", 10, 6),
        ("X38", 62, "", 0, 4), ("X39", 63, "task-begin,,2", 80, 6),
        ("X39", 64, "task-end,,2", 10, 6), ("X39", 94, "", 0, 4),
      ], limits: [6, 4])

  private static func walk(
    _ steps: [(id: String, at: Int, row: String, band: Int, limit: Int)], limits: [Int]
  ) -> [Step] {
    var rows: [String] = []
    return steps.map { step in
      let app = step.row == "home" ? "" : "d"
      if !step.row.isEmpty { rows.append("\(step.at)s,\(app),\(step.row)") }
      return Step(
        id: step.id, rows: rows.joined(separator: "\n"), at: step.at, band: step.band,
        limit: step.limit, limits: limits)
    }
  }

  private static func daemon(_ step: Step) -> Scenario {
    JetsamEngineTests().scenario().app("d", MiB: 1) {
      $0.processKind = .daemon
      $0.relaunchClass = .high
      $0.band = 80
      $0.limitBytes = Int64(step.limits[0]) << 20
      $0.inactiveLimitBytes = Int64(step.limits[1]) << 20
    }
  }

  @Test("A daemon's band follows its work and its ageing", arguments: steps)
  func band(_ step: Step) throws {
    let replayed = try Self.daemon(step).replay(
      "\(step.rows)\n\(step.at).5s,,system-memory,1000MiB\n\(step.at + 1)s,,end", on: .fast)
    #expect(replayed.decisions.first?.candidates.map(\.band) == [step.band])
  }

  @Test("Its limit in force follows too", arguments: steps)
  func limit(_ step: Step) throws {
    for (bytes, dies) in [(step.limit, false), (step.limit + 1, true)] {
      let replayed = try Self.daemon(step).replay(
        "\(step.rows)\n\(step.at).5s,d,footprint,\(bytes)MiB\n\(step.at + 1)s,,end", on: .fast)
      #expect(replayed.story(.kill) == (dies ? ["\(step.at).5s d kill limit"] : []))
    }
  }

  /// One process and its place in the queue.
  private struct Bench {
    var queue = JetsamQueue(JetsamQueue.Ageing(era: .ios18, parameters: JetsamParameters()))
    var process: JetsamProcess
    var standing = Standing()

    init(_ kind: JetsamClass) { process = JetsamProcess(kind) }

    mutating func request(_ band: Int16, at seconds: Int64) -> Int16 {
      queue.request(band, &process, &standing, at: seconds * second)
      return standing.band
    }

    mutating func age(at seconds: Int64, holdsAssertion: Bool = false) -> Int16 {
      queue.age(
        &process, &standing, holdsAssertion: holdsAssertion, isDirty: false, at: seconds * second)
      return standing.band
    }
  }

  @Test("X5: from an assertion worth 100 to one worth 30")
  func lowered() {
    var bench = Bench(.daemon(.high))
    #expect(bench.request(100, at: 0) == 100)
    #expect(bench.request(30, at: 1) == 30)
    #expect(bench.request(0, at: 2) == 10)
  }

  @Test("X30 to X33: an app ages in band 20, a daemon in 10, and for 30 s in 15 if it leaks")
  func ageing() {
    var app = Bench(.app)
    _ = app.request(100, at: 0)
    #expect(app.request(0, at: 1) == 20)
    var daemon = Bench(.daemon(.high))
    _ = daemon.request(100, at: 0)
    #expect(daemon.request(0, at: 1) == 10)
    #expect(daemon.age(at: 31) == 0)
    var leaky = Bench(.daemon(.high))
    _ = leaky.request(100, at: 0)
    #expect(leaky.request(0, at: 1) == 10)
    #expect(leaky.age(at: 11, holdsAssertion: true) == 15)
    #expect(leaky.process.ageingEnd == 41 * Self.second)
    #expect(leaky.age(at: 41, holdsAssertion: true) == 0)
  }

  @Test("X42: three rounds of taking and giving back an assertion are alike")
  func rounds() {
    var bench = Bench(.daemon(.high))
    let rounds = (0..<3).map { round in
      let start = Int64(round) * 60
      return [
        bench.request(100, at: start), bench.request(0, at: start + 1), bench.age(at: start + 11),
      ]
    }
    #expect(rounds == Array(repeating: [100, 10, 0], count: 3))
  }

  @Test("X62: no process without an entitlement stands in bands 1 to 9", arguments: 1...9)
  func internalBands(band: Int) {
    var bench = Bench(.system)
    _ = bench.request(100, at: 0)
    #expect(bench.request(Int16(band), at: 1) == 0)
  }

  @Test("X69: a soft limit at the device's is as fatal as that")
  func softAtDevice() throws {
    var profile = AppProfile()
    profile.softLimitBytes = 650 << 20
    var device = try DeviceTable.device(named: "iphone-5s")
    device.limitBytes = 650 << 20
    #expect(JetsamLimits(profile, device: device).fatal(isActive: true) == 650 << 20)
    device.limitBytes = nil
    #expect(JetsamLimits(profile, device: device).fatal(isActive: true) == .max)
  }

  // MARK: The freezer

  private static func freezer(_ dailyMiB: Int64) -> JetsamFreezer {
    var parameters = JetsamParameters()
    parameters.freezes = true
    parameters.freezerDailyBytes = dailyMiB << 20
    return JetsamFreezer(parameters)
  }

  @Test("X43, X55: a process that cannot be frozen is not, nor one that is docked")
  func unfreezable() {
    let freezer = Self.freezer(2048)
    func mayFreeze(_ kind: JetsamClass, band: Int16 = 0, isSuspended: Bool = true) -> Bool {
      freezer.isCandidate(
        JetsamProcess(kind), band: band, isSuspended: isSuspended, footprintBytes: 64 << 20)
    }
    #expect(mayFreeze(.app))
    #expect(!mayFreeze(.daemon(.low)))
    #expect(!mayFreeze(.system))
    #expect(!mayFreeze(.app, isSuspended: false))
    #expect(!mayFreeze(.app, band: 30))
  }

  @Test("X45: after 32 hours the budget is what was left and 133 % of a day's")
  func budget() {
    var freezer = Self.freezer(3 * 1024)
    let later = 32 * 3600 * Self.second
    // 3 GiB are left, and 4 come to them.
    #expect(freezer.spend(7 << 30 + 1, at: later) == false)
    #expect(freezer.spend(7 << 30, at: later) == true)
    #expect(freezer.spend(1, at: later + 23 * 3600 * Self.second) == false)
    #expect(freezer.spend(3 << 30, at: later + 24 * 3600 * Self.second) == true)
  }

  @Test(
    "X46: half or twice the budget allows half or twice as much",
    arguments: [100, 50, 200] as [Int64])
  func multiplier(percent: Int64) {
    var freezer = Self.freezer(1024 * percent / 100)
    let bytes = (1024 * percent / 100) << 20
    #expect(freezer.spend(bytes + 1, at: 0) == false)
    #expect(freezer.spend(bytes, at: 0) == true)
  }

  // MARK: Counts

  @Test("X61: kills are reported by band")
  func counts() throws {
    let wanted = [0: 2, 30: 3, 35: 1, 40: 2, 45: 4]
    var scenario = JetsamEngineTests().scenario()
    var rows: [String] = []
    for (band, count) in wanted.sorted(by: { $0.key < $1.key }) {
      for number in 0..<count {
        let name = "app\(band)-\(number)"
        scenario = scenario.app(name, MiB: 1) { if band > 30 { $0.band = Int16(band) } }
        rows.append("0s,\(name),background-launch")
        if band > 0 { rows.append("0s,\(name),task-begin,,\(number + 1)") }
      }
    }
    let replayed = try scenario.replay(
      rows.joined(separator: "\n") + "\n20s,,system-memory,1000MiB\n21s,,end", on: .fast)
    var counts: [Int: Int] = [:]
    for decision in replayed.decisions {
      for victim in decision.candidates where victim.isChosen {
        counts[victim.band ?? -1, default: 0] += 1
      }
    }
    #expect(counts == wanted)
  }
}
