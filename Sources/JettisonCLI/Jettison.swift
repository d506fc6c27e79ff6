internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonSupport

/// The `jettison` command.
struct Jettison: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jettison",
    abstract: "Replays captured app use against a model of a phone's memory.",
    discussion: """
      Tells which apps would be purged under a policy, and what that costs the user: work that \
      was never saved, and time lost to relaunches.

      Try: jettison compare traces

      Exit status: 0 done; 1 failed; 2 a condition of --fail-if was met; 64 misuse; 65 malformed \
      input; 66 input missing or unreadable; 73 output cannot be created; 74 writing failed.
      """,
    version: JettisonVersion.text,
    subcommands: [
      ReplayCommand.self, CompareCommand.self, SavingsCommand.self, ExplainCommand.self,
      CanaryCommand.self, ValidateCommand.self, InspectCommand.self, CheckCommand.self,
      ImportCommand.self,
      RecordCommand.self,
      ConvertCommand.self, GenerateCommand.self, PoliciesCommand.self, ModelsCommand.self,
      DevicesCommand.self, FormatsCommand.self,
    ])
}

@main
enum Main {
  static func main() {
    FileSystem.guardAgainstSignals()
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      try checkCommand(words.first)
      var command = try Jettison.parseAsRoot(CommandWords.prepared(words, for: Jettison.self))
      if let command = command as? any AsyncParsableCommand {
        run(command)
      } else {
        try command.run()
      }
    } catch {
      Ending.end(with: error)
    }
  }

  /// Refuses a command that does not exist, which the parser would take for a surplus argument.
  private static func checkCommand(_ name: String?) throws(ConfigurationError) {
    let known = Jettison.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard let name, !name.hasPrefix("-"), name != "help", !known.contains(name) else { return }
    throw .unknown(what: "command", name: name, known: known)
  }

  /// Runs a command on as many threads as there are cores and the system grants.
  private static func run(_ command: sending any AsyncParsableCommand) {
    WorkPool(atMost: Threads.limit).run {
      do {
        var command = command
        try await command.run()
      } catch {
        Ending.end(with: error)
      }
    }
  }
}
