package import JettisonCore

extension ModelOutcome {
  /// What differs from another outcome, line by line; empty if they agree.
  ///
  /// Scores and the apps that were spared are compared only on request: an engine may scale the
  /// ones, and the model does not write the others down. Footprint quantiles and
  /// arena figures are not compared.
  package func differences(
    from other: ModelOutcome, comparingScores: Bool = false
  ) -> [String] {
    var lines: [String] = []
    lines += Self.firstDifference(
      "event", events, other.events, same: { $0 == $1 }, describe: Self.describe)
    lines += Self.firstDifference(
      "decision", decisions, other.decisions,
      same: {
        comparingScores
          ? $0 == $1
          : Self.withoutScores($0) == Self.withoutScores($1)
      }, describe: Self.describe)
    lines += Self.counters("system", result.system, other.result.system)
    for (position, app) in result.apps.enumerated() where position < other.result.apps.count {
      lines += Self.counters("app \(position)", app, other.result.apps[position])
      lines += Self.counters(
        "app \(position)", result.footprints[position], other.result.footprints[position],
        only: ["footprintBytesMax", "requestedBytesMax"])
    }
    lines += Self.firstDifference(
      "relaunch wait", Self.summed(result.relaunchWaits), Self.summed(other.result.relaunchWaits),
      same: { $0 == $1 }, describe: { "\($0)" })
    lines += Self.firstDifference(
      "staleness", result.staleness, other.result.staleness, same: { $0 == $1 },
      describe: { "\($0)" })
    return lines
  }

  /// Samples of equal app and time as one, in order.
  private static func summed(_ samples: [AppSample]) -> [AppSample] {
    let groups = Dictionary(grouping: samples) { [Int64($0.app.position), $0.nanoseconds] }
    return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, samples in
      AppSample(
        app: samples[0].app, nanoseconds: key[1], count: samples.reduce(0) { $0 + $1.count })
    }
  }

  private static func withoutScores(_ decision: DecisionRecord) -> DecisionRecord {
    var decision = decision
    for i in decision.candidates.indices { decision.candidates[i].score = 0 }
    decision.spared = []
    return decision
  }

  /// The first place where two sequences part, with what came before.
  private static func firstDifference<Element>(
    _ name: String, _ ours: [Element], _ theirs: [Element],
    same: (Element, Element) -> Bool, describe: (Element) -> String
  ) -> [String] {
    let shared = min(ours.count, theirs.count)
    let first = (0..<shared).first { !same(ours[$0], theirs[$0]) } ?? shared
    if first == ours.count, first == theirs.count { return [] }
    var lines = ["\(name) \(first + 1) of \(ours.count) and \(theirs.count):"]
    for i in max(0, first - 4)..<first { lines.append("    \(describe(ours[i]))") }
    for i in first..<min(first + 3, ours.count) { lines.append("  < \(describe(ours[i]))") }
    for i in first..<min(first + 3, theirs.count) { lines.append("  > \(describe(theirs[i]))") }
    return lines
  }

  private static func counters<Value>(
    _ owner: String, _ ours: Value, _ theirs: Value, only names: [String]? = nil
  ) -> [String] {
    zip(Mirror(reflecting: ours).children, Mirror(reflecting: theirs).children)
      .compactMap { mine, yours in
        guard let label = mine.label, names?.contains(label) ?? true else { return nil }
        if let a = mine.value as? Double, let b = yours.value as? Double {
          if abs(a - b) <= 1e-9 * max(abs(a), abs(b)) { return nil }
        } else if "\(mine.value)" == "\(yours.value)" {
          return nil
        }
        return "\(owner) \(label): \(mine.value), \(yours.value)"
      }
  }

  // MARK: Text

  /// An event in one line: what a row of `events.csv` says, with states and columns named.
  package static func describe(_ event: EventRecord) -> String {
    var parts = ["\(event.timeNanoseconds)", "app \(event.app.rawValue)", event.kind.name]
    if let before = event.stateBefore, let after = event.stateAfter {
      parts.append("\(before.name) -> \(after.name)")
    }
    if event.message != .none { parts.append(event.message.name) }
    if event.cause != .none { parts.append("cause \(event.cause)") }
    if let lossClass = event.lossClass { parts.append(lossClass.name) }
    if let outcome = event.saveOutcome { parts.append(outcome.name) }
    if let outcome = event.restoreOutcome { parts.append(outcome.name) }
    if let bytes = event.bytes { parts.append("\(bytes) B") }
    if let time = event.nanoseconds { parts.append("\(time) ns") }
    if let work = event.workNanoseconds { parts.append("work \(work) ns") }
    if let noticed = event.noticed { parts.append("noticed \(noticed.name)") }
    if let decision = event.decision { parts.append("decision \(decision)") }
    if let change = event.change { parts.append("change \(change)") }
    return parts.joined(separator: ", ")
  }

  /// A decision with its candidates.
  package static func describe(_ decision: DecisionRecord) -> String {
    let head =
      "\(decision.number) at \(decision.timeNanoseconds), \(decision.trigger), "
      + "\(decision.level.name), available \(decision.availableBytes), "
      + "needed \(decision.neededBytes), target \(decision.targetBytes)"
    return ([head] + decision.candidates.map { "\n        \($0)" }).joined()
  }

  /// All events, one to a line.
  package var eventText: String { events.map(Self.describe).joined(separator: "\n") }
}
