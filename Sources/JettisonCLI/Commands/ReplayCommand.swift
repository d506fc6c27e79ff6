internal import ArgumentParser

struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "replay")
}
