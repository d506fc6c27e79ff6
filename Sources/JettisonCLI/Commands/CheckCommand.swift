internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonImporters
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Says whether traces are well-formed, and what they provide.",
    discussion: """
      Lists every issue of reading and of replaying with its line, everything that has no effect \
      on the trace (settings of the catalog, a threshold that available memory never reaches, \
      modifiers and options that match no app), and how often each transition, end and class of \
      loss occurs. For that the trace is replayed as 'jettison replay' does it, on its own device \
      under lru unless options say otherwise. The status is 65 if a trace is malformed. '-' reads \
      standard input.
      """)

  @Argument(help: ArgumentHelp("Traces.", valueName: "trace"))
  var traces: [String]

  @Option(
    help: ArgumentHelp("The format; see 'jettison formats'.", valueName: "name"),
    completion: .formats)
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Policies whose modifiers are checked (default: lru).", valueName: "a,b,c|all"),
    completion: .policies)
  var policies: [OptionValues] = []

  @OptionGroup(title: "What to check with the traces")
  var experiment: ExperimentOptionGroup

  func run() throws {
    let format = try format.map { (name) throws(ConfigurationError) in
      try TraceFormats.all.named(name)
    }
    try TraceCollection.checkFiles(traces, remedy: "name the traces in it")
    let asked = try experiment.text(
      traces: traces, policies: policies.texts, option: "--policies"
    ).specification(for: .inspect)
    let planner = try RunPlanner(asked)
    let catalogs = try CatalogFile.read(asked)
    func read(_ path: String) -> Result<[LoadedTrace], TraceError> {
      Result { () throws(TraceError) in
        try TraceCollection.loadAll(path, catalogs, formats: .all, format: format)
      }
    }
    // Read one by one, traces need the memory of the largest. All are read first only where options
    // name apps, because any of them may have those.
    let all = planner.namesApps && traces.count > 1 ? traces.map(read) : nil
    if let all { try Self.checkApps(planner, of: all) }
    var worst: Int32 = 0
    for (position, path) in traces.enumerated() {
      let status = try report(all?[position] ?? read(path), planner, areSome: all != nil)
      if worst == 0 { worst = status }
    }
    if let status = ExitStatus(rawValue: worst), status != .done { throw CommandFailure(status) }
  }

  /// Refuses options about apps that no trace has; one that cannot be read may have them.
  private static func checkApps(
    _ planner: RunPlanner, of inputs: [Result<[LoadedTrace], TraceError>]
  ) throws {
    var loaded: [LoadedTrace] = []
    for input in inputs {
      guard case .success(let traces) = input else { return }
      loaded += traces
    }
    try planner.checkApps(of: loaded)
  }

  /// Says what there is to say about the traces of one input.
  ///
  /// - Returns: The exit status that the input asks for.
  private func report(
    _ input: Result<[LoadedTrace], TraceError>, _ planner: RunPlanner, areSome: Bool
  ) throws -> Int32 {
    var status = ExitStatus.done
    do {
      for loaded in try input.get() {
        let check = TraceCheck(of: try planner.plan([loaded], areSome: areSome))
        try Console.print(Console.lines(OptionNames.worded(check.text)))
        if experiment.strict, loaded.trace.issues.count(atLeast: .error) > 0 { status = .malformed }
      }
      return status.rawValue
    } catch let error as TraceError {
      Console.say(error.description)
      return error.exitStatus
    } catch ExperimentError.input(let error) {
      Console.say(error.description)
      return error.exitStatus
    }
  }
}
