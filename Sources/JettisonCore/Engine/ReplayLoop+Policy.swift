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
    let choosesPlainly = Self.choosesPlainly(
      configuration, model: model, modifiers: modifiers, recorder: recorder)
    let findsOneByOne =
      choosesPlainly && !modifiers.isSavedFirst && Self.findsOneByOne(policy, trace)
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
    if choosesPlainly { simulation.beginLaunches() }
  }

  /// Whether any app in memory may go, whoever else goes, and no log asks for the whole order.
  private static func choosesPlainly(
    _ configuration: RunConfiguration, model: any PressureModel.Type, modifiers: PolicyModifiers,
    recorder: (any Recorder)?
  ) -> Bool {
    let choice = ChoiceRules(modifiers, configuration)
    return model.traits.makesRoomFirst && recorder?.wantsDecisions != true
      && !modifiers.choosesSets && choice.recentCount == 0 && choice.intervalNanoseconds == 0
  }

  /// Whether a policy finds victims one by one, without a score of every candidate.
  private static func findsOneByOne(_ policy: any PurgePolicy.Type, _ trace: Trace) -> Bool {
    switch policy.search {
    case .scoringAll: false
    case .keepingScores: true
    // Apps that ran before the trace began are in no queue.
    case .naming: trace.index.kindCounts[Int(EventKind.present.rawValue)] == 0
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
  @inlinable @inline(__always)
  mutating func mayTake(_ app: AppIndex) -> Bool {
    app.position < simulation.apps.count && simulation.mayGo(app)
  }

  /// Who goes if nobody else may.
  @usableFromInline
  mutating func lastResort() -> AppIndex { simulation.lastResort }

  /// Whether any app may go.
  @usableFromInline
  mutating func mayAnyGo() -> Bool {
    // Where victims are found one by one, a run of nothing but launches keeps no list of residents.
    if simulation.hasLaunchesOnly {
      return (0..<simulation.apps.count).contains { simulation.mayGo(AppIndex($0)) }
    }
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
      for position in 0..<simulation.apps.count {
        let app = AppIndex(position)
        guard simulation.mayGo(app) else { continue }
        let score = policy.score(app, for: request, apps: simulation.apps)
        let other = simulation.candidate(app, simulation.apps[app], score: score)
        if first.map({ Candidate.precedes(other, $0) }) ?? true { first = other }
      }
      precondition((first?.app ?? .none) == victim, "kept scores are those of now")
    }
  #endif
}
