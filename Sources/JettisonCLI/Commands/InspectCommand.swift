internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonImporters
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows a trace: user, apps, days, launches, memory, and where figures come from.",
    usage: "jettison inspect [<options>] <trace>",
    discussion: """
      A figure is observed (measured in the capture), derived (worked out from it), catalog \
      (written in a catalog), imputed (a built-in category's, plausible but invented), or absent.
      """)

  @Argument(help: ArgumentHelp("The trace.", valueName: "trace"), completion: .file())
  var trace: String

  @Option(help: ArgumentHelp("App catalog.", valueName: "file"))
  var catalog: [OptionValues] = []

  @Option(
    help: ArgumentHelp("Device that apps are resolved for.", valueName: "name|file.yaml"),
    completion: .devices)
  var device: String?

  func run() throws {
    try TraceCollection.checkFiles([trace], remedy: "name a trace in it")
    var written = SpecificationText()
    written.add(.device, device)
    written.add(.catalog, catalog.texts)
    let asked = try written.specification(for: .inspect)
    let catalogs = try CatalogFile.read(asked)
    guard catalogs.count <= 1 else {
      throw ExperimentError.misuse(
        what: "inspect: \(catalogs.count) catalogs are named", remedy: "name one of them")
    }
    let loaded = try TraceCollection.loadOne(trace, catalogs: catalogs, formats: .all)
    let plan = try RunPlanner(asked).plan([loaded])
    for note in plan.notes { Console.say("note: \(note)") }
    let run = plan.runs[0].configuration
    let apps = loaded.apps(on: run.device)
    let style = Console.style
    let text =
      [
        header(loaded, run, apps), appTable(loaded.trace, apps).rendered(style),
        "What the capture holds of what a replay needs\n"
          + coverageTable(loaded.trace, apps).rendered(style),
        "Where figures come from, in apps\n" + provenanceTable(apps).rendered(style),
      ].joined(separator: "\n")
    try Console.print(text)
  }

  private func header(
    _ loaded: LoadedTrace, _ run: RunConfiguration, _ apps: [ResolvedApp]
  ) -> String {
    let trace = loaded.trace
    let header = trace.header
    let launches = trace.index.kindCounts[Int(EventKind.launch.rawValue)]
    var facts = [
      ("user", TextStyle.clean(header.user)),
      ("device", TextStyle.clean(device(of: header))),
      ("start", TextStyle.clean(header.start ?? "not said")),
      ("length", HumanText.duration(nanoseconds: trace.index.endNanoseconds)),
      ("apps", "\(trace.apps.count)"), ("events", "\(trace.events.count)"),
      ("launches", "\(launches)"), ("issues", "\(loaded.issues.count)"),
    ]
    if let peak = CachedPeak(trace, profiles: apps.map(\.profile)) {
      facts.append(("cached at once", "\(peak.text), at most"))
      if let excess = peak.excess(in: run) { facts.append(("too many", excess)) }
    }
    if let source = header.source { facts.append(("source", TextStyle.clean(source))) }
    if let privacy = header.privacy { facts.append(("privacy", TextStyle.clean(privacy))) }
    return TextStyle.clean(trace.name) + "\n" + Prose.facts(facts)
  }

  private func device(of header: TraceHeader) -> String {
    header.device ?? header.deviceYAML.map(DeviceFile.told) ?? "not said"
  }

  private func appTable(_ trace: Trace, _ apps: [ResolvedApp]) -> TextTable {
    var table = TextTable([
      .init("app", .left), .init("category", .left), .init("launches", .right),
      .init("memory at launch", .right), .init("largest sample", .right), .init("cold", .right),
      .init("hot", .right), .init("memory is", .left), .init("launch times are", .left),
    ])
    let largest = largestSamples(trace)
    for (position, app) in apps.enumerated() {
      let index = trace.index
      table.add([
        .init(app.name), .init(app.origin == .catalog ? "–" : app.category.rawValue),
        .init("\(index.launchStarts[position + 1] - index.launchStarts[position])"),
        .init(HumanText.size(bytes: app.profile.launchFootprintBytes)),
        .init(largest[position] < 0 ? "–" : HumanText.size(bytes: largest[position])),
        .init(HumanText.duration(nanoseconds: app.profile.coldLaunchNanoseconds)),
        .init(HumanText.duration(nanoseconds: app.profile.hotLaunchNanoseconds)),
        .init(app.provenance[.footprint]?.rawValue ?? "–"),
        .init(app.provenance[.coldLaunch]?.rawValue ?? "–"),
      ])
    }
    return table
  }

  /// The largest footprint that the trace says for each app; −1 where it says none.
  private func largestSamples(_ trace: Trace) -> [Int64] {
    var largest = [Int64](repeating: -1, count: trace.apps.count)
    trace.events.withEvents { events in
      for position in 0..<events.count {
        let event = events[position]
        guard event.kind == .footprint || event.kind == .present,
          event.flags.contains(.hasValue)
        else { continue }
        largest[event.app.position] = max(largest[event.app.position], event.value)
      }
    }
    return largest
  }

  private func coverageTable(_ trace: Trace, _ apps: [ResolvedApp]) -> TextTable {
    var table = TextTable([.init("need", .left), .init("is", .left), .init("what there is", .left)])
    for need in CaptureCoverage(trace, apps).needs {
      table.add([
        .init(need.name), .init(need.sources.map(\.rawValue).joined(separator: ", ")),
        .init(need.text),
      ])
    }
    return table
  }

  private func provenanceTable(_ apps: [ResolvedApp]) -> TextTable {
    let sources: [Provenance] = [.observed, .derived, .catalog, .imputed, .absent]
    var table = TextTable(
      [.init("figure", .left)] + sources.map { .init($0.rawValue, .right) })
    for field in ResolvedApp.Field.allCases {
      table.add(
        [.init(field.rawValue)]
          + sources.map { source in
            let count = apps.reduce(0) { $0 + ($1.provenance[field] == source ? 1 : 0) }
            return .init(count == 0 ? "" : "\(count)")
          })
    }
    return table
  }
}
