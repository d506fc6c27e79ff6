import JettisonCore
import JettisonSupport

/// What a table says, in one sentence: which policy loses the least work, how sure that is, and
/// what it costs in waiting.
package struct ComparisonFinding {
  private let group: ComparisonGroup
  /// Policies that lose less work than the baseline, the best first; those that see the future
  /// are no answer.
  private let better: [PolicyChange]

  /// Reads it off a group.
  package init(_ group: ComparisonGroup) {
    self.group = group
    better = group.ranked.compactMap { $0.first { !group.view.oracles.contains($0) } }
      .compactMap { group.change(ComparisonGroup.work, $0) }
      .filter { $0.difference < 0 }
      .sorted { $0.figure < $1.figure }
  }

  /// The policy that the sentence is about; nil: it names none.
  package var policy: String? {
    guard group.figures.isPerDay, group.figures.userCount > 1 else { return better.first?.policy }
    return (better.first { $0.certainty == .sure } ?? better.first)?.policy
  }

  /// nil where there is nothing to compare with.
  package var sentence: String? {
    let baseline = TextStyle.clean(group.baseline)
    guard group.ranked.count > 1, let lost = group.figure(ComparisonGroup.work, group.baseline)
    else { return nil }
    guard lost > 0 else { return "Nothing is lost under \(baseline)." }
    guard let best = better.first else { return "No policy loses less work than \(baseline)." }
    guard group.figures.isPerDay, group.figures.userCount > 1 else {
      return "\(claim(best)), \(price(of: best))\(caution)."
    }
    guard let sure = better.first(where: { $0.certainty == .sure }) else {
      return "No policy surely loses less work than \(baseline): \(TextStyle.clean(best.policy)) "
        + "loses \(best.words) (\(evidence(best))), \(price(of: best))\(outlook(best))."
    }
    return "\(claim(sure)) (\(evidence(sure))), \(price(of: sure))."
  }

  private func claim(_ change: PolicyChange) -> String {
    "\(TextStyle.clean(change.policy)) loses \(change.words) work than "
      + TextStyle.clean(group.baseline)
  }

  /// Why no conclusion should be drawn from it.
  private var caution: String {
    group.figures.isPerDay
      ? "; one user proves nothing" : "; less than a day proves nothing"
  }

  /// How sure it is: the interval, the probability, and how many users it rests on.
  private func evidence(_ change: PolicyChange) -> String {
    var parts: [String] = []
    if let interval = change.interval {
      parts.append("\(Prose.together("95 %")) interval \(Prose.together(interval))")
    }
    if let probability = change.row?.pValue {
      let plain = Prose.together(Self.probability(probability))
      if let adjusted = change.row?.pAdjusted, adjusted > probability {
        let corrected = Prose.together(Self.probability(adjusted))
        parts.append(
          (corrected == plain ? "\(plain), also" : "\(plain), \(corrected)")
            + " corrected for the number of policies")
      } else {
        parts.append(plain)
      }
    }
    let differing = group.figures.differingUsers(
      ComparisonGroup.work, change.policy, group.baseline)
    let users = HumanText.counted(Double(group.figures.userCount), "user")
    if let differing { parts.append("\(differing) of \(users) differ") }
    return parts.joined(separator: ", ")
  }

  private static func probability(_ value: Double) -> String {
    value < 0.001 ? "p < 0.001" : "p = \(HumanText.rate(value))"
  }

  /// How many users would settle it; nothing where that is not known or beyond anybody's reach.
  private func outlook(_ change: PolicyChange) -> String {
    let tests = group.rows.count {
      $0.metric == ComparisonGroup.work.name && $0.usersNeeded != nil
    }
    guard let one = change.row?.usersNeeded else { return "" }
    let users = PairedStatistics.usersNeeded(one, amongTests: tests)
    guard users > group.figures.userCount, users <= 100_000 else { return "" }
    return "; about \(HumanText.counted(Double(users), "user")) would show so large a difference"
  }

  /// What it costs: in waiting, in apps that vanish in the user's hand, and in work that is cut off
  /// behind it.
  private func price(of change: PolicyChange) -> String {
    waiting(of: change) + kills(ComparisonGroup.frontKills, "front kills", of: change)
      + kills(ComparisonGroup.backgroundKills, "background kills", of: change)
      + beyondMemory(of: change)
  }

  private func beyondMemory(of change: PolicyChange) -> String {
    group.beyondMemoryWords(change.policy).map { ", \($0)" } ?? ""
  }

  /// Nothing where hardly more is killed than under the baseline.
  private func kills(_ metric: Metric, _ noun: String, of change: PolicyChange) -> String {
    guard let kills = group.change(metric, change.policy),
      kills.difference > ComparisonGroup.notable(metric, kills.baseline)
    else { return "" }
    let unit = group.figures.isPerDay ? " per user-day" : ""
    return " and \(Prose.together("\(HumanText.rate(kills.figure)) \(noun)"))\(unit) in place "
      + "of \(HumanText.rate(kills.baseline))"
  }

  /// What it costs in waiting.
  private func waiting(of change: PolicyChange) -> String {
    guard let waiting = group.change(ComparisonGroup.waiting, change.policy) else {
      return "at an unknown price in waiting"
    }
    guard waiting.difference != 0 else { return "for the same waiting" }
    let isTested = group.figures.isPerDay && group.figures.userCount > 1
    let doubt = isTested && waiting.certainty != .sure ? ", which is not sure" : ""
    return "\(waiting.difference < 0 ? "with" : "for") \(waiting.words) waiting\(doubt)"
  }
}

extension ComparisonGroup {
  /// `with more memory in use than there is for 2 h per user-day in place of 1 min`; nil where that is
  /// hardly longer than under the baseline.
  package func beyondMemoryWords(_ policy: String) -> String? {
    guard let time = beyondMemory(policy) else { return nil }
    func text(_ seconds: Double) -> String {
      Prose.together(HumanText.value(seconds, unit: .seconds))
    }
    return "with more memory in use than there is for \(text(time.figure))"
      + (figures.isPerDay ? " per user-day" : "") + " in place of \(text(time.baseline))"
  }
}
