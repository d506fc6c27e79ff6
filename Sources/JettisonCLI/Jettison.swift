internal import ArgumentParser
internal import JettisonExperiments
internal import JettisonReports

/// The `jettison` command.
struct Jettison: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jettison",
    abstract: "Replays captured app use against a model of a phone's memory.",
    discussion: """
      Tells which apps would be purged under a policy, and what that costs the user: work that \
      was never saved, and time lost to relaunches.

      Try: jettison compare traces/users-2010

      Exit status: 0 done; 1 failed; 2 a condition of --fail-if was met; 64 misuse; 65 malformed \
      input; 66 input missing or unreadable; 73 output cannot be created; 74 writing failed.
      """,
    version: JettisonVersion.text,
    subcommands: [
      ReplayCommand.self, CompareCommand.self, ExplainCommand.self, ValidateCommand.self,
      InspectCommand.self, CheckCommand.self, ImportCommand.self, RecordCommand.self,
      ConvertCommand.self, GenerateCommand.self, PoliciesCommand.self, DevicesCommand.self,
      FormatsCommand.self,
    ])
}

@main
enum Main {
  static func main() async {
    FileSystem.ignoreBrokenPipes()
    do {
      var command = try Jettison.parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      Console.end(with: error)
    }
  }
}
