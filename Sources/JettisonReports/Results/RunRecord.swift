public import JettisonCore

/// What tells one run from another: the first columns of every file.
public struct RunKey: Hashable, Sendable {
  /// Name of the trace.
  public var trace: String
  /// Who was recorded; the unit of comparisons.
  public var user: String
  /// The policy with its parameters, as written on the command line.
  public var policy: String
  /// Name of the device.
  public var device: String
  /// RAM in bytes.
  ///
  /// Where capacity counts in apps, every app has size 1 and this is the capacity.
  public var memoryBytes: Int64
  /// Seed of the run's draws.
  public var seed: UInt64

  /// Makes a key from its parts.
  public init(
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
public struct AppNature: Sendable, Equatable {
  /// The category in force.
  public var category: String
  /// When the app saves by itself, as `--set APP.save.when=` takes it.
  public var saveWhen: String

  /// Makes a nature from its parts.
  public init(category: String, saveWhen: String) {
    self.category = category
    self.saveWhen = saveWhen
  }
}

/// What a run was made from, beyond its configuration.
public struct RunProvenance: Sendable {
  /// Hash of everything in the trace that a replay depends on.
  ///
  /// The first to ask waits for a pass over the trace.
  public var traceHash: UInt64 { hash.value }
  private let hash: Lazily<UInt64>
  /// Start of the trace as its header has it; nil: it says nothing.
  public var start: String?
  /// The catalog files, the one that wins last.
  public var catalogPaths: [String]
  /// Hash of the catalog in force; nil: no catalog beyond the trace and the built-in categories.
  public var catalogHash: UInt64?
  /// The policy that decided; nil: a record that a program made without it.
  public var policy: PolicySpec?
  /// Hash of a policy of one's own as a file defines it; nil for policies of Jettison.
  public var policyHash: UInt64?
  /// Decoded names of the trace's apps, by `AppIndex`.
  public var apps: [String]
  /// What is known of them, by `AppIndex`; empty unless asked for.
  public var natures: [AppNature]
  /// Issues met while the trace was read.
  public var traceIssueCount: Int
  /// Whether magnitudes were drawn around the medians of the catalog (`--noise`).
  public var hasNoise: Bool
  /// Whether imputed figures had a part in the result.
  public var isImputed: Bool
  /// Version of Jettison.
  public var jettisonVersion: String
  /// Version of jemalloc; nil where footprints are declared.
  public var jemallocVersion: String?

  /// Makes a provenance from its parts.
  public init(
    traceHash: @autoclosure @escaping @Sendable () -> UInt64, start: String? = nil,
    catalogPaths: [String] = [], catalogHash: UInt64?, policy: PolicySpec? = nil,
    policyHash: UInt64? = nil, apps: [String], natures: [AppNature] = [], traceIssueCount: Int,
    hasNoise: Bool,
    isImputed: Bool, jettisonVersion: String, jemallocVersion: String?
  ) {
    hash = Lazily(traceHash)
    self.start = start
    self.catalogPaths = catalogPaths
    self.catalogHash = catalogHash
    self.policy = policy
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
public struct RunRecord: Sendable {
  /// How a run ended.
  public enum Outcome: Sendable {
    /// It went through.
    case finished(RunResult)
    /// It could not go on; the reason is a sentence.
    case failed(reason: String)
  }

  /// Which run it is.
  public var key: RunKey
  /// Every parameter in force.
  public var configuration: RunConfiguration
  /// What it was made from.
  public var provenance: RunProvenance
  /// What came out.
  public var outcome: Outcome

  /// Makes a record from its parts.
  public init(
    key: RunKey, configuration: RunConfiguration, provenance: RunProvenance, outcome: Outcome
  ) {
    self.key = key
    self.configuration = configuration
    self.provenance = provenance
    self.outcome = outcome
  }

  /// The result, unless the run failed.
  public var result: RunResult? {
    if case .finished(let result) = outcome { result } else { nil }
  }

  /// Refuses a record that a program made by hand, and that names more or fewer apps than ran.
  package func checkApps() throws(ReportError) {
    guard let result, result.apps.count != provenance.apps.count else { return }
    throw .appsDiffer(
      policy: key.policy, named: provenance.apps.count, counted: result.apps.count)
  }

  /// The result prepared for metrics, unless the run failed.
  ///
  /// Complexity: O(n log n) in samples.
  public func metricReader() -> MetricReader? {
    result.map { MetricReader($0, traceIssueCount: provenance.traceIssueCount) }
  }
}

extension RunResult {
  /// The result without the list of its worst losses, whose length is the caller's choice:
  /// equal if two runs came to the same.
  package var counted: RunResult {
    var result = self
    result.worstLosses = []
    return result
  }
}
