public import JettisonCore

/// What the rows of one run add up to.
public struct ValidationFigures: Sendable, Equatable {
  /// Ends for memory that the capture shows.
  public private(set) var observedKills = 0
  /// Those of them that the simulation has at about the same time.
  public private(set) var matchedKills = 0
  /// As many would match if the simulation's kills were moved along the capture at random.
  public private(set) var chanceOfMatchedKills = 0.0
  /// Matched kills in moments that have the same victims on both sides.
  public private(set) var sameSetKills = 0
  /// Those of them whose moments have the same order, too.
  public private(set) var exactKills = 0
  /// Ends for memory of the simulation that the capture does not show.
  public private(set) var unobservedKills = 0
  /// Observed kills whose app the policy could rank at the moment.
  public private(set) var rankedKills = 0
  /// Ranked kills whose app the policy puts first.
  public private(set) var firstKills = 0
  /// Ranked kills whose app the policy puts among the first three.
  public private(set) var top3Kills = 0
  /// As many would be first in a random order.
  public private(set) var chanceOfFirstKills = 0.0
  /// As many would be among the first three of a random order.
  public private(set) var chanceOfTop3Kills = 0.0
  /// Sum of 1 by the rank over ranked kills.
  public private(set) var reciprocalRanks = 0.0
  /// The same sum under a random order.
  public private(set) var chanceOfReciprocalRanks = 0.0
  /// Warnings that the capture shows.
  public private(set) var observedWarnings = 0
  /// Those of them that the simulation has at that level and about that time.
  public private(set) var matchedWarnings = 0
  /// Warnings of the simulation that the capture does not show.
  public private(set) var unobservedWarnings = 0
  /// How often available memory was measured.
  public private(set) var measurements = 0
  /// Sum of simulated less measured available memory, in bytes.
  public private(set) var differenceBytes = 0.0
  /// Sum of the amounts by which the two differ, in bytes.
  public private(set) var absoluteDifferenceBytes = 0.0
  /// The largest such amount, in bytes.
  public private(set) var largestDifferenceBytes = 0.0
  /// When simulation and capture first differ about a kill, in nanoseconds; nil: they do not.
  public private(set) var firstDifferenceNanoseconds: Int64?

  /// Adds up the rows of one run.
  package init(_ rows: [ValidationRow]) {
    for row in rows { add(row) }
  }

  private mutating func add(_ row: ValidationRow) {
    switch row.kind {
    case .observedKill: addKill(row)
    case .observedWarning:
      observedWarnings += 1
      matchedWarnings += row.isMatched ? 1 : 0
    case .simulatedKill:
      unobservedKills += 1
      noteDifference(row)
    case .simulatedWarning: unobservedWarnings += 1
    case .observedAvailable:
      guard let difference = row.differenceBytes.map(Double.init) else { return }
      measurements += 1
      differenceBytes += difference
      absoluteDifferenceBytes += difference.magnitude
      largestDifferenceBytes = max(largestDifferenceBytes, difference.magnitude)
    }
  }

  private mutating func addKill(_ row: ValidationRow) {
    observedKills += 1
    matchedKills += row.isMatched ? 1 : 0
    chanceOfMatchedKills += row.chanceOfMatch ?? 0
    sameSetKills += row.isSameSet ? 1 : 0
    exactKills += row.isExact ? 1 : 0
    if !row.isExact { noteDifference(row) }
    guard let rank = row.rank else { return }
    rankedKills += 1
    firstKills += rank == 1 ? 1 : 0
    top3Kills += row.isTop3 ? 1 : 0
    chanceOfFirstKills += row.chanceOfFirst ?? 0
    chanceOfTop3Kills += row.chanceOfTop3 ?? 0
    reciprocalRanks += row.reciprocalRank ?? 0
    chanceOfReciprocalRanks += row.chanceOfReciprocalRank ?? 0
  }

  private mutating func noteDifference(_ row: ValidationRow) {
    firstDifferenceNanoseconds = min(
      firstDifferenceNanoseconds ?? .max, row.timeNanoseconds)
  }

  /// Ends for memory in the simulation.
  public var simulatedKills: Int { matchedKills + unobservedKills }
  /// Share of the observed kills that the simulation has at about the same time.
  public var recall: Double? { Self.share(matchedKills, of: observedKills) }
  /// Share of the simulated kills that the capture has at about the same time.
  public var precision: Double? { Self.share(matchedKills, of: simulatedKills) }
  /// Mean of 1 by the rank.
  public var meanReciprocalRank: Double? {
    rankedKills == 0 ? nil : reciprocalRanks / Double(rankedKills)
  }
  /// The same under a random order.
  public var chanceOfMeanReciprocalRank: Double? {
    rankedKills == 0 ? nil : chanceOfReciprocalRanks / Double(rankedKills)
  }

  /// Share of the ranked kills whose victim the policy puts first.
  public var firstShare: Double? { Self.share(firstKills, of: rankedKills) }
  /// 95 % interval of that share, as if every kill were drawn by itself.
  ///
  /// Wilson's score interval (Wilson, JASA 22, 1927); nil: no app could be ranked.
  public var firstInterval: ClosedRange<Double>? {
    guard let share = firstShare else { return nil }
    let (count, z) = (Double(rankedKills), 1.959963984540054)
    let scale = 1 + z * z / count
    let middle = (share + z * z / (2 * count)) / scale
    let half = z * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot() / scale
    return max(0, middle - half)...min(1, middle + half)
  }

