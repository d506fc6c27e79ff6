import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

/// Cases of lmkd's own tests, and of public logs, restated.
@Suite("Other people's tests: Android's lmkd")
struct LMKDaemonCases {
  static let section = OthersSection(
    "Android's lmkd", ids: OthersSection.ids("L", 1...4), passed: OthersSection.ids("L", 1...4),
    different: [], inexpressible: [])

  private static let second: Int64 = 1_000_000_000

  /// A phone of 1 GiB under lmkd, whose order the policy follows.
  private static func phone(
    _ change: (inout AndroidParameters) -> Void = { _ in }
  ) -> Scenario {
    var scenario = Scenario(ramMiB: 1024, pressure: .androidLMKD)
    scenario.policy = "android"
    change(&scenario.configuration.device.pressureParameters.android)
    return scenario
  }

  /// Rows of an app that takes so many MiB every 100 ms until it is dead.
  private static func growth(_ app: String, from start: Int, step: Int, count: Int) -> [String] {
    (1...count).map { tick in
      let tenths = start * 10 + tick
      return "\(tenths / 10).\(tenths % 10)s,\(app),footprint,\(step * tick)MiB"
    }
  }

  @Test("L1: eleven apps of 1000, 900 … 0 that take memory until they die cost eleven kills")
  func everyValue() throws {
    var scenario = Self.phone()
    var rows: [String] = []
    for (place, adj) in stride(from: 1000, through: 0, by: -100).enumerated() {
      let name = "adj\(adj)"
      scenario = scenario.app(name, MiB: 1) { $0.oomScoreAdj = Int16(adj) }
      let start = place * 10
      rows.append("\(start)s,\(name),background-launch")
      rows.append("\(start)s,\(name),background-mode,1,,mode=other")
      rows += Self.growth(name, from: start, step: 100, count: 40)
    }
    let replayed = try scenario.replay(
      (rows + ["120s,,end"]).joined(separator: "\n"), on: .fast)
    let ends = replayed.story(.purge, .kill)
    #expect(ends.count == 11)
    let order = stride(from: 1000, through: 0, by: -100).map { "adj\($0)" }
    #expect(ends.map { String($0.split(separator: " ")[1]) } == order)
    // Each of a rule of the daemon, by its own value.
    #expect(replayed.decisions.filter { !$0.candidates.isEmpty }.count == 11)
    let bands = replayed.decisions.compactMap { $0.candidates.first { $0.isChosen }?.band }
    #expect(bands == Array(stride(from: 1000, through: 0, by: -100)))
  }

  @Test("L2: a kill reports what the victim held, swapped or not, and the next waits for its death")
  func killRow() throws {
    let scenario = Self.phone().app("hog", MiB: 1) { $0.oomScoreAdj = 1000 }
    // 5 MB every 200 µs.
    let rows =
      ["0s,hog,background-launch", "0s,hog,background-mode,1,,mode=other"]
      + Self.growth("hog", from: 1, step: 2500, count: 5) + ["9s,,end"]
    let recorder = CapturingRecorder()
    let trace = try Trace(rows: rows.joined(separator: "\n"))
    var configuration = scenario.configuration
    configuration.profiles = trace.apps.map { scenario.profiles[$0] ?? AppProfile() }
    _ = try PolicySpec(parsing: "android").run(trace, configuration, recorder: recorder)
    let kill = try #require(recorder.events.first { $0.kind == .kill })
    let held = recorder.footprints.last { $0.timeNanoseconds < kill.timeNanoseconds }
    #expect(kill.bytes == held?.footprintBytes)
    #expect((kill.bytes ?? 0) >= 2500 << 20)
    #expect(AndroidParameters().deathNanoseconds >= 0)
  }

  @Test("L3: while free memory stays below min after each kill, even visible apps die in 0.7 s")
  func pressureAfterKill() throws {
    var scenario = Self.phone().app("cached", MiB: 100) { $0.oomScoreAdj = 900 }
    let others = ["visible": 100, "top1": 0, "top2": 0, "top3": 0] as [String: Int16]
    for (name, adj) in others {
      scenario = scenario.app(name, MiB: 60) { $0.oomScoreAdj = adj }
    }
    let launches = (others.keys.sorted() + ["cached"]).flatMap {
      ["0s,\($0),background-launch", "0s,\($0),background-mode,1,,mode=other"]
    }
    let rows = launches + ["10s,,system-memory,2000MiB", "20s,,end"]
    let replayed = try scenario.replay(rows.joined(separator: "\n"), on: .fast)
    let ends = replayed.decisions.filter { $0.trigger == .pressureAfterKill }
    let victims = ends.compactMap { decision in
      decision.candidates.first { $0.isChosen }.map { replayed.apps[$0.app.position] }
    }
    #expect(victims.first == "visible")
    #expect(Set(victims) == Set(others.keys))
    let times = ends.map(\.timeNanoseconds)
    let span = (times.max() ?? 0) - (times.min() ?? 0)
    #expect(span > 0 && span <= Self.second * 7 / 10)
  }

  @Test("L4: with little swap left eleven cached apps go within 1.4 s, for that reason")
  func lowSwap() throws {
    var scenario = Self.phone {
      $0.swapBytes = 110 << 20
      $0.cachedLimit = 0
    }
    scenario.configuration.device.compression = .init(ratio: 2, suspendedShare: 0.9)
    // The first fills swap, and stays.
    scenario = scenario.app("kept", MiB: 200) { $0.oomScoreAdj = -800 }
    let names = (10..<30).map { "app\($0)" }
    for name in names { scenario = scenario.app(name, MiB: 5) }
    let launches = (["kept"] + names).enumerated().map { "\($0.offset)s,\($0.element),launch" }
    // From 45 MiB on, each end gives back 5; the low mark is at 102.
    let rows = launches + ["60s,,system-memory,734MiB", "70s,,end"]
    let replayed = try scenario.replay(rows.joined(separator: "\n"), on: .fast)
    let ends = replayed.decisions.filter { $0.trigger == .lowMemAndSwap && !$0.candidates.isEmpty }
    #expect(ends.count >= 11)
    let times = ends.map(\.timeNanoseconds)
    try #require(times.count >= 11)
    #expect(times[10] - times[0] <= Self.second * 14 / 10)
    #expect(ends.prefix(11).allSatisfy { $0.candidates.first { $0.isChosen }?.state == .suspended })
  }
}
