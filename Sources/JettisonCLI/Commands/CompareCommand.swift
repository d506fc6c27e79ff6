internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports

struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares policies over traces, devices, memory sizes, settings and seeds.",
    discussion: """
      Prints one table for each device and memory size; --csv writes the reports.

      An experiment file is a YAML mapping with the key 'traces' and the long options below as \
      further keys: policies, device, memory, capacity, footprints, catalog, saves, set, pressure, \
      noise, pin, protect-recent, seed, seeds, warm-up, baseline, fail-if. Lists are written [a, b], \
      'set' is a mapping; files are relative to it; an option on the command line wins.

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
      discussion: "Default: lru,lru+saved,size,gdsf,landlord-loss.", valueName: "a,b,c|all"))
  var policies: String?

  @Option(
    help: ArgumentHelp(
      "The policy that the others are compared with (default: the first).",
      valueName: "policy"))
  var baseline: String?

  @OptionGroup(title: "What to replay on")
  var experiment: ExperimentOptionGroup

  @OptionGroup(title: "Results")
  var reports: ReportOptionGroup

  func run() async throws {
    var options = experiment.options(traces: traces, policies: policies, option: "--policies")
    options.add(.baseline, baseline)
    let session = try await ExperimentSession.run(
      options, for: .compare, reports: reports, compares: true, isQuiet: experiment.quiet)
    let plan = session.plan
    let summary = ComparisonSummary(
      runs: session.experiment.records, comparisons: session.comparisons,
      baseline: plan.policies[plan.baseline].name)
    try Console.print(summary.rendered(Console.style))
    try session.judge()
  }
}
