import Foundation
import JettisonTestSupport
import Testing

@Suite("Lines are as wide as the terminal, and words stay whole")
struct WidthTests {
  static let stories = ["draft-lost-at-purge", "text-message-accepted", "purge-nobody-noticed"]

  static let commands = [
    "replay draft-lost-at-purge.csv text-message-accepted.csv",
    "compare draft-lost-at-purge.csv text-message-accepted.csv purge-nobody-noticed.csv",
    "savings draft-lost-at-purge.csv", "savings draft-lost-at-purge.csv --app com.example.game",
    "savings draft-lost-at-purge.csv --app com.example.notes",
    "savings draft-lost-at-purge.csv text-message-accepted.csv purge-nobody-noticed.csv",
    "explain draft-lost-at-purge.csv", "explain draft-lost-at-purge.csv --list",
    "explain draft-lost-at-purge.csv --app com.example.notes",
    "explain draft-lost-at-purge.csv --loss 1", "inspect draft-lost-at-purge.csv", "policies",
    "policies gdsf", "models", "models ios-14", "devices", "formats", "formats jettison",
  ]

  @Test("What commands print fits", arguments: commands, [60, 80, 120])
  func results(command: String, width: Int) throws {
    let program = try Program()
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../traces/stories").standardizedFileURL
    for story in Self.stories {
      let text = try String(contentsOf: folder.appending(path: "\(story).csv"), encoding: .utf8)
      try program.write(text, to: "\(story).csv")
    }
    let result = try program.run(command, columns: width)
    #expect(result.status == 0, "\(result.error)")
    expectFit(result.output, width)
  }

  @Test(
    "Help fits",
    arguments: [
      "", "replay", "compare", "savings", "explain", "validate", "inspect", "check", "import",
      "record", "convert", "generate", "policies", "models", "devices", "formats",
    ])
  func help(command: String) throws {
    let result = try Program().run("\(command) --help", columns: 80)
    #expect(result.status == 0)
    let usage = result.output.split(separator: "\n").filter { $0.hasPrefix("USAGE: ") }
    #expect(usage.count == 1)
    expectFit(result.output, 80)
    for line in usage { expectFit(String(line), 60) }
  }

  /// A word that is wider than the terminal may stand alone.
  private func expectFit(_ text: String, _ width: Int) {
    for line in text.split(separator: "\n") where line.count > width {
      let words = line.split(separator: " ")
      #expect(words.count == 1, "\(line.count) columns: \(line)")
    }
  }
}
