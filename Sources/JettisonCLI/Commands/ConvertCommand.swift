internal import ArgumentParser

struct ConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "convert")
}
