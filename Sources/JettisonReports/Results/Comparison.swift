/// A metric of a policy against the baseline, user by user: one row of `comparison.csv`.
///
/// The user is the unit: launches of one user depend on each other, users do not. Differences are
/// those of the policy less the baseline, per user-day where the metric is a sum.
public struct Comparison: Sendable, Equatable {
  /// Whose runs a row compares.
  public enum Part: String, Sendable {
    /// Users with at least a day of trace: rates per user-day.
    case users
    /// Users with less than a day: totals over all of them, for a rate of minutes misleads.
    case short
  }

  /// From how many days of trace on a user enters rates.
  public static let leastDays = 1.0

  /// How `low` and `high` were found, or why they are withheld.
  public enum Method: String, Sendable {
    /// Studentised bootstrap, or Student's distribution where that reaches further.
    case studentised
    /// Fewer than ten users: look at the single values.
    case values
    /// Too few users differ, or all by the same: look at the values of those that do.
    case fewDiffer = "few-differ"
    /// Totals, which have no spread over users.
    case totals
  }

  /// The difference of one user.
  public struct UserDifference: Sendable, Equatable {
    /// Who.
    public var user: String
    /// Policy less baseline.
    public var difference: Double

    /// Makes a difference.
    public init(user: String, difference: Double) {
      self.user = user
      self.difference = difference
    }
  }

  /// How far a difference is more than chance.
  public enum Certainty: Sendable {
    /// Chance is ruled out, with the correction for the number of policies: a star in tables.
    case sure
    /// This comparison alone would rule chance out, and the number of policies undoes it: a
    /// question mark.
    case doubtful
    /// Chance explains it, or too few users are there to tell.
    case open
  }

  /// Up to which probability a difference counts as sure.
  public static let sureUpTo = 0.05

  /// Name of the device, with what is swept after a colon.
  public var device: String
  /// RAM in bytes, or the capacity in apps.
  public var memoryBytes: Int64
  /// Name of the metric.
  public var metric: String
  /// Name of the policy.
  public var policy: String
  /// Name of the policy that it is compared with.
  public var baseline: String
  /// Whose runs are compared.
  public var part: Part
  /// Users for whom both policies have a value.
  public var users: Int
  /// Those of them whose value differs.
  public var usersDiffering: Int
  /// nil without users, as the other figures.
  public var meanDifference: Double?
  /// Median of the differences by user.
  public var medianDifference: Double?
  /// The policy's mean by the baseline's; nil also where that is 0.
  public var ratioOfTotals: Double?
  /// Lower end of the 95 % interval of the mean difference; nil where it is withheld.
  public var low: Double?
  /// Upper end of it.
  public var high: Double?
  /// How the interval was found, or why it is withheld.
  public var method: Method
  /// Two-sided probability of a mean so far from 0 by chance; nil where the interval is withheld.
  public var pValue: Double?
  /// The same with Holm's correction over the policies of the metric.
  public var pAdjusted: Double?
  /// Users that would show a mean difference such as this one in four studies of five; nil where
  /// the values say nothing about it.
  public var usersNeeded: Int?
  /// Share of users for whom the policy is better; nil for metrics that are neither good nor bad.
  public var winRate: Double?
  /// Mean over users under the policy; a total for ``Part/short``.
  public var policyMean: Double?
  /// Mean over users under the baseline; a total for ``Part/short``.
  public var baselineMean: Double?
  /// Single differences by user's name, where an interval is withheld: of few users all of them, else
  /// those that are not 0.
  public var differences: [UserDifference]

  /// Makes a row without figures.
  package init(
    device: String, memoryBytes: Int64, metric: String, policy: String, baseline: String,
    part: Part = .users
  ) {
    self.device = device
    self.memoryBytes = memoryBytes
    self.metric = metric
    self.policy = policy
    self.baseline = baseline
    self.part = part
    self.users = 0
    self.usersDiffering = 0
    self.method = .values
    self.differences = []
  }

  /// The 95 % interval of the mean difference; nil where it is withheld, see ``method``.
  public var interval: ClosedRange<Double>? {
    guard let low, let high, low <= high else { return nil }
    return low...high
  }

  /// How far the difference is more than chance.
  public var certainty: Certainty {
    guard users > 1, meanDifference != 0 else { return .open }
    if let pAdjusted, pAdjusted <= Self.sureUpTo { return .sure }
    if let pValue, pValue <= Self.sureUpTo { return .doubtful }
    return .open
  }
}

extension [Comparison] {
  /// The first row of most users: where runs of a policy failed, its row is of fewer.
  package var withMostUsers: Comparison? {
    let most = map(\.users).max()
    return first { $0.users == most }
  }
}
