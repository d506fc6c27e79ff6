import JettisonTestSupport
import Testing

@testable import JettisonCore
@testable import JettisonShippedPolicies

/// Cases of ActivityManager's own tests, restated.
@Suite("Other people's tests: Android's framework")
struct AndroidFrameworkCases {
  typealias Exception = OthersSection.Exception

  static let section = OthersSection(
    "Android's framework",
    ids: OthersSection.ids("R", 1...6) + OthersSection.ids("J", 1...60),
    passed: lists.map(\.id) + passes.map(\.id),
    different: [
      Exception(
        ["J13", "J27", "J28", "J29"],
        "Tiers of cached apps, the ladder of previous apps and its time-out belong to later "
          + "releases than the model follows."
      ),
      Exception(
        ["J34"],
        "A task ends with its budget, long before a service would be idle for 30 minutes."),
      Exception(
        ["J35"],
        "A task is work that the system granted, which holds its process also after it was "
          + "shown; a service that an app merely started is in no trace."
      ),
    ],
    inexpressible: [
      Exception(
        ["J7", "J8", "J11"] + ids(17...21) + ids(22...24) + ["J30", "J32", "J36", "J37"],
        "Animations, instrumentation, windows beside the front, short services, backups, "
          + "caps and allow-lists are in no trace; `adj` of the catalog or of a capture may "
          + "say what came of them."
      ),
      Exception(
        ids(38...54),
        "A trace knows no bindings and providers; a captured `adj` holds their result."),
      Exception(
        ids(56...60),
        "Isolated and sandboxed processes and the freezer's allow-list are not modelled."),
    ])

  private static func ids(_ numbers: ClosedRange<Int>) -> [String] {
    OthersSection.ids("J", numbers)
  }

  // MARK: CacheOomRanker

  /// A list, least recent first, and how its end is re-ranked by one of three figures.
  struct List: Sendable, CustomTestStringConvertible {
    let id: String
    var minutes: [Int64] = []
    var kilobytes: [Int64] = []
    var uses: [Int64] = []
    /// Entries at the top that are not cached.
    var others = 0
    let reranked: Int
    var preserved = 0
    let order: [Int64]
    var testDescription: String { id }
  }

  static let lists = [
    List(
      id: "R1", minutes: [40, 42, 60, 15, 17, 30], reranked: 5, order: [60, 42, 40, 17, 15, 30]),
    List(
      id: "R2", kilobytes: [10, 20, 1, 100, 2, 15, 16], reranked: 6,
      order: [100, 20, 15, 10, 2, 1, 16]),
    // Who measured the sizes does not matter; two apps have changed their places before.
    List(
      id: "R3", kilobytes: [20, 10, 1, 100, 2, 15, 16], reranked: 6,
      order: [100, 20, 15, 10, 2, 1, 16]),
    List(
      id: "R4", kilobytes: [10, 20, 1, 2, 100, 15, 16], reranked: 6,
      order: [100, 20, 15, 10, 2, 1, 16]),
    List(
      id: "R5", uses: [1000, 2000, 10, 20, 500, 200], reranked: 4,
      order: [10, 20, 1000, 2000, 500, 200]),
    List(
      id: "R6", uses: [1000, 2000, 10, 1, 2, 3], others: 3, reranked: 9, preserved: 3,
      order: [10, 1000, 2000, 1, 2, 3]),
  ]

  @Test("CacheOomRanker: the end of the list by one figure", arguments: lists)
  func list(_ example: List) {
    var list = RecencyList(
      rerankCount: example.reranked, preserveCount: example.preserved,
      weights: RecencyList.Weights(
        recency: example.minutes.isEmpty ? 0 : 1, size: example.kilobytes.isEmpty ? 0 : 1,
        uses: example.uses.isEmpty ? 0 : 1))
    let figures = example.minutes + example.kilobytes + example.uses
    for (number, figure) in figures.enumerated() {
      list.entries.append(
        RecencyList.Entry(
          number: number, isCached: number < figures.count - example.others,
          lastUsed: example.minutes.isEmpty ? 0 : -figure,
          footprintBytes: example.kilobytes.isEmpty ? 0 : figure,
          uses: example.uses.isEmpty ? 0 : figure))
    }
    list.rerank()
    #expect(list.entries.map { figures[$0.number] } == example.order)
  }

