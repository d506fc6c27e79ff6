internal import ArgumentParser

struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "compare")
}
