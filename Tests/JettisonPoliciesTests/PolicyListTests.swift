import Foundation
import JettisonCore
import JettisonPolicies
import Testing

/// The article that lists all policies says what the registry says.
struct PolicyListTests {
  private static let article = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent(
      "../../Sources/JettisonPolicies/JettisonPolicies.docc/Policies.md")

  /// One table per family, in the order of the registry.
  private static var tables: String {
    var families: [String] = []
    for policy in PolicyRegistry.all where !families.contains(policy.family) {
      families.append(policy.family)
    }
    return families.map { family in
      let rows = PolicyRegistry.all.filter { $0.family == family }.map {
        "| `\($0.name)` | \($0.summary) | \($0.source) |"
      }
      let title = family.prefix(1).uppercased() + family.dropFirst()
      let head = ["## \(title)", "", "| Policy | What it does | Source |", "|---|---|---|"]
      return (head + rows).joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  @Test("The article lists every policy of the registry (JETTISON_RECORD=1 writes the tables)")
  func list() throws {
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let first = try #require(PolicyRegistry.all.first?.family)
    let title = "## \(first.prefix(1).uppercased())\(first.dropFirst())"
    let prose = text.range(of: title).map { String(text[..<$0.lowerBound]) } ?? text
    if ProcessInfo.processInfo.environment["JETTISON_RECORD"] == "1" {
      try (prose + Self.tables).write(to: Self.article, atomically: true, encoding: .utf8)
      Issue.record("the tables are written: read the difference, and run again without recording")
    }
    #expect(text == prose + Self.tables)
  }

  @Test("Texts of descriptors fit a table and a terminal")
  func texts() {
    var names: Set<String> = []
    for policy in PolicyRegistry.all {
      #expect(names.insert(policy.name).inserted, "\(policy.name) is there twice")
      for text in [policy.summary, policy.details, policy.source, policy.complexity] {
        #expect(!text.isEmpty, "\(policy.name)")
        #expect(!text.contains("\n"), "\(policy.name): \(text)")
      }
      #expect(!policy.summary.contains("|") && !policy.source.contains("|"), "\(policy.name)")
      #expect(policy.summary.hasSuffix("."), "\(policy.name)")
      #expect(policy.details.hasSuffix("."), "\(policy.name)")
    }
  }
}
