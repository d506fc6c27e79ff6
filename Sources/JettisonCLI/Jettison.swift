internal import ArgumentParser
internal import Dispatch
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
      ValidateCommand.self, InspectCommand.self, CheckCommand.self, ImportCommand.self,
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
      try checkCommand(CommandLine.arguments.dropFirst().first)
      var command = try Jettison.parseAsRoot()
      if let command = command as? any AsyncParsableCommand {
        try wait(for: command)
      } else {
        try command.run()
      }
    } catch {
      Console.end(with: error)
    }
  }

  /// Refuses a command that does not exist, which the parser would take for a surplus argument.
  private static func checkCommand(_ name: String?) throws(ConfigurationError) {
    let known = Jettison.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard let name, !name.hasPrefix("-"), name != "help", !known.contains(name) else { return }
    throw .unknown(what: "command", name: name, known: known)
  }

  /// Runs a command that needs several threads, which must be there to be had: the runtime would
  /// wait for them for ever.
  private static func wait(for command: sending any AsyncParsableCommand) throws {
    guard Threads.hasDescriptors else { throw CommandFailure(.failed, Threads.noDescriptors) }
    guard Threads.hasRoom(forJobs: 1) else { throw CommandFailure(.failed, Threads.noRoom) }
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        var command = command
        try await command.run()
      } catch {
        Console.end(with: error)
      }
      isDone.signal()
    }
    isDone.wait()
  }
}
