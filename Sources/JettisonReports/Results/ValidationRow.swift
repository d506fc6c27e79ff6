public import JettisonCore

/// One row of `validation.csv`: something that the capture saw or the simulation did, and what the
/// other side has of it.
public struct ValidationRow: Sendable, Equatable {
  /// What the row is about.
  public enum Kind: String, CaseIterable, Sendable {
    /// The real system ended an app for memory.
    case observedKill = "observed-kill"
    /// The real system warned.
    case observedWarning = "observed-warning"
    /// The simulation ended an app, and the capture does not show it.
    case simulatedKill = "simulated-kill"
    /// The simulation warned, and the capture does not show it.
    case simulatedWarning = "simulated-warning"
    /// The real system had so much memory available.
    case observedAvailable = "observed-available"
  }

  /// What the other side has of it, and if nothing, why.
  public enum Outcome: String, CaseIterable, Sendable {
    /// The same app, or the same level, at about the same time.
    case matched
    /// The simulation decided at about that time, and ended another app.
    case otherVictim = "other-victim"
    /// The simulation decided at about that time, and the app was no candidate.
    case notCandidate = "not-a-candidate"
    /// The simulation had ended the app before.
    case purgedEarlier = "purged-earlier"
    /// The simulation ended the app afterwards, before the capture shows it again.
    case purgedLater = "purged-later"
    /// The app does not run in the simulation, for another reason than memory.
    case notRunning = "not-running"
    /// The simulation decided nothing at about that time.
    case noDecision = "no-decision"
    /// The simulation warned at about that time, at another level.
    case otherLevel = "other-level"
    /// The simulation did not warn at about that time.
    case noWarning = "no-warning"
    /// A figure of both sides: available memory.
    case compared
    /// The capture shows nothing like it.
    case unobserved
  }

  /// Which run the row belongs to.
  public var key: RunKey
  /// What the row is about.
  public var kind: Kind
  /// When, in nanoseconds since the start of the trace.
  public var timeNanoseconds: Int64
  /// To whom; empty: to the whole device.
  public var app: String
  /// What the other side has of it.
  public var outcome: Outcome
  /// Why the app was ended, or the rule that ended it here.
  public var cause = ""
  /// The band or `oom_score_adj` that the capture tells.
  public var band: Int64?
  /// Number of the moment, from 1: observed kills that follow each other within the window.
  public var moment: Int?
  /// Simulated less observed time, in nanoseconds.
  public var offsetNanoseconds: Int64?
  /// Whether the moment has the same victims on both sides, all of them in time.
  public var isSameSet = false
  /// The same, and in the same order.
  public var isExact = false
  /// Who went instead.
  public var otherApp = ""
  /// Why the app was no candidate, or how it ended here.
  public var reason = ""
  /// Decision of the simulation that the outcome speaks of.
  public var decision: Int?
  /// Place of the app in that decision's order, from 1.
  public var decisionRank: Int?
  /// Available memory of the simulation, in bytes.
  public var availableBytes: Int64?
  /// Available memory that the capture measured, in bytes.
  public var observedBytes: Int64?
  /// Whether the ranks of the capture counted, or those of the model; nil: there are none, or
  /// the model does not use them.
  public var usesCapturedRanks: Bool?
  /// Chance that the simulation ends the app at about the same time if all that it does were moved
  /// along the capture by a time drawn at random.
  public var chanceOfMatch: Double?
  /// How short memory was in the simulation, or the level of a warning.
  public var level: PressureLevel?
  /// Place that the policy gives the app when it is asked at the moment, from 1.
  public var rank: Int?
  /// How many it had to choose from.
  public var candidateCount: Int?

  /// Makes a row without details.
  package init(
    key: RunKey, kind: Kind, timeNanoseconds: Int64, app: String, outcome: Outcome
  ) {
    self.key = key
    self.kind = kind
    self.timeNanoseconds = timeNanoseconds
    self.app = app
    self.outcome = outcome
  }

  /// Simulated less measured available memory, in bytes; the nearest number that there is where 64
  /// bits don't hold it.
  public var differenceBytes: Int64? {
    guard let observedBytes, let availableBytes else { return nil }
    let (difference, isTooMuch) = availableBytes.subtractingReportingOverflow(observedBytes)
    return !isTooMuch ? difference : availableBytes < 0 ? .min : .max
  }
  /// Whether both sides have it at about the same time.
  public var isMatched: Bool { outcome == .matched }
  /// Whether it is among the three that the policy would end first.
  public var isTop3: Bool { rank.map { $0 <= 3 } ?? false }
  /// 1 by the rank; nil if the app could not be ranked.
  public var reciprocalRank: Double? { rank.map { 1 / Double($0) } }
  /// Probability that a random order has the app first.
  public var chanceOfFirst: Double? { candidateCount.map { 1 / Double($0) } }
  /// Probability that a random order has the app among its first three.
  public var chanceOfTop3: Double? {
    candidateCount.map { Double(min(3, $0)) / Double($0) }
  }
  /// Expected reciprocal rank under a random order: the mean of 1, 1/2, … 1/n.
  public var chanceOfReciprocalRank: Double? {
    candidateCount.map { count in
      var sum = 0.0
      for rank in stride(from: count, to: 0, by: -1) { sum += 1 / Double(rank) }
      return sum / Double(count)
    }
  }
}
