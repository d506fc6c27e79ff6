internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

/// A trace for people: who was recorded, its apps, and where their figures come from.
struct InspectionText {
  private let loaded: LoadedTrace
  private let run: RunConfiguration
  private let apps: [ResolvedApp]
  private var trace: Trace { loaded.trace }

  /// Takes a trace and a run of it, on whose device apps are resolved.
  init(_ loaded: LoadedTrace, _ run: RunConfiguration) {
    self.loaded = loaded
    self.run = run
    apps = loaded.apps(on: run.device)
  }

  /// Everything, as lines each ended.
  func rendered(_ style: TextStyle) -> String {
    [
      header, appTable.rendered(style),
      "What the capture holds of what a replay needs\n" + coverageTable.rendered(style),
      "Where figures come from, in apps\n" + provenanceTable.rendered(style),
    ].joined(separator: "\n")
  }

  private var header: String {
    let header = trace.header
    let launches = trace.index.kindCounts[Int(EventKind.launch.rawValue)]
    var facts = [
      ("user", TextStyle.clean(header.user)),
      ("device", TextStyle.clean(device)),
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

  private var device: String {
    trace.header.device ?? trace.header.deviceYAML.map(DeviceFile.told) ?? "not said"
  }

  private var appTable: TextTable {
    var table = TextTable([
      .init("app", .left), .init("category", .left), .init("launches", .right),
      .init("memory at launch", .right), .init("largest sample", .right), .init("cold", .right),
      .init("hot", .right), .init("memory is", .left), .init("launch times are", .left),
    ])
    let largest = loaded.largestSamples
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

  private var coverageTable: TextTable {
    var table = TextTable([.init("need", .left), .init("is", .left), .init("what there is", .left)])
    for need in CaptureCoverage(trace, apps).needs {
      table.add([
        .init(need.name), .init(need.sources.map(\.rawValue).joined(separator: ", ")),
        .init(need.text),
      ])
    }
    return table
  }

  private var provenanceTable: TextTable {
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
