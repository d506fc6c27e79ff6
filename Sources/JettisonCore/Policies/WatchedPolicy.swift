/// A decision taken apart: what its policy saw, and what others would have done with it.
package struct DecisionExplanation: Sendable {
  /// What is known about a candidate beyond its record.
  package struct Facts: Sendable {
    /// Which app it is.
    package let app: AppIndex
    /// What the policy in force itself knows about it.
    package let terms: [ScoreTerm]
    /// What its end gives back, in bytes.
    package let freedBytes: Int64
    /// Launches by the user so far.
    package let launchCount: Int
    /// What bringing it back costs the user, in seconds.
    package let relaunchCostSeconds: Double
    /// When its process began, in nanoseconds since the start of the trace.
    package let processStartNanoseconds: Int64
    /// When it was suspended last, in nanoseconds since the start; nil: never in this life.
    package let suspendedNanoseconds: Int64?
    /// User work that its end would lose, in nanoseconds.
    package let unsavedWorkNanoseconds: Int64
    /// State that its end would lose, in bytes.
    package let unsavedBytes: Int64
  }

  /// The same moment under another policy.
  package struct Alternative: Sendable {
    /// As written.
    package let policy: String
    /// Whether it sees the future.
    package let isOracle: Bool
    /// All candidates, first victim first; empty if it failed.
    package var order: [AppIndex] = []
    /// Those that it would end.
    package var victims: [AppIndex] = []
    /// Why it has no order.
    package var failure: String?
  }

  /// What was asked.
  package let request: PurgeRequest
  /// The candidates, in the order in which equal scores leave them.
  package let candidates: [Facts]
  /// One for each policy that was asked for, in that order.
  package let alternatives: [Alternative]
}

extension PolicySpec {
  /// Replays a trace under this policy, and asks others at one of its decisions.
  ///
  /// The others see the same events, purges of this policy included, and are not followed.
  ///
  /// - Parameters:
  ///   - trace: What to replay.
  ///   - configuration: On what.
  ///   - decision: Number of the decision in the run, from 1.
  ///   - alternatives: The other policies. Only their modifiers that order and choose apply; they
  ///     don't change which apps are eligible.
  /// - Returns: nil if there is no decision of that number, or no app could go.
  /// - Throws: ``RunError`` if the run fails under this policy.
  package func explain(
    _ trace: Trace, _ configuration: RunConfiguration, decision: Int, alternatives: [PolicySpec]
  ) throws(RunError) -> DecisionExplanation? {
    let context = PolicyContext(trace, configuration)
    let real = try policy(in: context)
    let watched = WatchedPolicy(
      real, others: alternatives.map { WatchedPolicy.Other($0, context, configuration) },
      decision: decision, appNames: trace.apps)
    var engine = try ReplayEngine(
      trace, configuration, policy: watched, spec: self, recorder: nil)
    _ = try engine.run(trace)
    return engine.policy.explanation
  }
}

/// A policy under observation, with others that look over its shoulder.
struct WatchedPolicy: PurgePolicy {
  /// A policy that sees all and decides nothing.
  struct Other: Sendable {
    let spec: PolicySpec
    let units: [UInt32]?
    let ordersFront: Bool
    var policy: (any PurgePolicy)?
    var failure: String?

    init(_ spec: PolicySpec, _ context: PolicyContext, _ configuration: RunConfiguration) {
      self.spec = spec
      ordersFront = spec.descriptor.ordersFront(configuration.pressure)
      units = spec.modifiers.units(of: context.appNames, configuration)
      do throws(ConfigurationError) {
        policy = try spec.descriptor.make(spec.arguments, context)
      } catch {
        failure = error.description
      }
    }
  }

  static var observesFootprints: Bool { true }
  static var ordering: CandidateOrdering { .byPreparedScore }
  static var boundsParts: Bool { true }

  private var real: any PurgePolicy
  private var others: [Other]
  private let decision: Int
  private let appNames: [String]
  /// What the policy in force says of the candidates, by app.
  private var scores: [Double]
  /// The decision, once it was made.
  private(set) var explanation: DecisionExplanation?

  init(_ real: any PurgePolicy, others: [Other], decision: Int, appNames: [String]) {
    self.real = real
    self.appNames = appNames
    scores = Array(repeating: .nan, count: appNames.count)
    self.others = others
    self.decision = decision
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    Self.tell(&real, event, apps)
    // They are not asked any more.
    guard explanation == nil else { return }
    for position in others.indices {
      guard var policy = others[position].policy else { continue }
      others[position].policy = nil
      Self.tell(&policy, event, apps)
      others[position].policy = policy
    }
  }

