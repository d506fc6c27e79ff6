/// Replays a trace under one policy.
///
/// All rules are in ``Simulation``, ``ReplayLoop`` goes through the trace, and ``PolicySeat`` speaks
/// with the policy.
struct ReplayEngine<Policy: PurgePolicy>: ~Copyable {
  private var loop: ReplayLoop
  private var seat: PolicySeat<Policy>

  /// - Parameters:
  ///   - model: The pressure model that serves the family in force.
  ///   - name: What errors call the policy.
  ///   - knowsFront: See ``PurgePolicy/ordersFront(under:)``.
  ///   - draws: Whether the policy draws, so that seeds differ.
  init(
    _ trace: Trace, _ configuration: RunConfiguration, model: any PressureModel.Type,
    policy: Policy, name: String, modifiers: PolicyModifiers, knowsFront: Bool, draws: Bool,
    recorder: (any Recorder)?
  ) throws(RunError) {
    loop = try ReplayLoop(
      trace, configuration, model: model, for: Policy.self, modifiers: modifiers,
      knowsFront: knowsFront, draws: draws, recorder: recorder)
    seat = PolicySeat(policy, name: name, appNames: trace.apps)
  }

  var policy: Policy { seat.policy }

  /// The world, for tests.
  var simulation: Simulation { _read { yield loop.simulation } }

  /// Lets the run end apps where the capture did, instead of deciding.
  mutating func follow(_ causes: Set<ExitCause>) {
    loop.simulation.followed.causes = causes
    loop.simulation.goesStraight = false
    loop.simulation.hasLaunchesOnly = false
  }

  /// Runs to the end of the trace.
  mutating func run(_ trace: Trace) throws(RunError) -> RunResult {
    try seat.run(&loop, trace)
    return loop.finish()
  }
}
