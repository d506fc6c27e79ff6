internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments

/// The options that say on what and how traces are replayed, shared by all commands that replay.
///
/// Sizes, times, names and numbers stay texts: ``SpecificationText`` reads them, with one set of
/// sentences for the command line and for experiment files.
struct ExperimentOptionGroup: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Device from the table, or a device file; several joined by commas. Repeatable.",
      discussion: "Default: the one that the trace names, else iphone-4.",
      valueName: "name|file.yaml,…"),
    completion: .devices)
  var device: [OptionValues] = []

  @Option(
    help: ArgumentHelp(
      "RAM; percentages and limits scale with it. Repeatable.",
      discussion: "512MiB..4GiB/9 is nine sizes at even distances, both ends among them.",
      valueName: "1GiB,…|a..b/n"))
  var memory: [OptionValues] = []

  @Option(
    help: ArgumentHelp(
      "How many apps ideal-cache holds, if every app has size 1. Repeatable.", valueName: "5apps,…")
  )
  var capacity: [OptionValues] = []

  @Option(
    help: ArgumentHelp(
      "Where footprints come from (default: arena).", valueName: "source"))
  var footprints: FootprintSource?

  @Option(
    help: ArgumentHelp(
      "App catalog, a YAML file in the form of 'apps:'; several are compared. Repeatable.",
      valueName: "file,…"),
    completion: .file(extensions: ["yaml", "yml"]))
  var catalog: [OptionValues] = []

  @Option(
    help: ArgumentHelp(
      "Whether apps save when the trace says, or when the catalog does (default: captured).",
      valueName: "source"))
  var saves: ExperimentSpecification.Source?

  @Option(
    help: ArgumentHelp(
      "Whether oom_score_adj is the trace's or the model's (default: captured).",
      valueName: "source"))
  var adj: ExperimentSpecification.Source?

  @Option(
    help: ArgumentHelp(
      "A setting, or a key of an app's catalog entry; several values are a sweep. Repeatable.",
      discussion: "Example: com.example.notes.save.when=none,background.",
      valueName: "key=value,…"),
    completion: .settings)
  var set: [OptionValues] = []

  @Option(
    help: ArgumentHelp(
      "Pressure model, in place of the device's; see 'jettison models'.", valueName: "model"),
    completion: .models)
  var pressure: String?

  @Flag(
    inversion: .prefixedNo, exclusivity: .chooseLast,
    help: "Vary apps around the medians of the built-in categories (default: --no-noise).")
  var noise: Bool?

  @Option(help: ArgumentHelp("An app that is never purged. Repeatable.", valueName: "app"))
  var pin: [OptionValues] = []

  @Option(help: ArgumentHelp("Never purge the N apps that were used last.", valueName: "n"))
  var protectRecent: String?

  @Option(help: ArgumentHelp("Seed of every draw (default: 1).", valueName: "n"))
  var seed: String?

  @Option(
    help: ArgumentHelp(
      "How many seeds, from --seed on (default: 10 if anything is drawn and there are fewer than ten users; else 1).",
      valueName: "n"))
  var seeds: String?

  @Option(
    help: ArgumentHelp("Time at the start of each trace that doesn't count.", valueName: "24h"))
  var warmUp: String?

  @Flag(help: "Check every arena against the allocator's own statistics.")
  var checkArenas = false

  @Flag(help: "Treat errors inside an input as fatal.")
  var strict = false

  @Flag(name: .shortAndLong, help: "Print nothing but results and errors.")
  var quiet = false

  /// What was given, as written.
  func text(traces: [String], policies: [String], option: String) -> SpecificationText {
    var text = SpecificationText()
    text.traces = traces
    text.checksArenas = checkArenas
    text.isStrict = strict
    text.add(.policies, policies, option: option)
    text.add(.device, device.texts)
    text.add(.memory, memory.texts)
    text.add(.capacity, capacity.texts)
    text.add(.footprints, footprints?.rawValue)
    text.add(.catalog, catalog.texts)
    text.add(.saves, saves?.rawValue)
    text.add(.adj, adj?.rawValue)
    text.add(.set, set.texts)
    text.add(.pressure, pressure)
    text.add(.noise, noise.map { $0 ? "on" : "off" })
    text.add(.pin, pin.texts)
    text.add(.protectRecent, protectRecent)
    text.add(.seed, seed)
    text.add(.seeds, seeds)
    text.add(.warmUp, warmUp)
    return text
  }
}
