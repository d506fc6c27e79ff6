import JettisonCore
import JettisonPolicies
import JettisonReports
import JettisonSupport
import JettisonTestSupport
import JettisonTraces
import Testing

@testable import JettisonExperiments

@Suite("A capture is compared with its replay")
struct ValidationTests {
  private static let key = RunKey(
    trace: "test", user: "test", policy: "lru", device: "test", memoryBytes: 100 << 20, seed: 1)

  /// 100 MiB of which apps take whole MiB: purging begins below 10 MiB and goes on until 12.
  private static func run(
    _ trace: Trace, _ scenario: Scenario, policy: String = "lru",
    terms: ValidationTerms = ValidationTerms()
  ) throws -> ValidatedRun {
    var configuration = scenario.configuration
    configuration.profiles = trace.apps.map { scenario.profiles[$0] ?? AppProfile() }
    return try ValidationRunner(terms).run(
      trace, configuration, PolicySpec(parsing: policy), key: key)
  }

  private static let four = Scenario().app("a", MiB: 30).app("b", MiB: 30).app("c", MiB: 25)
    .app("d", MiB: 10).app("z", MiB: 1)

  /// A second after 30 s, when c is suspended, a goes: memory is short, and it was left first.
  ///
  /// Then 35 MiB are available. The rows of the capture are put in by their time.
  private static func story(_ rows: [(seconds: Double, row: String)], launchesD: Bool = true)
    throws -> Trace
  {
    var all: [(seconds: Double, row: String)] = [
      (0, "a,launch,,,"), (10, "b,launch,,,"), (20, "c,launch,,,"),
    ]
    if launchesD { all.append((30, "d,launch,,,")) }
    all += rows
    all.append((200, ",end,,,reason=complete"))
    var text = TraceText()
    for (_, entry) in all.enumerated().sorted(by: {
      ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset)
    }) {
      text = text.raw("\(Int64(entry.seconds * 1e9)),\(entry.row)")
    }
    return try text.trace()
  }

  struct Miss: Sendable, CustomTestStringConvertible {
    let name: String
    /// App and second of the observed kill.
    let kill: (app: String, seconds: Double)
    var rows: [(Double, String)] = []
    var launchesD = true
    let outcome: ValidationRow.Outcome
    var offset: Double?
    var reason = ""
    var other = ""
    var decisionRank: Int?
    var rank: Int?
    var count: Int?
    var testDescription: String { name }
  }

  static let examples: [Miss] = [
    Miss(
      name: "the same app, a second before", kill: ("a", 32), outcome: .matched, offset: -1,
      decisionRank: 1, rank: 1, count: 4),
    Miss(
      name: "another victim: a was left earlier", kill: ("b", 31), outcome: .otherVictim,
      other: "a", decisionRank: 2, rank: 2, count: 4),
    Miss(
      name: "no candidate: in front", kill: ("d", 31), outcome: .notCandidate, reason: "front",
      other: "a", rank: 4, count: 4),
    Miss(
      name: "no candidate: plays in the background", kill: ("c", 31),
      rows: [(21, "c,background-mode,1,,mode=audio")], outcome: .notCandidate, reason: "running",
      other: "a", rank: 3, count: 4),
    Miss(
      name: "no candidate: pinned", kill: ("b", 31), rows: [(11, "b,pin,1,,reason=user")],
      outcome: .notCandidate, reason: "pinned", other: "a"),
    Miss(
      name: "gone already", kill: ("a", 100), outcome: .purgedEarlier, offset: -69,
      reason: "thresholds", rank: 1, count: 4),
    Miss(
      name: "went later", kill: ("a", 15), outcome: .purgedLater, offset: 16, rank: 1, count: 2),
    Miss(
      name: "shown again before it went here", kill: ("a", 15), rows: [(16, "a,launch,,,")],
      launchesD: false, outcome: .noDecision, rank: 1, count: 2),
    Miss(
      name: "quit before", kill: ("a", 26), rows: [(25, "a,quit,,,")], launchesD: false,
      outcome: .notRunning, reason: "quit"),
    Miss(name: "never started", kill: ("z", 26), outcome: .notRunning, reason: "never-started"),
    Miss(
      name: "memory was not short", kill: ("b", 15), launchesD: false, outcome: .noDecision,
      rank: 2, count: 2),
  ]

  @Test("Every kind of miss names its decision", arguments: examples)
  func explains(_ miss: Miss) throws {
    let trace = try Self.story(
      miss.rows + [(miss.kill.seconds, "\(miss.kill.app),observed-exit,,,cause=low-memory;band=9")],
      launchesD: miss.launchesD)
    let run = try Self.run(trace, Self.four)
    let row = try #require(run.rows.first { $0.kind == .observedKill })
    #expect(row.app == miss.kill.app)
    #expect(row.cause == "low-memory")
    #expect(row.band == 9)
    #expect(row.outcome == miss.outcome)
    #expect(row.offsetNanoseconds == miss.offset.map { Int64($0 * 1e9) })
    #expect(row.reason == miss.reason)
    #expect(row.otherApp == miss.other)
    #expect(row.decisionRank == miss.decisionRank)
    #expect(row.rank == miss.rank)
    #expect(row.candidateCount == miss.count)
    #expect(row.isExact == (miss.outcome == .matched))
    #expect(run.figures.observedKills == 1)
    #expect(run.figures.matchedKills == (miss.outcome == .matched ? 1 : 0))
  }

  @Test("At the moment memory is what it was here just before the row")
  func available() throws {
    let trace = try Self.story([(15, "b,observed-exit,,,cause=low-memory")], launchesD: false)
    let row = try #require(try Self.run(trace, Self.four).rows.first)
    #expect(row.availableBytes == 40 << 20)
    #expect(row.level == .normal)
  }

  @Test("Measured available memory is compared with that of the run, after the rows of its instant")
  func measured() throws {
    let trace = try Self.story(
      [
        (15, ",observed-available,31457280,,"), (25, ",observed-available,52428800,,"),
        // 100 − 85 − 20 MiB are available once the system has 20: a goes, which makes 25.
        (26, ",observed-available,20971520,,"), (26, ",system-memory,20971520,,"),
      ], launchesD: false)
    let run = try Self.run(trace, Self.four)
    let rows = run.rows.filter { $0.kind == .observedAvailable }
    let mebibyte: Int64 = 1 << 20
    #expect(rows.map(\.observedBytes) == [30 * mebibyte, 50 * mebibyte, 20 * mebibyte])
    #expect(rows.map(\.availableBytes) == [40 * mebibyte, 15 * mebibyte, 25 * mebibyte])
    #expect(rows.map(\.outcome) == [.compared, .compared, .compared])
    #expect(run.figures.measurements == 3)
    #expect(run.figures.meanAbsoluteDifferenceBytes == Double(50 * mebibyte) / 3)
    #expect(run.figures.meanDifferenceBytes == Double(-20 * mebibyte) / 3)
    #expect(run.figures.largestDifferenceBytes == Double(35 * mebibyte))
    #expect(run.figures.observedKills == 0)
  }

  @Test("The last row of a capture is compared, too; those of the warm-up are not")
  func measuredLast() throws {
    let trace = try Self.story([
      (15, ",observed-available,31457280,,"), (200, ",observed-available,31457280,,"),
    ])
    var scenario = Self.four
    scenario.configuration.warmUpNanoseconds = 20_000_000_000
    let run = try Self.run(trace, scenario)
    let rows = run.rows.filter { $0.kind == .observedAvailable }
    #expect(rows.map(\.timeNanoseconds) == [200_000_000_000])
    #expect(rows.map(\.differenceBytes) == [5 << 20])
  }

  @Test("By chance: a kill of the app within the window of any moment of the capture")
  func chanceInTime() throws {
    let trace = try Self.story([
      (31, "a,observed-exit,,,cause=low-memory"), (100, "b,observed-exit,,,cause=low-memory"),
    ])
    let run = try Self.run(trace, Self.four)
    // The run ends a once, and b never: 20 of 200 seconds are within ten of it.
    #expect(run.rows.filter { $0.kind == .observedKill }.map(\.chanceOfMatch) == [0.1, 0])
    #expect(run.figures.chanceOfMatchedKills == 0.1)
  }

  @Test("What the simulation alone ended is a row too, and lowers the precision")
  func unobserved() throws {
    let trace = try Self.story([(31, "b,observed-exit,,,cause=page-shortage")])
    let run = try Self.run(trace, Self.four)
    let extra = run.rows.filter { $0.kind == .simulatedKill }
    #expect(extra.map(\.app) == ["a"])
    #expect(extra.map(\.cause) == ["thresholds"])
    #expect(extra.map(\.timeNanoseconds) == [31_000_000_000])
    #expect(run.figures.precision == 0)
    #expect(run.figures.recall == 0)
    #expect(run.figures.firstDifferenceNanoseconds == 31_000_000_000)
  }

  @Test("Two victims of one moment: same set, and exact only in the same order")
  func order() throws {
    // 100 − 85 − 45 = −30 MiB are available at 30 s; 0 when a is gone, 30 when b is.
    let scenario = Self.four.app("d", MiB: 45)
    for (rows, isExact) in [(["a", "b"], true), (["b", "a"], false)] {
      let trace = try Self.story(
        rows.enumerated().map {
          (31 + Double($0.offset), "\($0.element),observed-exit,,,cause=low-memory")
        })
      let figures = try Self.run(trace, scenario).figures
      #expect(figures.matchedKills == 2)
      #expect(figures.sameSetKills == 2)
      #expect(figures.exactKills == (isExact ? 2 : 0))
      // Asked at the moment: b before a is the second choice, then a the first.
      #expect(figures.meanReciprocalRank == (isExact ? 1 : 0.75))
      #expect(figures.unobservedKills == 0)
    }
  }

  @Test("Chance is that of a random order of all apps that might have gone")
  func chance() throws {
    let trace = try Self.story([(31, "a,observed-exit,,,cause=low-memory")])
    let figures = try Self.run(trace, Self.four).figures
    #expect(figures.rankedKills == 1)
    #expect(figures.chanceOfFirstKills == 0.25)
    #expect(figures.chanceOfTop3Kills == 0.75)
    // (1 + 1/2 + 1/3 + 1/4) / 4 = 25/48.
    let chance = try #require(figures.chanceOfMeanReciprocalRank)
    #expect(abs(chance - 25.0 / 48) < 1e-12)
  }

  @Test("Asked at the moment, later kills find the state that the capture left")
  func followed() throws {
    // The capture ends b, then a; alone, the simulation would have ended a and nobody else.
    let trace = try Self.story([
      (31, "b,observed-exit,,,cause=low-memory"), (60, "a,observed-exit,,,cause=low-memory"),
    ])
    let rows = try Self.run(trace, Self.four).rows.filter { $0.kind == .observedKill }
    #expect(rows.map(\.rank) == [2, 1])
    #expect(rows.map(\.candidateCount) == [4, 3])
    #expect(rows.map(\.outcome) == [.otherVictim, .purgedEarlier])
  }

  @Test("Only ends for memory count, unless causes are named")
  func causes() throws {
    let trace = try Self.story([
      (40, "b,observed-exit,,,cause=user-request"), (50, "c,observed-exit,,,"),
      (60, "d,observed-exit,,,cause=idle-exit"),
    ])
    let captured = CapturedOutcomes(trace, causes: ValidationTerms.causesOfMemory)
    #expect(captured.kills.map(\.cause) == [.idleExit])
    #expect(captured.otherExits == [.userRequest: 1, .unknown: 1])
    let chosen = ValidationTerms(causes: [.unknown])
    let run = try Self.run(trace, Self.four, terms: chosen)
    #expect(run.rows.filter { $0.kind == .observedKill }.map(\.app) == ["c"])
  }

  @Test("A trace says every cause in its own word", arguments: ExitCause.allCases)
  func word(_ cause: ExitCause) throws {
    let trace = try Self.story([(40, "b,observed-exit,,,cause=\(cause.name);band=-17")])
    let kill = try #require(CapturedOutcomes(trace, causes: [cause]).kills.first)
    #expect(kill.cause == cause)
    #expect(kill.band == -17)
    #expect(CapturedOutcomes(trace, causes: []).otherExits == [cause: 1])
  }

  @Test("Rows of the warm-up do not count, on either side")
  func warmUp() throws {
    let trace = try Self.story([
      (31, "a,observed-exit,,,cause=low-memory"), (100, "b,observed-exit,,,cause=low-memory"),
    ])
    var scenario = Self.four
    scenario.configuration.warmUpNanoseconds = 50_000_000_000
    let run = try Self.run(trace, scenario)
    #expect(run.rows.map(\.kind) == [.observedKill])
    #expect(run.rows.map(\.app) == ["b"])
    #expect(run.rows.map(\.rank) == [1])
  }
}

