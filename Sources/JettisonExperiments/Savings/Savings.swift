public import JettisonCore
public import JettisonReports

/// What an app's saving habits would cost and spare its users.
public struct Savings: Sendable {
  /// The app's name.
  public let app: String
  /// One row per device, memory size and habit; empty if no trace has the app.
  public private(set) var rows: [SavingsRow] = []
  /// Why runs failed, each reason once.
  public private(set) var failures: [RunError] = []

  /// The most work that any habit loses, in seconds.
  public var mostLost: Double {
    rows.compactMap { $0.figures[SavingsRow.comparedMetric.name] }.max() ?? 0
  }

  /// Replays every trace that has an app under every habit.
  ///
  /// - Parameters:
  ///   - app: The app's name.
  ///   - plan: What would be replayed; one policy.
  ///   - losses: How many of the app's worst losses a run lists.
  ///   - jobs: How many runs at a time.
  ///   - isolation: Where `progress` is called.
  ///   - progress: Told of every run that is done.
  init(
    of app: String, in plan: RunPlan, listing losses: Int = 0, jobs: Int,
    isolation: isolated (any Actor)? = #isolation,
    progress: (_ done: Int, _ total: Int) async -> Void = { _, _ in }
  ) async throws {
    let habits = SavingHabit.all
    let policy = plan.policies[0].name
    // The worst of a run may all be other apps': of those of one app none may be missing.
    let whole = plan.listing(losses: losses > 0 ? .max : 0)
    let result = try await Experiment(try whole.under(habits, of: app))
      .run(comparing: [], jobs: jobs, progress: progress)
    let table = await HabitTable(app, policy, result.runs, listing: losses, jobs: jobs)
    self.app = app
    for block in table.blocks { rows += table.rows(of: block, habits) }
    for failure in result.failures
    where !failures.contains(where: { "\($0)" == "\(failure.error)" }) {
      failures.append(failure.error)
    }
  }
}

extension Experiment {
  /// What the saving habits of apps would cost and spare their users: every trace that has an app is
  /// replayed under every habit, and nothing else changes.
  ///
  /// - Parameters:
  ///   - apps: Names of apps; empty: all, each in turn.
  ///   - sinks: Where results go.
  ///   - jobs: How many runs at a time; nil: one per core.
  ///   - isolation: Where the sinks and `progress` are called.
  ///   - progress: Told of every run that is done, with the app and the number of its runs.
  /// - Returns: One result per app, the app that can lose most first.
  /// - Throws: ``ExperimentError`` for an app that no trace has or that is named twice, and if the
  ///   experiment has several policies; what sinks throw (`ReportError`, for those of Jettison);
  ///   `CancellationError` if the task is cancelled.
  public func savings(
    of apps: [String] = [], into sinks: [any SavingsSink] = [], jobs: Int? = nil,
    isolation: isolated (any Actor)? = #isolation,
    progress: (_ app: String, _ done: Int, _ total: Int) async -> Void = { _, _, _ in }
  ) async throws -> [Savings] {
    let names = try AppNames(plan.traces).chosen(apps, named: "app")
    guard plan.policies.count == 1 else {
      throw ExperimentError.misuse(
        what: "saving habits are compared under one policy, and \(plan.policies.count) are named",
        remedy: "name one policy")
    }
    try Publishing.begin(sinks)
    let losses = max(0, sinks.map(\.listedLosses).max() ?? 0)
    var found: [Savings] = []
    for name in names {
      found.append(
        try await Savings(
          of: name, in: plan, listing: losses, jobs: Self.count(jobs)
        ) { done, total in
          await progress(name, done, total)
        })
    }
    let ordered = found.enumerated().sorted {
      ($1.element.mostLost, $0.offset) < ($0.element.mostLost, $1.offset)
    }.map(\.element)
    for sink in sinks { try sink.finish(ordered.flatMap(\.rows)) }
    try Publishing.together(sinks)
    return ordered
  }
}

extension AppNames {
  /// The apps to ask about; all, if none is named.
  ///
  /// - Parameters:
  ///   - names: Those that are named.
  ///   - option: What errors call the place where they are.
  package func chosen(
    _ names: [String], named option: String
  ) throws(ExperimentError) -> [String] {
    var seen: Set<String> = []
    for name in names {
      guard contains(name) else { throw .value(option, unknown(name)) }
      guard seen.insert(name).inserted else {
        throw .value(
          option, .invalid(what: "app", text: name, remedy: "it is asked for twice; name it once"))
      }
    }
    return names.isEmpty ? all : names
  }
}

