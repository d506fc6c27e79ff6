import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

@Suite("A run that follows the capture")
struct FollowedCaptureTests {
  private static let causes: Set<ExitCause> = [.lowMemory]

  private static func follow(
    _ trace: Trace, _ scenario: Scenario, policy: String = "lru"
  ) throws -> CapturingRecorder {
    var configuration = scenario.configuration
    configuration.profiles = trace.apps.map { scenario.profiles[$0] ?? AppProfile() }
    let recorder = CapturingRecorder(wantsFootprints: false)
    try PolicySpec(parsing: policy).follow(
      trace, configuration, causes: causes, recorder: recorder)
    return recorder
  }

  private static func ends(_ recorder: CapturingRecorder, _ trace: Trace) -> [String] {
    recorder.events.filter {
      [.purge, .kill, .ended, .watchdog, .taskExpired].contains($0.kind)
    }.map {
      "\($0.kind.name) \(trace.apps[$0.app.position]) \($0.timeNanoseconds / 1_000_000_000)"
    }
  }

  private static func order(_ decision: DecisionRecord, _ trace: Trace) -> String {
    decision.candidates.map { trace.apps[$0.app.position] }.joined(separator: " ")
  }

  @Test("Only the apps that the capture ends end, however short memory is")
  func nobodyElse() throws {
    // 100 MiB, of which the three want 180; c is over its own limit too.
    let trace = try TraceText().row(0, "a", "launch").row(10, "b", "launch")
      .row(20, "c", "launch").row(40, "a", "observed-exit", detail: "cause=low-memory")
      .end(60).trace()
    let scenario = Scenario().app("a", MiB: 60).app("b", MiB: 60).app("c", MiB: 60) {
      $0.limitBytes = 50 << 20
    }
    let recorder = try Self.follow(trace, scenario)
    #expect(Self.ends(recorder, trace) == ["purge a 40"])
    #expect(recorder.decisions.count == 1)
    #expect(recorder.decisions.first?.availableBytes == -80 << 20)
    #expect(recorder.decisions.first?.candidates.map(\.isChosen) == [true, false, false])
  }

  @Test("The order is the policy's inside the groups of the model: suspended, running, in front")
  func order() throws {
    // The largest goes first, but d plays music and e is in front.
    let trace = try TraceText().row(0, "a", "launch").row(1, "b", "launch").row(2, "d", "launch")
      .row(3, "d", "background-mode", value: 1, detail: "mode=audio").row(4, "e", "launch")
      .row(10, "a", "observed-exit", detail: "cause=low-memory")
      .row(11, "e", "observed-exit", detail: "cause=low-memory")
      .row(12, "d", "observed-exit", detail: "cause=low-memory").end(20).trace()
    let scenario = Scenario(ramMiB: 400).app("a", MiB: 10).app("b", MiB: 20).app("d", MiB: 90)
      .app("e", MiB: 80)
    let recorder = try Self.follow(trace, scenario, policy: "size")
    #expect(recorder.decisions.map { Self.order($0, trace) } == ["b a d e", "b d e", "b d"])
    #expect(Self.ends(recorder, trace) == ["purge a 10", "kill e 11", "kill d 12"])
  }

  @Test("A pinned app isn't a candidate, and ends all the same")
  func pinned() throws {
    let trace = try TraceText().row(0, "a", "launch")
      .row(1, "a", "pin", value: 1, detail: "reason=user").row(2, "b", "launch")
      .row(10, "a", "observed-exit", detail: "cause=low-memory").end(20).trace()
    let recorder = try Self.follow(trace, Scenario().app("a", MiB: 10).app("b", MiB: 10))
    #expect(recorder.decisions.map { Self.order($0, trace) } == ["b"])
    #expect(recorder.decisions.first?.spared.map(\.reason) == [.pinned])
    #expect(Self.ends(recorder, trace) == ["purge a 10"])
  }

  @Test(
    "Ends for other reasons are what the capture says, and no decisions",
    arguments: [
      ("user-request", "quit"), ("user-stopped", "quit"), ("package-updated", "update"),
      ("crash", "crash"), ("native-crash", "crash"), ("unknown", "exit"), ("self", "exit"),
    ])
  func otherCauses(_ cause: String, _ end: String) throws {
    let trace = try TraceText().row(0, "a", "launch")
      .row(10, "a", "observed-exit", detail: "cause=\(cause)").row(12, "a", "launch").end(20)
      .trace()
    let recorder = try Self.follow(trace, Scenario().app("a", MiB: 10))
    #expect(recorder.decisions.isEmpty)
    #expect(recorder.events.filter { $0.kind == .ended }.map(\.cause.name) == [end])
    #expect(recorder.events.filter { $0.kind == .launch }.map(\.cause) == [.cold, .cold])
  }

  @Test("Two rows for one life are one decision; an app that does not run makes none")
  func ended() throws {
    let trace = try TraceText().row(0, "a", "launch").row(1, "b", "launch")
      .row(10, "a", "observed-exit", detail: "cause=low-memory")
      .row(10, "a", "observed-exit", detail: "cause=low-memory")
      .row(11, "a", "observed-exit", detail: "cause=low-memory").end(20).trace()
    let recorder = try Self.follow(trace, Scenario().app("a", MiB: 10).app("b", MiB: 10))
    #expect(recorder.decisions.count == 1)
    #expect(Self.ends(recorder, trace) == ["purge a 10"])
  }

  @Test("Without following, an observed exit ends no app")
  func alone() throws {
    let trace = try TraceText().row(0, "a", "launch")
      .row(10, "a", "observed-exit", detail: "cause=low-memory").row(12, "a", "launch").end(20)
      .trace()
    var configuration = Scenario().configuration
    configuration.profiles = [AppProfile()]
    let recorder = CapturingRecorder()
    _ = try PolicySpec(parsing: "lru").run(trace, configuration, recorder: recorder)
    #expect(recorder.events.filter { $0.kind == .launch }.map(\.cause) == [.cold, .hot])
  }

  @Test("Every policy can be asked", arguments: PolicyRegistry.all.filter { !$0.needsArguments })
  func everyPolicy(_ policy: PolicyDescriptor) throws {
    let trace = try TraceText().row(0, "a", "launch").row(1, "b", "launch").row(2, "c", "launch")
      .row(10, "b", "observed-exit", detail: "cause=low-memory")
      .row(20, "c", "observed-exit", detail: "cause=low-memory").end(30).trace()
    for pressure in PressureModelKind.allCases where pressure != .idealCache {
      let scenario = Scenario(ramMiB: 512, pressure: pressure).app("a", MiB: 10).app("b", MiB: 20)
        .app("c", MiB: 30)
      let recorder = try Self.follow(trace, scenario, policy: policy.name)
      #expect(recorder.decisions.map(\.candidates.count) == [3, 2], "\(pressure)")
    }
  }
}
