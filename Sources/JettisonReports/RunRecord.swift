package import JettisonCore

/// What tells one run from another: the first columns of every file.
package struct RunKey: Hashable, Sendable {
  /// Name of the trace.
  package var trace: String
  /// Who was recorded; the unit of comparisons.
  package var user: String
  /// The policy with its parameters, as written on the command line.
  package var policy: String
  /// Name of the device.
  package var device: String
  /// RAM in bytes.
  ///
  /// Where capacity counts in apps, every app has size 1 and this is the capacity.
  package var memoryBytes: Int64
  /// Seed of the run's draws.
  package var seed: UInt64

  /// Makes a key from its parts.
  package init(
    trace: String, user: String, policy: String, device: String, memoryBytes: Int64, seed: UInt64
  ) {
    self.trace = trace
    self.user = user
    self.policy = policy
    self.device = device
    self.memoryBytes = memoryBytes
    self.seed = seed
  }
}

/// What a run took an app to be.
package struct AppNature: Sendable, Equatable {
  /// The category in force.
  package var category: String
  /// When the app saves by itself, as `--set APP.save.when=` takes it.
  package var saveWhen: String

  /// Makes a nature from its parts.
  package init(category: String, saveWhen: String) {
    self.category = category
    self.saveWhen = saveWhen
  }
}

/// What a run was made from, beyond its configuration.
package struct RunProvenance: Sendable {
  /// Hash of everything in the trace that a replay depends on.
  package var traceHash: UInt64
  /// Start of the trace as its header has it; nil: it says nothing.
  package var start: String?
  /// The catalog files, the one that wins last.
  package var catalogPaths: [String]
  /// Hash of the catalog in force; nil: no catalog beyond the trace and the built-in categories.
  package var catalogHash: UInt64?
  /// Hash of a policy of one's own as a file defines it; nil for policies of Jettison.
  package var policyHash: UInt64?
  /// Decoded names of the trace's apps, by ``AppIndex``.
  package var apps: [String]
  /// What is known of them, by ``AppIndex``; empty where nobody asked.
  package var natures: [AppNature]
  /// Issues met while the trace was read.
  package var traceIssueCount: Int
  /// Whether magnitudes were drawn around the medians of the catalog (`--noise on`).
  package var hasNoise: Bool
  /// Whether figures that nobody observed had a part in the result.
  package var isImputed: Bool
  /// Version of Jettison.
  package var jettisonVersion: String
  /// Version of jemalloc; nil where footprints are declared.
  package var jemallocVersion: String?

  /// Makes a provenance from its parts.
  package init(
    traceHash: UInt64, start: String? = nil, catalogPaths: [String] = [], catalogHash: UInt64?,
    policyHash: UInt64? = nil, apps: [String], natures: [AppNature] = [], traceIssueCount: Int,
    hasNoise: Bool,
    isImputed: Bool, jettisonVersion: String, jemallocVersion: String?
  ) {
    self.traceHash = traceHash
    self.start = start
    self.catalogPaths = catalogPaths
    self.catalogHash = catalogHash
    self.policyHash = policyHash
    self.apps = apps
    self.natures = natures
    self.traceIssueCount = traceIssueCount
    self.hasNoise = hasNoise
    self.isImputed = isImputed
    self.jettisonVersion = jettisonVersion
    self.jemallocVersion = jemallocVersion
  }
}

/// One run: what was asked, and what came out.
package struct RunRecord: Sendable {
  /// How a run ended.
  package enum Outcome: Sendable {
    /// It went through.
    case finished(RunResult)
    /// It could not go on; the reason is a sentence.
    case failed(reason: String)
  }

  /// Which run it is.
  package var key: RunKey
  /// Every parameter in force.
  package var configuration: RunConfiguration
  /// What it was made from.
  package var provenance: RunProvenance
  /// What came out.
  package var outcome: Outcome

  /// Makes a record from its parts.
  package init(
    key: RunKey, configuration: RunConfiguration, provenance: RunProvenance, outcome: Outcome
  ) {
    self.key = key
    self.configuration = configuration
    self.provenance = provenance
    self.outcome = outcome
  }

  /// The result, unless the run failed.
  package var result: RunResult? {
    if case .finished(let result) = outcome { result } else { nil }
  }

  /// The result prepared for metrics, unless the run failed.
  ///
  /// Complexity: O(n log n) in samples.
  package func metricReader() -> MetricReader? {
    result.map { MetricReader($0, traceIssueCount: provenance.traceIssueCount) }
  }
}

/// One row of `comparison.csv`: a metric of a policy against the baseline, user by user.
package struct ComparisonRow: Sendable, Equatable {
  /// Whose runs a row compares.
  package enum Part: String, Sendable {
    /// Users with at least a day of trace: rates per user-day.
    case users
    /// Users with less than a day: totals over all of them, for a rate of minutes misleads.
    case short
  }

  /// From how many days of trace on a user enters rates.
  package static let leastDays = 1.0

  /// How `low` and `high` were found, or why they are withheld.
  package enum Method: String, Sendable {
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
  package struct UserDifference: Sendable, Equatable {
    /// Who.
    package var user: String
    /// Policy less baseline.
    package var difference: Double

    /// Makes a difference.
    package init(user: String, difference: Double) {
      self.user = user
      self.difference = difference
    }
  }

  package var device: String
  package var memoryBytes: Int64
  package var metric: String
  package var policy: String
  package var baseline: String
  package var part: Part
  /// Users for whom both policies have a value.
  package var users: Int
  /// Those of them whose value differs.
  package var usersDiffering: Int
  /// nil without users, as the other figures.
  package var meanDifference: Double?
  package var medianDifference: Double?
  /// nil also where the baseline's total is 0.
  package var ratioOfTotals: Double?
  /// Ends of the 95 % interval of the mean difference.
  package var low: Double?
  package var high: Double?
  package var method: Method
  package var pValue: Double?
  package var pAdjusted: Double?
  /// Users that would show a mean difference such as this one in four studies of five; nil where
  /// the values say nothing about it.
  package var usersNeeded: Int?
  /// nil for metrics that are neither good nor bad.
  package var winRate: Double?
  package var policyMean: Double?
  package var baselineMean: Double?
  /// Single differences by user's name, where an interval is withheld: of few users all of them, else
  /// those that are not 0.
  package var differences: [UserDifference]

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
}
