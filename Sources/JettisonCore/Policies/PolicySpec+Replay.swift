extension PolicySpec {
  /// Replays a trace as the capture went, and asks this policy at every end that was observed.
  ///
  /// The simulated system decides nothing: an app ends when the capture says so, and no other
  /// app ends for lack of memory. At each `observed-exit` of one of `causes` whose app runs here, the policy
  /// ranks all apps that may go, as a decision about all of them would find them, and the
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
      trace, configuration,
      policy: WatchedPolicy(
        policy, others: [], decision: 0, appNames: trace.apps), spec: self, recorder: recorder)
    engine.follow(causes)
    _ = try engine.run(trace)
  }

  /// The policy by itself, for runs that look at it from outside.
  func policy(in context: PolicyContext) throws(RunError) -> any PurgePolicy {
    try made(by: descriptor.make, in: context)
  }

  /// A policy by itself, from its arguments.
  @usableFromInline
  func made<Policy>(
    by make: PolicyDescriptor.Maker<Policy>, in context: PolicyContext
  ) throws(RunError) -> Policy {
    do throws(ConfigurationError) {
      return try make(arguments, context)
    } catch {
      throw .policyFailed(policy: name, reason: error.description)
    }
  }
}

// MARK: - Several at once

extension PolicySpec {
  /// Replays a trace under several policies; the results, in their order, are the same
  /// as from ``run(_:_:recorder:)``.
  ///
  /// What is the same for all of them, up to the decision that tells them apart, is replayed once
  /// (``SharedReplay``).
  ///
  /// - Precondition: Each of them ``mayShareWorld(_:_:)``.
  package static func run(
    _ specs: [PolicySpec], _ trace: Trace, _ configuration: RunConfiguration,
    sharing work: SharedWork?
  ) -> [Result<RunResult, RunError>] {
    precondition(
      specs.allSatisfy { $0.mayShareWorld(trace, configuration) }, "all may share one world")
    do throws(RunError) {
      try configuration.check(appCount: trace.apps.count)
    } catch {
      return specs.map { _ in .failure(error) }
    }
    let context = PolicyContext(trace, configuration, work: work)
    var members: [SharedReplay.Member] = []
    var failures: [Int: RunError] = [:]
    for (position, spec) in specs.enumerated() {
      do throws(RunError) {
        members.append(
          SharedReplay.Member(
            position: members.count, seat: spec.seat(for: try spec.policy(in: context), context),
            rules: spec.rules(under: configuration), goOn: spec.descriptor.goOn))
      } catch {
        failures[position] = error
      }
    }
    var outcomes = share(trace, configuration, members)[...]
    return specs.indices.map { failures[$0].map { .failure($0) } ?? outcomes.removeFirst() }
  }

  /// A seat for a policy of any type.
  private func seat(for policy: some PurgePolicy, _ context: PolicyContext) -> any SharedSeat {
    PolicySeat(policy, name: name, appNames: context.appNames)
  }

  private static func share(
    _ trace: Trace, _ configuration: RunConfiguration, _ members: [SharedReplay.Member]
  ) -> [Result<RunResult, RunError>] {
    do throws(RunError) {
      var replay = SharedReplay(
        try ReplayLoop(
          trace, configuration, model: configuration.pressure.family.model,
          modifiers: PolicyModifiers(), rules: .shared, recorder: nil),
        members)
      return replay.run(trace)
    } catch {
      return members.map { _ in .failure(error) }
    }
  }

  /// Whether a run without a listener may share its world with others: its modifiers choose no
  /// more than the order, apps are in memory as figures, room is not made first (in a textbook cache,
  /// where nearly each launch has a decision, runs part at once), and the world is small: one for each
  /// policy may have to be kept.
  package func mayShareWorld(_ trace: Trace, _ configuration: RunConfiguration) -> Bool {
    let hasArenas =
      configuration.footprints == .arena
      && trace.index.facts.contains { AppMemory.needsArena($0, configuration) }
    let isSmall = trace.apps.count <= 500 && trace.blockSlotCount <= 10_000
    return !modifiers.decidesEligibility && !modifiers.choosesSets && !hasArenas && isSmall
      && !configuration.pressure.family.model.traits.makesRoomFirst
  }

  private func rules(under configuration: RunConfiguration) -> ReplayLoop.Rules {
    ReplayLoop.Rules(
      savedFirst: modifiers.isSavedFirst, choosesSets: false, isMinimal: false, units: nil,
      knowsFront: descriptor.ordersFront(configuration.pressure), draws: descriptor.draws,
      findsOneByOne: false, keepsScores: false, boundsParts: false)
  }
}

extension ReplayLoop.Rules {
  /// Of a world that policies share: each has rules of its own.
  fileprivate static let shared = ReplayLoop.Rules(
    savedFirst: false, choosesSets: false, isMinimal: false, units: nil, knowsFront: false,
    draws: false, findsOneByOne: true, keepsScores: false, boundsParts: false)
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