  /// Mean amount by which simulated and measured available memory differ, in bytes.
  public var meanAbsoluteDifferenceBytes: Double? {
    measurements == 0 ? nil : absoluteDifferenceBytes / Double(measurements)
  }
  /// Mean of simulated less measured available memory, in bytes.
  public var meanDifferenceBytes: Double? {
    measurements == 0 ? nil : differenceBytes / Double(measurements)
  }

  private static func share(_ part: Int, of whole: Int) -> Double? {
    whole == 0 ? nil : Double(part) / Double(whole)
  }
}

/// A figure of a validation: a column of `validation-summary.csv`, and what `--fail-if` knows.
public struct ValidationMetric: Sendable {
  /// Name of the column.
  public let name: String
  /// Unit of the column.
  public let unit: String
  /// One sentence.
  public let documentation: String
  /// Its value.
  public let value: @Sendable (ValidationFigures) -> MetricValue

  private init(
    _ name: String, _ documentation: String, count: @escaping @Sendable (ValidationFigures) -> Int
  ) {
    self.name = name
    self.unit = "count"
    self.documentation = documentation
    value = { .integer(Int64(count($0))) }
  }

  private init(
    _ name: String, _ unit: String, _ documentation: String,
    real: @escaping @Sendable (ValidationFigures) -> Double?
  ) {
    self.name = name
    self.unit = unit
    self.documentation = documentation
    value = { real($0).map { .real($0) } ?? .empty }
  }

  /// All of them, in the order of the columns.
  public static let all: [ValidationMetric] = [
    .init("observed_kills", "Rows observed-kill: what the capture says of ends for memory.") {
      $0.observedKills
    },
    .init("matched_kills", "Of these: the same app went at about the same time.") {
      $0.matchedKills
    },
    .init("same_set_kills", "Of these: the whole moment has the same victims.") {
      $0.sameSetKills
    },
    .init("exact_kills", "Of these: in the same order too.") { $0.exactKills },
    .init(
      "chance_matched_kills", "count",
      "As many would match if the simulation's kills were moved along the capture at random.",
      real: { $0.chanceOfMatchedKills }),
    .init("simulated_kills", "Ends for memory in the simulation: matched and unobserved ones.") {
      $0.simulatedKills
    },
    .init("unobserved_kills", "Rows simulated-kill: the capture does not show them.") {
      $0.unobservedKills
    },
    .init(
      "recall", "share", "Matched by observed kills; empty without any.", real: { $0.recall }),
    .init(
      "precision", "share", "Matched by simulated kills; empty without any.",
      real: { $0.precision }),
    .init("ranked_kills", "Observed kills whose app the policy could rank at the moment.") {
      $0.rankedKills
    },
    .init("top_1_kills", "Of these: the policy puts the app first.") { $0.firstKills },
    .init("top_3_kills", "Of these: among the first three.") { $0.top3Kills },
    .init(
      "chance_top_1_kills", "count", "As many would be first in a random order.",
      real: { $0.chanceOfFirstKills }),
    .init(
      "chance_top_3_kills", "count", "As many would be among the first three of a random order.",
      real: { $0.chanceOfTop3Kills }),
    .init(
      "mean_reciprocal_rank", "share", "Mean of 1 by the rank; empty if no app could be ranked.",
      real: { $0.meanReciprocalRank }),
    .init(
      "chance_reciprocal_rank", "share", "The same under a random order.",
      real: { $0.chanceOfMeanReciprocalRank }),
    .init("observed_warnings", "Rows observed-warning of level 1 and 2.") { $0.observedWarnings },
    .init("matched_warnings", "Of these: the simulation warned at that level and about then.") {
      $0.matchedWarnings
    },
    .init("unobserved_warnings", "Rows simulated-warning: the capture does not show them.") {
      $0.unobservedWarnings
    },
    .init(
      "in_step_seconds", "seconds",
      "Time until capture and simulation first differ about a kill; empty if they never do.",
      real: { $0.firstDifferenceNanoseconds.map { Double($0) / 1e9 } }),
    .init("available_rows", "Rows observed-available: how often available memory was measured.") {
      $0.measurements
    },
    .init(
      "available_mean_absolute_difference_bytes", "bytes",
      "Mean amount by which simulated and measured available memory differ; empty without any.",
      real: { $0.meanAbsoluteDifferenceBytes }),
    .init(
      "available_max_absolute_difference_bytes", "bytes", "The largest such amount.",
      real: { $0.measurements == 0 ? nil : $0.largestDifferenceBytes }),
    .init(
      "available_mean_difference_bytes", "bytes",
      "Mean of simulated less measured available memory: above 0, the simulation has more.",
      real: { $0.meanDifferenceBytes }),
  ]

  /// The figure of a name.
  ///
  /// - Throws: `ConfigurationError` if there is none.
  public static func named(_ name: String) throws(ConfigurationError) -> ValidationMetric {
    guard let metric = all.first(where: { $0.name == name }) else {
      throw .unknown(what: "metric", name: name, known: all.map(\.name))
    }
    return metric
  }
}
