import Foundation
import JettisonCore
import Testing

@testable import JettisonSynthetic
@testable import JettisonTraces

@Suite("The rates of synthetic lives and their sources")
struct SyntheticRatesTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../..").standardizedFileURL

  private static let catalog = "Sources/JettisonExperiments/JettisonExperiments.docc"

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// A figure as the article shows it.
  private static func text(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  @Test("Every name has its entry, in order, with a source")
  func isWhole() {
    #expect(SyntheticRates.all.map(\.name) == SyntheticRates.Name.allCases)
    #expect(SyntheticRates.all.allSatisfy { !$0.what.isEmpty && !$0.source.isEmpty })
    #expect(SyntheticRates.all.allSatisfy { $0.in2010 >= 0 && $0.today >= 0 })
    let shares = SyntheticRates.all.filter { $0.unit == "share" }
    #expect(shares.count > 15)
    #expect(shares.allSatisfy { $0.in2010 <= 1 && $0.today <= 1 })
    for population in SyntheticPopulation.allCases {
      let classes: [SyntheticRates.Name] = [
        .savesAll, .savesOften, .savesPart, .savesNever, .savesAtEnd,
      ]
      let sum = classes.reduce(0) { $0 + population.rate($1) }
      #expect(abs(sum - 1) < 1e-9)
    }
  }

  @Test("The article shows the very table")
  func article() throws {
    let lines = SyntheticRates.all.map { entry in
      let figures = [entry.in2010, entry.today].map { Self.text($0) }
      let cells = [entry.what] + figures + [entry.unit, entry.source]
      return "| \(cells.joined(separator: " | ")) |"
    }
    let table = lines.joined(separator: "\n")
    let article = try Self.text("\(Self.catalog)/SyntheticUsers.md")
    #expect(article.contains("|---|---|---|---|---|\n\(table)\n\n"), "it should have:\n\(table)")
  }

  @Test("The article is linked")
  func links() throws {
    let index = try Self.text("\(Self.catalog)/JettisonExperiments.md")
    #expect(index.contains("- <doc:SyntheticUsers>"))
    let readme = try Self.text("README.md")
    #expect(readme.contains("(\(Self.catalog)/SyntheticUsers.md)"))
  }
}
