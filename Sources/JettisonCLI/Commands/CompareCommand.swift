internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonPages
internal import JettisonReports

struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares policies over traces, devices, memory sizes, settings and seeds.",
    discussion: """
      Prints one table for each device and memory size, the one with the most users first. In a \
      table, the policy that loses the least work comes first. --csv writes the reports; --json \
      prints the rows of comparison.csv instead of the tables. Users with less than a day of trace \
      get tables of totals, because a daily rate would say little about them.

      A directory stands for the traces in it or, if it has none, for those in its folders.

      An experiment file is a YAML mapping with the key 'traces' and the long options below as \
      further keys: policies, device, memory, capacity, footprints, catalog, saves, adj, set, \
      pressure, noise, pin, protect-recent, seed, seeds, warm-up, baseline, events, fail-if. Lists \
      are written [a, b], and 'set' is a mapping. Paths are relative to the file, and an option on \
      the command line wins over it.

      A policy that fails is marked, the others go on, and the status is 1.
      """)

  @Argument(
    help: ArgumentHelp(
      "Traces, directories of them, or one experiment file.", valueName: "trace"),
    completion: .file())
  var traces: [String]

  @Option(
    help: ArgumentHelp(
      "Policies or policy files to compare, or 'all'; see 'jettison policies'.",
      discussion: "Default: lru,lru+saved,size,gdsf,landlord-loss.", valueName: "a,b,c|all"),
    completion: .policies)
  var policies: [OptionValues] = []

  @Option(
    help: ArgumentHelp(
      "The policy that the others are compared with (default: the first).",
      valueName: "policy"),
    completion: .policies)
  var baseline: String?

  @Option(
    help: ArgumentHelp(
      "Sort policies by a metric of comparison.csv, the best first (default: "
        + "system_lost_work_noticed_seconds).", valueName: "metric"),
    completion: .comparedMetrics)
  var sort: String?

  @Option(
    help: ArgumentHelp(
      "Show the first N policies of each table, and the baseline.", valueName: "n"))
  var top: String?

  @Flag(help: "Print the rows of comparison.csv as JSON instead of the tables.")
  var json = false

  @OptionGroup(title: "What to replay on")
  var experiment: ExperimentOptionGroup

  @OptionGroup(title: "Results")
  var reports: ReportOptionGroup

  func run() async throws {
    var view = try view()
    var text = experiment.text(traces: traces, policies: policies.texts, option: "--policies")
    text.add(.baseline, baseline)
    let session = try await ExperimentSession.run(
      text, for: .compare, reports: reports,
      page: { path, asked in try Self.page(path, asked, view) }, isQuiet: experiment.quiet)
    if json {
      try Console.print(RunTables.comparison.json(session.result.comparisons))
    } else {
      let plan = session.experiment.plan
      view.explain(plan.policies.map(\.spec))
      let summary = ComparisonSummary(
        runs: session.result.runs, comparisons: session.result.comparisons,
        baseline: plan.policies[plan.baseline].name, view: view)
      try Console.print(summary.rendered(Console.style))
    }
    try session.judge()
  }

  private static func page(
    _ path: String, _ asked: ExperimentSpecification, _ view: ComparisonView
  ) throws -> any ReportSink {
    try ComparisonPageSink(
      path: path, gates: asked.gates, command: RepeatedCommand.text, view: view)
  }

  /// What of the tables is wanted.
  private func view() throws(ExperimentError) -> ComparisonView {
    var view = ComparisonView()
    if json, let option = sort.map({ _ in "--sort" }) ?? top.map({ _ in "--top" }) {
      throw .misuse(
        what: "\(option): --json prints every row in the order of comparison.csv",
        remedy: "leave one of them out")
    }
    view.top = try top.map { (text) throws(ExperimentError) in
      try WholeNumber.read(text, "--top", 1...Int.max, remedy: "write 1 or more")
    }
    do throws(ConfigurationError) {
      view.sort = try sort.map { (name) throws(ConfigurationError) in
        try MetricTable.metric(named: name, among: MetricTable.compared)
      }
    } catch {
      throw .value("--sort", error)
    }
    return view
  }
}
