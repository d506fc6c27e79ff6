internal import ArgumentParser

struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "check")
}
