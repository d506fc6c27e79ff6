internal import ArgumentParser

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "import")
}
