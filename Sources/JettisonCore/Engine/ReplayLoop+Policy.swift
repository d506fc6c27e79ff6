extension ReplayLoop {
  /// A loop for one policy.
  ///
  /// - Parameters:
  ///   - model: The pressure model that serves the family in force.
  ///   - knowsFront: See ``PurgePolicy/ordersFront(under:)``.
  ///   - draws: Whether the policy draws, so that seeds differ.
  init(
    _ trace: Trace, _ configuration: RunConfiguration, model: any PressureModel.Type,
    for policy: any PurgePolicy.Type, modifiers: PolicyModifiers, knowsFront: Bool, draws: Bool,
    recorder: (any Recorder)?
  ) throws(RunError) {
    let findsOneByOne = Self.findsOneByOne(
      trace, configuration, model: model, policy, modifiers: modifiers, recorder: recorder)
    let rules = Rules(
      savedFirst: modifiers.isSavedFirst, choosesSets: modifiers.choosesSets,
      isMinimal: modifiers.isMinimal, units: modifiers.units(of: trace.apps, configuration),
      knowsFront: knowsFront, draws: draws, findsOneByOne: findsOneByOne,
      keepsScores: findsOneByOne && policy.search == .keepingScores,
      boundsParts: policy.boundsParts)
    try self.init(
      trace, configuration, model: model, modifiers: modifiers, rules: rules, recorder: recorder)
    simulation.notes.wantsEvents = policy.observesEvents
    simulation.notes.wantsFootprints = policy.observesEvents && policy.observesFootprints
    simulation.notes.hearsLater = policy.mayHearLater
  }

  /// Whether victims are found one by one, without scoring every candidate.
  ///
  /// Where the launched app comes in once there is room, any app in memory may go; logs and modifiers
  /// that choose among all need the whole order.
  private static func findsOneByOne(
    _ trace: Trace, _ configuration: RunConfiguration, model: any PressureModel.Type,
    _ policy: any PurgePolicy.Type, modifiers: PolicyModifiers, recorder: (any Recorder)?
  ) -> Bool {
    let choice = ChoiceRules(modifiers, configuration)
    guard model.traits.makesRoomFirst, recorder?.wantsDecisions != true, !modifiers.choosesSets,
      !modifiers.isSavedFirst, choice.recentCount == 0, choice.intervalNanoseconds == 0
    else { return false }
    switch policy.search {
    case .scoringAll: return false
    case .keepingScores: return true
    // Apps that ran before the trace began are in no queue.
    case .naming: return trace.index.kindCounts[Int(EventKind.present.rawValue)] == 0
    }
  }

  // MARK: Victims one by one

  /// An app to which something happened since victims were looked for last.
  @usableFromInline
  struct Change {
    @usableFromInline let app: AppIndex
    /// Whether it may go now.
    @usableFromInline let isCandidate: Bool

    @inlinable
    init(app: AppIndex, isCandidate: Bool) {
      self.app = app
      self.isCandidate = isCandidate
    }
  }

  /// Takes the next of the apps to which something happened; nil: there is none.
  @inlinable
  mutating func takeChange() -> Change? {
    guard let app = simulation.changes.takeNext() else { return nil }
    return Change(app: app, isCandidate: simulation.mayGo(app))
  }

  /// Keeps the score of a candidate (``VictimSearch/keepingScores``).
  @usableFromInline
  mutating func keep(_ app: AppIndex, score: Double) {
    kept.put(simulation.candidate(app, simulation.apps[app], score: score))
  }

  /// An app is no candidate any more.
  @usableFromInline
  mutating func forget(_ app: AppIndex) { kept.remove(app) }

  /// The next victim by the scores that are kept; none if no app may go.
  @usableFromInline
  mutating func firstKept() -> AppIndex { kept.first() }

  /// Whether a policy names one who may go.
  @usableFromInline
  mutating func mayTake(_ app: AppIndex) -> Bool {
    app.position < simulation.apps.count && simulation.mayGo(app)
  }

  /// Who goes if nobody else may.
  @usableFromInline
  mutating func lastResort() -> AppIndex { simulation.lastResort }

  /// Whether any app may go.
  @usableFromInline
  mutating func mayAnyGo() -> Bool {
    for position in simulation.residents.indices
    where simulation.mayGo(simulation.residents[position]) {
      return true
    }
    return false
  }

  #if DEBUG
    /// Scores every candidate after all: none may come before the victim that was found.
    @usableFromInline
    mutating func checkVictim<Policy: PurgePolicy>(_ policy: Policy) {
      guard Policy.search == .keepingScores else { return }
      var first: Candidate?
      for position in simulation.residents.indices {
        let app = simulation.residents[position]
        guard simulation.mayGo(app) else { continue }
        let score = policy.score(app, for: request, apps: simulation.apps)
        let other = simulation.candidate(app, simulation.apps[app], score: score)
        if first.map({ Candidate.precedes(other, $0) }) ?? true { first = other }
      }
      precondition((first?.app ?? .none) == victim, "kept scores are those of now")
    }
  #endif
}
