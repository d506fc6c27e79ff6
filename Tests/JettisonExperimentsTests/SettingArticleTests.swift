import Foundation
import JettisonCore
import JettisonReports
import Testing

@testable import JettisonExperiments

/// The articles list what `--pressure` and `--set` take as the program knows it.
@Suite("Settings in the articles")
struct SettingArticleTests {
  private static let replaying =
    "JettisonExperiments/JettisonExperiments.docc/ReplayingAndComparing"

  @Test(
    "Every parameter of a killer, with its default and its sentence, and no other",
    arguments: [
      ("JetsamModel", PressureModelKind.Family.jetsam), ("AndroidModel", .android),
      ("LinuxModels", .linux),
    ])
  func parameters(article: String, family: PressureModelKind.Family) throws {
    let parameters = PressureParameters.parameters(of: family)
    let groups = Set(parameters.map { "`\($0.key.prefix { $0 != "." })." })
    let rows = try Self.rows(of: "JettisonCore/JettisonCore.docc/\(article)").filter { row in
      groups.contains { row[0].hasPrefix($0) }
    }
    #expect(rows.map { $0[0] } == parameters.map { "`\($0.key)`" })
    for (row, parameter) in zip(rows, parameters) {
      let value = ModelParameterText.value(of: parameter, in: PressureParameters())
      #expect(row[1] == value, "\(parameter.key)")
      // A table may say more.
      #expect(row[2].hasPrefix(parameter.summary.dropLast()), "\(parameter.key)")
    }
  }

  @Test("Every other setting")
  func settings() throws {
    let parameters = Set(PressureParameters.all.map(\.key))
    let settings = Setting.all.filter { !parameters.contains($0.key) }
    let rows = try Self.rows(of: Self.replaying, under: "### Settings")
    #expect(
      rows.dropFirst(2).prefix(settings.count).map { $0 }
        == settings.map { ["`\($0.key)`", $0.form, $0.summary] })
    #expect(rows.dropFirst(2 + settings.count).allSatisfy { $0[0].contains("…") })
  }

  @Test("Every pressure model")
  func models() throws {
    let rows = try Self.rows(of: Self.replaying, under: "### Pressure models")
    #expect(
      rows.dropFirst(2).map { $0 }
        == PressureModelKind.allCases.map { ["`\($0.rawValue)`", $0.summary] })
  }

  /// The rows of an article's tables, of a section's alone if one is named.
  private static func rows(of article: String, under heading: String? = nil) throws -> [[String]] {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/\(article).md")
    var lines = try String(contentsOf: path, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)[...]
    if let heading {
      let start = try #require(lines.firstIndex { $0 == heading })
      lines = lines[lines.index(after: start)...]
      lines = lines.prefix { !$0.hasPrefix("#") }
    }
    return lines.filter { $0.hasPrefix("|") }.map { line in
      line.dropFirst().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
