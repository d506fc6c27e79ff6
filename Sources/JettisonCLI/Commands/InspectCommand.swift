internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonImporters
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
    help: ArgumentHelp("Device that figures of apps are scaled to.", valueName: "name|file.yaml"),
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
    try Console.print(InspectionText(loaded, run).rendered(Console.style))
  }
}
