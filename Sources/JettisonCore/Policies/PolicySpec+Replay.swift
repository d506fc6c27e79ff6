extension PolicySpec {
  /// Replays a trace as the capture went, and asks this policy at every end that was observed.
  ///
  /// The simulated system decides nothing: an app ends when the capture says so, and nobody else
  /// does for memory. At each `observed-exit` of one of `causes` whose app runs here, the policy
  /// puts everybody who may go in order, as a decision about all of them would find them, and the
  /// recorder gets the decision with the observed victim as the chosen one, after the
  /// ``ObservationRecord`` of the row. The apps are grouped as the pressure model does: suspended
  /// before running before the one in front, or by band; inside the groups the policy decides.
  ///
  /// Not for `ideal-cache`, which must make room itself.
  ///
  /// - Throws: ``RunError`` if the run fails.
  package func follow(
    _ trace: Trace, _ configuration: RunConfiguration, causes: Set<ExitCause>,
    recorder: any Recorder
  ) throws(RunError) {
    precondition(configuration.pressure != .idealCache, "a textbook cache makes room itself")
    precondition(recorder.wantsDecisions, "decisions are what the run is for")
    let policy = try policy(in: PolicyContext(trace, configuration))
    var engine = try ReplayEngine(
      trace, configuration, policy: WatchedPolicy(policy, others: [], decision: 0), spec: self,
      recorder: recorder)
    engine.follow(causes)
    _ = try engine.run(trace)
  }

  /// The policy by itself, for runs that look at it from outside.
  func policy(in context: PolicyContext) throws(RunError) -> any PurgePolicy {
    do throws(ConfigurationError) {
      return try descriptor.make(arguments, context)
    } catch {
      throw .policyFailed(policy: name, reason: error.description)
    }
  }
}

extension ReplayEngine {
  /// An engine for a policy as it was written, under the pressure model of the configuration.
  init(
    _ trace: Trace, _ configuration: RunConfiguration, policy: Policy, spec: PolicySpec,
    recorder: (any Recorder)?
  ) throws(RunError) {
    try self.init(
      trace, configuration, model: configuration.pressure.family.model, policy: policy,
      name: spec.name, modifiers: spec.modifiers,
      knowsFront: spec.descriptor.ordersFront(configuration.pressure),
      draws: spec.descriptor.draws, recorder: recorder)
  }
}
