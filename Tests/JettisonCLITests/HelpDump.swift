import Foundation
import JettisonTestSupport
import Testing

/// What `--experimental-dump-help` says of the commands, from which the manual page is made, too.
struct HelpDump: Decodable {
  struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable {
        let name: String
      }
      let kind: String
      let preferredName: Name?
      let valueName: String?
      let abstract: String?
      let shouldDisplay: Bool
    }
    let commandName: String
    let abstract: String?
    let arguments: [Argument]?
    let subcommands: [Command]?
  }

  let command: Command

  /// The commands; `help` is none of ours.
  static func commands() throws -> [Command] {
    let run = try Program().run("--experimental-dump-help")
    #expect(run.status == 0, "\(run.error)")
    let root = try JSONDecoder().decode(HelpDump.self, from: Data(run.output.utf8)).command
    return (root.subcommands ?? []).filter { $0.commandName != "help" }
  }
}
