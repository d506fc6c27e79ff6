import Foundation
import Testing

/// The manual page is made of what `--experimental-dump-help` says, which is what a test can read.
@Suite("What the manual page says")
struct ManualTests {
  @Test("Every command and every option has a sentence")
  func sentences() throws {
    let commands = try HelpDump.commands()
    #expect(commands.count >= 16)
    for command in commands {
      #expect(command.abstract?.hasSuffix(".") == true, "\(command.commandName)")
      for argument in command.arguments ?? [] where argument.shouldDisplay {
        let name = argument.preferredName?.name ?? argument.valueName ?? "?"
        #expect(argument.abstract?.hasSuffix(".") == true, "\(command.commandName): \(name)")
      }
    }
  }

  @Test("The article on commands lists each of them, and no other")
  func article() throws {
    let article = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../Sources/JettisonExperiments/JettisonExperiments.docc/ReplayingAndComparing.md"),
      encoding: .utf8)
    let lines = article.split(separator: "\n")
    let heading = try #require(lines.firstIndex(of: "| Command | What it does |"))
    let rows = lines[heading...].dropFirst(2).prefix { $0.hasPrefix("|") }
    let listed = rows.flatMap { row in
      let cell = row.split(separator: "|")[0]
      return cell.matches(of: /`([a-z]+)/).map { String($0.output.1) }
    }
    #expect(Set(listed) == Set(try HelpDump.commands().map(\.commandName)))
    #expect(Set(listed).count == listed.count)
  }
}
