package import JettisonCore
internal import JettisonPolicies

/// Anything that replays a trace under a configuration with a policy and its modifiers.
package typealias EngineUnderTest =
  @Sendable (Trace, RunConfiguration, String, String) -> (
    RunResult, [EventRecord], [DecisionRecord]
  )

/// Engines that must pass every test of the documented model.
///
/// A new engine is one more entry.
package let enginesUnderTest: [NamedEngine] = [.model, .fast]

/// An engine with the name under which tests report it.
package struct NamedEngine: Sendable, CustomStringConvertible {
  package let description: String
  package let run: EngineUnderTest

  package init(_ name: String, run: @escaping EngineUnderTest) {
    self.description = name
    self.run = run
  }

  /// The model engine.
  package static let model = NamedEngine("model") { trace, configuration, policy, modifiers in
    let name = ModelPolicyName(rawValue: policy) ?? .lru
    let outcome = ModelEngine(trace, configuration, policy: name, modifiers: modifiers).run()
    return (outcome.result, outcome.events, outcome.decisions)
  }

  /// The engine that ships.
  package static let fast = NamedEngine("fast") { trace, configuration, policy, modifiers in
    let recorder = CapturingRecorder(wantsFootprints: false)
    do {
      let spec = try PolicySpec(parsing: policy + modifiers)
      let result = try spec.run(trace, configuration, recorder: recorder)
      return (result, recorder.events, recorder.decisions)
    } catch RunError.appLargerThanMemory {
      // An input error, which the model engine does not know: nothing to compare.
      return model.run(trace, configuration, policy, modifiers)
    } catch {
      return (RunResult.failed(appCount: trace.apps.count), [], [])
    }
  }
}

extension RunResult {
  /// Stands for a run that threw.
  fileprivate static func failed(appCount: Int) -> RunResult {
    RunResult(
      apps: Array(repeating: AppTotals(), count: appCount), footprints: [],
      system: SystemTotals(), relaunchWaits: [], staleness: [])
  }
}

extension RandomCase {
  /// Replays the case on any engine.
  package func run(on engine: NamedEngine) throws(TraceRowProblem) -> ModelOutcome {
    let (trace, configuration) = try inputs()
    let (result, events, decisions) = engine.run(
      trace, configuration, policy.rawValue, modifiers)
    return ModelOutcome(result: result, events: events, decisions: decisions)
  }

  /// How an engine's outcome differs from the model's; empty if it does not.
  package func differences(of engine: NamedEngine) throws(TraceRowProblem) -> [String] {
    try runModel().differences(from: run(on: engine))
  }

  /// The smallest case found that still makes an engine differ, with the differences.
  package func shrunkReport(against engine: NamedEngine) throws(TraceRowProblem) -> String {
    let small = shrink(self) { ((try? $0.differences(of: engine)) ?? []).isEmpty == false }
    let lines = try small.differences(of: engine)
    return "\(small)\n\(lines.joined(separator: "\n"))"
  }
}