  private static func tell(
    _ policy: inout any PurgePolicy, _ event: EngineEvent, _ apps: borrowing AppTable
  ) {
    guard event.kind != .resized || type(of: policy).observesFootprints else { return }
    policy.observe(event, apps: apps)
  }

  mutating func prepare(
    _ candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) throws(PolicyFailure) {
    let own = try real.scores(of: candidates, for: request, apps: apps, appNames: appNames)
    for (app, score) in zip(candidates, own) { scores[app.position] = score }
    guard explanation == nil else { return }
    let isAsked = request.decision == decision
    var alternatives: [DecisionExplanation.Alternative] = []
    for position in others.indices {
      // What a policy was shown last may matter when it hears who went.
      let scores = show(candidates, to: position, request, apps)
      if isAsked { alternatives.append(ask(others[position], candidates, scores, request, apps)) }
    }
    guard isAsked else { return }
    var facts: [DecisionExplanation.Facts] = []
    for app in candidates { facts.append(self.facts(of: app, request, apps)) }
    explanation = DecisionExplanation(
      request: request, candidates: facts, alternatives: alternatives)
  }

  /// Lets another policy score candidates; none if it failed.
  private mutating func show(
    _ candidates: [AppIndex], to position: Int, _ request: PurgeRequest,
    _ apps: borrowing AppTable
  ) -> [Double] {
    guard others[position].failure == nil, var policy = others[position].policy else { return [] }
    others[position].policy = nil
    defer { others[position].policy = policy }
    do throws(PolicyFailure) {
      return try policy.scores(of: candidates, for: request, apps: apps, appNames: appNames)
    } catch {
      others[position].failure = error.reason
      return []
    }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    scores[app.position]
  }

  func overflowBytes(inserting app: AppIndex, bytes: Int64) -> Int64 {
    type(of: real).boundsParts ? real.overflowBytes(inserting: app, bytes: bytes) : 0
  }

  private func facts(
    of app: AppIndex, _ request: PurgeRequest, _ apps: borrowing AppTable
  ) -> DecisionExplanation.Facts {
    DecisionExplanation.Facts(
      app: app, terms: real.terms(of: app, for: request, apps: apps),
      freedBytes: apps[app].chargedBytes, launchCount: apps.launchCount(app),
      relaunchCostSeconds: apps.relaunchCostSeconds(app),
      processStartNanoseconds: apps.processStartNanoseconds(app),
      suspendedNanoseconds: apps.suspendedNanoseconds(app),
      unsavedWorkNanoseconds: apps.unsavedWorkNanoseconds(app),
      unsavedBytes: apps.unsavedBytes(app))
  }

  /// What another policy makes of the candidates by its scores.
  private func ask(
    _ other: Other, _ candidates: [AppIndex], _ scores: [Double], _ request: PurgeRequest,
    _ apps: borrowing AppTable
  ) -> DecisionExplanation.Alternative {
    var answer = DecisionExplanation.Alternative(
      policy: other.spec.name, isOracle: other.spec.descriptor.isOracle)
    guard other.policy != nil, other.failure == nil else {
      answer.failure = other.failure
      return answer
    }
    let frontIsLast = request.offersFront && !other.ordersFront
    var ranked: [(group: Int, score: Double, place: Int)] = []
    for (place, (app, score)) in zip(candidates, scores).enumerated() {
      guard !score.isNaN else {
        answer.failure = "a score is not a number"
        return answer
      }
      let isLater = other.spec.modifiers.isSavedFirst && apps.hasUnsavedState(app)
      // As in the engine: apps in use go last, unless the policy knows of that.
      let state = apps.state(app)
      let isInUse = frontIsLast && (state == .active || state == .inactive)
      ranked.append(((isLater ? 1 : 0) + (isInUse ? 2 : 0), score, place))
    }
    ranked.sort { ($0.group, $0.score, $0.place) < ($1.group, $1.score, $1.place) }
    answer.order = ranked.map { candidates[$0.place] }
    var options: [VictimSet.Option] = []
    for app in answer.order {
      options.append(
        VictimSet.Option(
          unit: other.units?[app.position] ?? app.rawValue, freedBytes: apps[app].chargedBytes,
          isPurge: true))
    }
    let chosen = VictimSet(request, isMinimal: other.spec.modifiers.isMinimal).choose(options)
    answer.victims = zip(answer.order, chosen).filter(\.1).map(\.0)
    return answer
  }
}