@Suite("A validation from Swift")
struct OwnValidationTests {
  /// Two launches, of which the first app goes when the second grows.
  private static let play = TraceText().header("device: iphone-4").row(0, "notes", "launch")
    .row(9, "game", "launch").row(20, "game", "footprint", value: 300_000_000)

  private func experiment(_ traces: [TraceText], on pressure: PressureModelKind? = nil) throws
    -> Experiment
  {
    var specification = ExperimentSpecification(traces: [], policies: try .reading("lru,size"))
    specification.pressure = pressure
    let loaded = try traces.enumerated().map { number, text in
      let trace = try text.trace(name: "t\(number)")
      return LoadedTrace(
        path: "t\(number)", trace: trace, catalog: try Catalog(for: trace, at: "t"))
    }
    return Experiment(try RunPlanner(specification).plan(loaded))
  }

  /// Keeps what it gets.
  private final class Keeper: ValidationSink {
    private(set) var runs: [ValidatedRun] = []
    private(set) var isPublished = false

    func finish(_ runs: [ValidatedRun]) { self.runs += runs }
    func publish() { isPublished = true }
  }

  @Test("Runs, conditions that they meet, and traces that show nothing")
  func result() async throws {
    let told = Self.play.row(21, "notes", "observed-exit", detail: "cause=low-memory").end(70)
    let silent = Self.play.row(21, "notes", "observed-exit", detail: "cause=user-request").end(70)
    var terms = ValidationTerms()
    terms.gates = [try ValidationGate(parsing: "observed_kills > 0")]
    let validation = try Validation(of: experiment([told, silent]), terms)
    #expect(validation.incomparable.map(\.path) == ["t1"])
    #expect(validation.incomparable.map(\.otherExits) == [[.userRequest: 1]])
    let keeper = Keeper()
    let result = try await validation.run(into: [keeper], jobs: 2)
    #expect(keeper.isPublished && keeper.runs.map(\.key) == result.runs.map(\.key))
    #expect(
      result.runs.map { "\($0.key.trace) \($0.key.policy)" } == [
        "t0 lru", "t0 size", "t1 lru", "t1 size",
      ])
    #expect(result.runs.map(\.figures.observedKills) == [1, 1, 0, 0])
    #expect(result.failures.isEmpty)
    #expect(result.metGates.map(\.key.policy) == ["lru", "size"])
    #expect(
      result.metGates.first?.sentence
        == "t0, lru, iphone-4, seed 1: observed_kills is 1, which meets 'observed_kills>0'")
  }

  @Test("A trace that cannot be validated is reported")
  func errors() throws {
    let silent = try experiment([Self.play.end(70)])
    let error = try #require(throws: Validation.Failure.self) { try Validation(of: silent) }
    guard case .nothingToCompare(let traces) = error else {
      Issue.record("what is thrown: \(error)")
      return
    }
    #expect(traces.count == 1)
    #expect(error.description.hasPrefix("t0: there is nothing to compare with: it has no "))
    let told = Self.play.row(21, "notes", "observed-exit", detail: "cause=low-memory").end(70)
    #expect(throws: Validation.Failure.self) {
      try Validation(of: experiment([told], on: .idealCache))
    }
    #expect(throws: Validation.Failure.self) {
      try Validation(of: experiment([told]), ValidationTerms(windowNanoseconds: -1))
    }
    #expect(throws: ConfigurationError.self) { try ValidationGate(parsing: "recal<0.5") }
  }
}

