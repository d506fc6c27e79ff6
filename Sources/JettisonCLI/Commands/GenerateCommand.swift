internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonSupport
internal import JettisonSynthetic
internal import JettisonTraces

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Generates synthetic users, a trace for each.",
    usage: "jettison generate [<options>] --output <dir>",
    discussion: """
      The same options give the same files on every machine, and user k is the same however many \
      you generate. The article SyntheticUsers lists what these users do, how often, and where \
      each rate comes from.
      """)

  @Option(help: ArgumentHelp("How many users.", valueName: "n"))
  var users = "10"

  @Option(help: ArgumentHelp("Days per user.", valueName: "n"))
  var days = "7"

  @Option(help: ArgumentHelp("Seed of the population.", valueName: "n"))
  var seed = "1"

  @Option(
    help: ArgumentHelp(
      "The device that the users have, and that their traces are replayed on by default.",
      valueName: "name"),
    completion: .devices)
  var device: String?

  @Option(
    help: ArgumentHelp(
      "People of 2010, or of today (default: as the device suggests, else 2010).",
      valueName: "2010|today"))
  var population: SyntheticPopulation?

  @Option(
    name: .customLong("app"),
    help: ArgumentHelp(
      "An app of your own that everybody has, its category and launches per day. Repeatable.",
      valueName: "name:category:n"))
  var apps: [OptionValues] = []

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Where the traces go.", valueName: "dir"),
    completion: .directory)
  var output: String

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  /// Launches that one command may write, as an estimate: some 10 GB.
  private static let launchLimit = 120_000_000.0

  func run() throws {
    let people = try chosenPopulation()
    let ownApps = try parsedApps()
    let users = try WholeNumber.read(
      users, "--users", 1...100_000, remedy: "write 1 to 100000")
    let days = try WholeNumber.read(
      days, "--days", SyntheticUsers.days,
      remedy: "write 1 to \(SyntheticUsers.days.upperBound)")
    let seed = try WholeNumber.read(
      seed, "--seed", 0...UInt64.max, remedy: "write a whole number such as 1")
    try checkSize(users, days, people, ownApps)
    guard !output.isEmpty, output != "-" else {
      throw ExperimentError.value(
        "--output",
        .invalid(what: "place", text: output, remedy: "name a directory: each user is a file"))
    }
    try ReportDirectory.make(output)
    var batch = TraceBatch()
    var names: Set<String> = []
    for user in 0..<users {
      let trace = try SyntheticUsers.generate(
        user: user, days: days, seed: seed, population: people, ownApps: ownApps,
        device: device)
      names.insert("\(trace.name).csv")
      try batch.write(trace, to: "\(output)/\(trace.name).csv")
    }
    try batch.publish()
    guard !quiet else { return }
    Console.say(
      "\(Prose.counted(users, "trace")) in \(output), made by: "
        + "jettison generate --users \(users) --days \(days) --seed \(seed)"
        + (device.map { " --device \($0)" } ?? "")
        + (population.map { " --population \($0.rawValue)" } ?? "")
        + apps.texts.map { " --app \(RepeatedCommand.inQuotes($0))" }.joined()
        + " -o \(RepeatedCommand.quoted(output))")
    try tellOfOthers(than: names)
  }

  /// Traces from before stay where they are, and commands that read the directory read them, too.
  private func tellOfOthers(than names: Set<String>) throws {
    let others = try TraceCollection.files([output])
      .filter { !names.contains(FileSystem.split($0).name) }
    guard let first = others.first else { return }
    Console.say(
      "note: \(output) holds \(Prose.counted(others.count, "more trace")), such as \(first), and "
        + "commands that take the directory read \(others.count == 1 ? "it" : "them") as well")
  }

  private func chosenPopulation() throws -> SyntheticPopulation {
    var byDevice = SyntheticPopulation.in2010
    if let device {
      do throws(ConfigurationError) {
        byDevice = SyntheticPopulation(having: try DeviceTable.device(named: device))
      } catch {
        throw ExperimentError.value("--device", error)
      }
    }
    return population ?? byDevice
  }

  private func parsedApps() throws -> [SyntheticOwnApp] {
    do throws(ConfigurationError) {
      var parsed: [SyntheticOwnApp] = []
      for app in apps.texts { parsed.append(try SyntheticOwnApp(parsing: app)) }
      try SyntheticOwnApp.check(parsed)
      return parsed
    } catch {
      throw ExperimentError.value("--app", error)
    }
  }

  /// Refuses what would fill the disk before anything is written.
  private func checkSize(
    _ users: Int, _ days: Int, _ people: SyntheticPopulation, _ apps: [SyntheticOwnApp]
  ) throws {
    let perDay = people.launchesPerDay + apps.reduce(0) { $0 + $1.launchesPerDay }
    let launches = Double(users) * Double(days) * perDay
    guard launches <= Self.launchLimit else {
      throw ExperimentError.misuse(
        what: "\(users) users of \(days) days launch apps some \(Int(launches / 1e6)) "
          + "million times",
        remedy: "ask for fewer users or days: at most \(Int(Self.launchLimit / 1e6)) million "
          + "are written")
    }
  }
}