/// The runs of an app under its habits, reduced to what happened to that app.
private struct HabitTable {
  private let app: String
  private let policy: String
  private let runs: [(record: RunRecord, reader: MetricReader?)]
  private let comparisons: [Comparison]
  let blocks: [Block]

  init(
    _ app: String, _ policy: String, _ records: [RunRecord], listing losses: Int, jobs: Int
  ) async {
    self.app = app
    self.policy = policy
    let own = records.map { $0.narrowed(to: app, listing: losses) }
    runs = own.map { ($0, $0.metricReader()) }
    let users = UserMetricTable(own)
    blocks = users.blocks
    comparisons = await users.comparisons(
      baseline: SavingHabit.asCaptured.name, metrics: [SavingsRow.comparedMetric], jobs: jobs
    ).filter { $0.part == .users }
  }

  /// A row per habit; the one that loses nothing at the least writing is marked.
  func rows(of block: Block, _ habits: [SavingHabit]) -> [SavingsRow] {
    let comparisons = comparisons.filter {
      $0.device == block.device && $0.memoryBytes == block.memoryBytes
    }
    let whole = comparisons.withMostUsers
    var rows = habits.map { habit in
      var row = row(of: habit, block)
      row.comparison = comparisons.first { $0.policy == habit.name }
      row.lostPerDay =
        habit == .asCaptured ? whole?.baselineMean : row.comparison?.policyMean
      return row
    }
    let frugal = rows.indices.filter { rows[$0].losesNothing }.min {
      (rows[$0].figures["written_bytes"] ?? 0, rows[$0].figures["saves"] ?? 0, $0)
        < (rows[$1].figures["written_bytes"] ?? 0, rows[$1].figures["saves"] ?? 0, $1)
    }
    if let frugal { rows[frugal].isFrugal = true }
    return rows
  }

  private func row(of habit: SavingHabit, _ block: Block) -> SavingsRow {
    let ours = runs.filter {
      let key = $0.record.key
      return key.policy == habit.name && key.device == block.device
        && key.memoryBytes == block.memoryBytes
    }
    var row = SavingsRow(
      app: app, policy: policy, device: block.device, memoryBytes: block.memoryBytes,
      habit: habit.name,
      when: habit.when, thread: habit.thread, users: Set(ours.map(\.record.key.user)).count)
    row.runs = ours.map(\.record)
    // Sums over different traces do not compare: without one run there is no sum.
    guard ours.allSatisfy({ $0.reader != nil }) else { return row }
    // A trace in which nothing is drawn is run under one seed, which serves all.
    let traces = Dictionary(grouping: ours) { $0.record.key.trace }.values
    for metric in SavingsRow.metrics {
      let means = traces.map { runs in
        PairedStatistics.mean(runs.map { $0.reader?.value(of: metric).number ?? 0 })
      }
      // In ascending order: the order of the traces changes no digit.
      row.figures[metric.name] = means.sorted().reduce(0, +)
    }
    return row
  }
}

extension RunRecord {
  /// The run as if nothing had been counted but one app; run-wide figures are kept.
  fileprivate func narrowed(to app: String, listing losses: Int) -> RunRecord {
    guard let position = provenance.apps.firstIndex(of: app), var result else { return self }
    func own(_ samples: [AppSample]) -> [AppSample] {
      samples.filter { $0.app.position == position }
        .map { AppSample(app: AppIndex(0), nanoseconds: $0.nanoseconds, count: $0.count) }
    }
    result.apps = [result.apps[position]]
    result.footprints = [result.footprints[position]]
    result.relaunchWaits = own(result.relaunchWaits)
    result.staleness = own(result.staleness)
    let worst = result.worstLosses.filter { $0.app.position == position }.prefix(losses)
    result.worstLosses = worst.map {
      var loss = $0
      loss.app = AppIndex(0)
      return loss
    }
    var record = self
    record.provenance.apps = [app]
    record.outcome = .finished(result)
    return record
  }
}