  @Test("R1 in a replay: the place in the list and the last use are two things")
  func places() throws {
    var scenario = Scenario(ramMiB: 1024)
    for app in ["old", "new", "front"] { scenario = scenario.app(app, MiB: 1) }
    let rows = """
      0s,old,launch
      1s,front,launch
      10s,new,background-launch
      50s,,system-memory,1000MiB
      51s,,end
      """
    func order(_ policy: String) throws -> [String] {
      let replayed = try scenario.with { $0.policy = policy }.replay(rows, on: .fast)
      return try #require(replayed.decisions.first).candidates
        .map { replayed.apps[$0.app.position] }
    }
    // What was never shown is at the end of the list, though it was used last.
    #expect(try order("aosp-rank:rerank=0") == ["new", "old"])
    #expect(
      try order("aosp-rank:preserve=0,recency=1,size=0,uses=0") == ["old", "new"])
    #expect(try order("lru") == ["old", "new"])
  }

  @Test("R6 in a replay: running apps count among those that are preserved")
  func preserved() throws {
    var scenario = Scenario(ramMiB: 1024)
    for app in ["a", "b", "c", "s", "t", "front"] {
      scenario = scenario.app(app, MiB: app == "c" ? 9 : 1)
    }
    let rows = """
      0s,a,launch
      1s,b,launch
      2s,c,launch
      3s,s,launch
      4s,s,background-mode,1,,mode=audio
      5s,t,launch
      6s,t,background-mode,1,,mode=audio
      7s,front,launch
      50s,,system-memory,1000MiB
      51s,,end
      """
    func order(preserve: Int) throws -> [String] {
      let replayed = try scenario.with {
        $0.policy = "aosp-rank:preserve=\(preserve),recency=0,size=1,uses=0"
      }.replay(rows, on: .fast)
      return try #require(replayed.decisions.first).candidates
        .map { replayed.apps[$0.app.position] }
    }
    #expect(try order(preserve: 3) == ["c", "a", "b"])
    #expect(try order(preserve: 4) == ["a", "b", "c"])
  }

  // MARK: OomAdjuster

  /// An app before a pass.
  struct Process: Sendable {
    var state = AppState.suspended
    var wasShown = true
    var hasMode = false
    var hasTask = false
    var isWoken = false
    /// Seconds since it left the front.
    var left: Int64 = 60
    /// `adj` of the catalog.
    var written = Int16.min
  }

  /// Apps and what a pass gives them.
  struct Pass: Sendable, CustomTestStringConvertible {
    let id: String
    let processes: [Process]
    let adjs: [Int16]
    /// The app on top of a sleeping device.
    var topSleeping: Int?
    var testDescription: String { id }
  }

  private static func services(_ count: Int) -> [Process] {
    (0..<count).map { Process(state: .background, hasTask: true, left: 60 + Int64($0)) }
  }

  static let passes = [
    Pass(id: "J1", processes: [Process(written: -800)], adjs: [-800]),
    Pass(id: "J2", processes: [Process(written: -800)], adjs: [-800], topSleeping: 0),
    Pass(id: "J3", processes: [Process(state: .background, written: -800)], adjs: [-800]),
    Pass(id: "J4", processes: [Process(state: .active, written: -800)], adjs: [-800]),
    Pass(id: "J5", processes: [Process(state: .active)], adjs: [0]),
    Pass(id: "J6", processes: [Process()], adjs: [0], topSleeping: 0),
    Pass(
      id: "J9", processes: [Process(state: .background, wasShown: false, isWoken: true)], adjs: [0]),
    Pass(id: "J10", processes: [Process(state: .background, isWoken: true)], adjs: [0]),
    Pass(id: "J12", processes: [Process(wasShown: false)], adjs: [905]),
    Pass(id: "J14", processes: [Process(state: .background, hasMode: true)], adjs: [200]),
    Pass(
      id: "J15", processes: [Process(state: .background, hasMode: true, left: 14)], adjs: [50]),
    Pass(
      id: "J16", processes: [Process(state: .background, hasMode: true, left: 15)], adjs: [200]),
    Pass(id: "J25", processes: [Process(written: 600), Process(left: 70)], adjs: [600, 700]),
    Pass(
      id: "J26", processes: [Process(state: .active), Process(), Process(left: 70)],
      adjs: [0, 700, 900]),
    Pass(id: "J31", processes: services(6), adjs: [500, 500, 500, 800, 800, 800]),
    Pass(id: "J33", processes: services(1), adjs: [500]),
    Pass(id: "J55", processes: services(3), adjs: [500, 500, 800]),
  ]

  @Test("OomAdjuster: who gets which value", arguments: passes)
  func pass(_ example: Pass) throws {
    let rows = example.processes.indices.map { "0s,app\($0),launch" } + ["1s,,end"]
    let now: Int64 = 1_000_000_000_000
    var apps = AppTable(
      trace: try Trace(rows: rows.joined(separator: "\n")),
      profiles: example.processes.map { process in
        var profile = AppProfile()
        profile.oomScoreAdj = process.written
        return profile
      })
    var adjuster = OomAdjuster(
      appCount: example.processes.count, limits: CachedAppLimits(maximum: 32))
    for (position, process) in example.processes.enumerated() {
      let app = AppIndex(position)
      apps[app].state = process.state
      apps[app].wasShown = process.wasShown
      apps[app].modes = process.hasMode ? 1 : 0
      apps[app].openTaskCount = process.hasTask ? 1 : 0
      apps[app].wokenAt = process.isWoken ? now : -1
      apps[app].lastLeftFront = process.wasShown ? now - process.left * 1_000_000_000 : .min
      adjuster.began(app)
    }
    // The lists of services rest on the pass before.
    for _ in 0..<2 {
      adjuster.pass(
        apps, at: now, topSleeping: example.topSleeping.map { AppIndex($0) } ?? .none)
    }
    #expect(example.processes.indices.map { adjuster.adj(AppIndex($0)) } == example.adjs)
  }
}
