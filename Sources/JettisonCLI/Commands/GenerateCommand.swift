internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonTraces

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Invents users, each a trace in a directory.",
    discussion: """
      Equal options give equal files on every machine; user k is the same however many are \
      generated.
      """)

  @Option(help: ArgumentHelp("How many users.", valueName: "n"))
  var users = 10

  @Option(help: ArgumentHelp("Days per user.", valueName: "n"))
  var days = 7

  @Option(help: ArgumentHelp("Chooses the population.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "The device the users have: what their traces are replayed on unless told otherwise.",
      valueName: "name"))
  var device: String?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Where the traces go.", valueName: "dir"),
    completion: .directory)
  var output: String

  @Flag(name: .shortAndLong, help: "Say nothing but errors.")
  var quiet = false

  func run() throws {
    guard (1...100_000).contains(users) else {
      throw ExperimentError.option(
        "--users", .invalid(what: "value", text: "\(users)", remedy: "write 1 to 100000"))
    }
    guard SyntheticUsers.days.contains(days) else {
      throw ExperimentError.option(
        "--days",
        .invalid(
          what: "value", text: "\(days)", remedy: "write 1 to \(SyntheticUsers.days.upperBound)"))
    }
    if let device {
      do throws(ConfigurationError) {
        _ = try DeviceTable.device(named: device)
      } catch {
        throw ExperimentError.option("--device", error)
      }
    }
    try FileSystem.makeDirectory(output)
    for user in 0..<users {
      let trace = try SyntheticUsers.generate(
        user: user, days: days, seed: seed, device: device)
      try TraceWriter.write(trace, to: "\(output)/\(trace.name).csv")
    }
    guard !quiet else { return }
    Console.say(
      "\(Prose.counted(users, "trace")) in \(output), made by: "
        + "jettison generate --users \(users) --days \(days) --seed \(seed)"
        + (device.map { " --device \($0)" } ?? "") + " -o \(output)")
  }
}