@Suite("Observed warnings are compared with simulated ones")
struct WarningValidationTests {
  /// 100 MiB: the level is warning below 15 MiB, critical below 5.
  private static func rows(_ observed: [(Double, String)]) throws -> [ValidationRow] {
    var text = TraceText()
    let play: [(Double, String)] = [
      (0, "a,launch,,,"), (10, "b,launch,,,"), (20, "b,footprint,56623104,,"),
    ]
    for (_, entry) in (play + observed + [(24, ",end,,,reason=complete")]).enumerated().sorted(
      by: { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) })
    {
      text = text.raw("\(Int64(entry.0 * 1e9)),\(entry.1)")
    }
    let trace = try text.trace()
    // At 20 s a has 34 MiB and b 54: 12 are available, which is warning and nobody's end.
    let scenario = Scenario().app("a", MiB: 34).app("b", MiB: 30)
    var configuration = scenario.configuration
    configuration.profiles = trace.apps.map { scenario.profiles[$0] ?? AppProfile() }
    return try ValidationRunner(ValidationTerms(windowNanoseconds: 2_000_000_000)).run(
      trace, configuration, PolicySpec(parsing: "lru"),
      key: RunKey(
        trace: "t", user: "u", policy: "lru", device: "d", memoryBytes: 100 << 20, seed: 1)
    ).rows
  }

  private static func tell(_ rows: [ValidationRow]) -> [String] {
    rows.map { row in
      let time = NumberText.seconds(nanoseconds: row.timeNanoseconds)
      return "\(row.kind.rawValue) \(time) \(row.app.isEmpty ? "all" : row.app) "
        + "\(row.level?.name ?? "") \(row.outcome.rawValue)"
    }
  }

  @Test("A warning to the device is matched by a round of the simulation at its level")
  func rounds() throws {
    #expect(
      Self.tell(try Self.rows([(21, ",observed-warning,1,,")])) == [
        "observed-warning 21 all warning matched"
      ])
    #expect(
      Self.tell(try Self.rows([(21, ",observed-warning,2,,")])) == [
        "simulated-warning 20 all warning unobserved",
        "observed-warning 21 all critical other-level",
      ])
    #expect(
      Self.tell(try Self.rows([(5, ",observed-warning,1,,"), (9, ",observed-warning,0,,")])) == [
        "observed-warning 5 all warning no-warning",
        "simulated-warning 20 all warning unobserved",
      ])
  }

  @Test("A warning to an app is matched by one to the same app; of others the capture is silent")
  func apps() throws {
    #expect(
      Self.tell(try Self.rows([(21, "b,observed-warning,1,,")])) == [
        "observed-warning 21 b warning matched"
      ])
  }

  @Test("Without observed warnings nothing is said of simulated ones")
  func none() throws {
    #expect(Self.tell(try Self.rows([(21, "a,observed-exit,,,cause=crash")])) == [])
  }
}
