internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonPages
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

/// The options that say where results go, shared by `replay` and `compare`.
struct ReportOptionGroup: ParsableArguments {
  @OptionGroup
  var output: OutputOptionGroup

  @Option(
    help: ArgumentHelp(
      "Large reports too, with --csv.", valueName: "report,…"))
  var detail: Several<DetailKind>?

  @Option(
    help: ArgumentHelp(
      "Keep only these rows in events.csv (default: all). Repeatable.", valueName: "purge,kill,…"),
    completion: .list(RecordedKind.allCases.map(\.name)))
  var events: [OptionValues] = []

  @Option(
    help: ArgumentHelp(
      "Least time between footprints of an app that are written (default: 1s).", valueName: "1s"))
  var sample: String?

  @Option(
    help: ArgumentHelp(
      "Exit with status 2 if a metric of summary.csv meets a condition in any run. Repeatable.",
      valueName: "metric>x"),
    completion: .gates)
  var failIf: [OptionValues] = []

  @Option(
    help: ArgumentHelp(
      "Write the conditions of --fail-if, and whether they are met, as JUnit XML.",
      valueName: "file"),
    completion: .file(extensions: ["xml"]))
  var junit: String?

  /// Creates every file that is asked for at once, so that a bad place fails before any work.
  ///
  /// - Parameters:
  ///   - asked: What is replayed.
  ///   - inputs: What is read, which no result may replace.
  ///   - perfetto: Whether what happens is shown in Perfetto, too.
  ///   - page: Makes the page of a command at a path.
  func sinks(
    for asked: ExperimentSpecification, inputs: [String], perfetto: PerfettoOptionGroup? = nil,
    page: (String) throws -> any ReportSink
  ) throws -> [any ReportSink] {
    try OutputPlaces.check(
      files: [
        ("--junit", junit), ("--html", output.html), ("--perfetto", perfetto?.perfetto),
      ],
      directories: [("--csv", output.csv)], inputs: inputs + [perfetto?.beside].compactMap { $0 })
    let shown = try perfetto?.sink(samplePeriodNanoseconds: samplePeriod())
    if output.csv == nil, shown == nil, sample != nil {
      throw ExperimentError.misuse(
        what: "--sample: there is no place for reports", remedy: "add --csv DIR")
    }
    let sinks: [(any ReportSink)?] = [
      try csvSink(eventKinds: asked.eventKinds), try junitSink(gates: asked.gates),
      try output.html.map { try page(try OutputOptionGroup.pageFile($0)) }, shown,
    ]
    return sinks.compactMap { $0 }
  }

  /// - Parameter eventKinds: The kinds of rows in `events.csv`; nil: all.
  private func csvSink(eventKinds: Set<RecordedKind>?) throws -> CSVReportSink? {
    let kinds = detail?.values ?? []
    guard events.isEmpty || kinds.contains(.events) else {
      throw ExperimentError.misuse(
        what: "--events: there is no events.csv", remedy: "add --csv DIR --detail events")
    }
    let period = try samplePeriod()
    guard let directory = try output.directory() else {
      if detail != nil {
        throw ExperimentError.misuse(
          what: "--detail: there is no place for reports", remedy: "add --csv DIR")
      }
      return nil
    }
    return try CSVReportSink(
      directory: directory, details: Set(kinds), eventKinds: eventKinds,
      samplePeriodNanoseconds: period)
  }

  /// - Parameter gates: The conditions to report, from here or from an experiment file.
  private func junitSink(gates: [MetricGate]) throws -> JUnitReportSink? {
    guard let junit else { return nil }
    guard !gates.isEmpty else {
      throw ExperimentError.misuse(
        what: "--junit: there is no condition to report", remedy: "add --fail-if 'metric>x'")
    }
    guard junit != "-" else {
      throw ExperimentError.value(
        "--junit",
        .invalid(what: "place", text: junit, remedy: "name a file: results go to the output"))
    }
    return try JUnitReportSink(path: junit, gates: gates)
  }

  /// Least time between footprints of an app, in nanoseconds; 0: all are written.
  func samplePeriod() throws -> Int64 {
    guard let sample else { return 1_000_000_000 }
    guard let period = Quantity.nanoseconds(sample), period >= 0 else {
      throw ExperimentError.value(
        "--sample",
        .invalid(what: "value", text: sample, remedy: "write a duration such as 1s, or 0"))
    }
    return period
  }
}
