internal import ArgumentParser

struct InspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "inspect")
}
