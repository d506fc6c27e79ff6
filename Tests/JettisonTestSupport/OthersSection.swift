import Foundation

/// What became of the cases of one of other people's test suites.
///
/// The article *Other people's tests* holds one row per section, and a list of the cases that
/// Jettison does not pass, with reasons. A test holds both to this value, and this value to the
/// cases that the tests really run.
package struct OthersSection: Sendable {
  /// Cases that are not passed, for one reason.
  package struct Exception: Sendable {
    package let ids: [String]
    package let reason: String

    package init(_ ids: [String], _ reason: String) {
      self.ids = ids
      self.reason = reason
    }
  }

  /// Title in the article.
  package let title: String
  /// All ids, in order.
  package let ids: [String]
  /// Ids that tests of ours carry.
  package let passed: [String]
  package let different: [Exception]
  package let inexpressible: [Exception]

  package init(
    _ title: String, ids: [String], passed: [String], different: [Exception],
    inexpressible: [Exception]
  ) {
    self.title = title
    self.ids = ids
    self.passed = passed
    self.different = different
    self.inexpressible = inexpressible
  }

  /// `X3` to `X5` as single ids.
  package static func ids(_ prefix: String, _ numbers: ClosedRange<Int>) -> [String] {
    numbers.map { "\(prefix)\($0)" }
  }

  // MARK: Consistency

  /// What is wrong with the lists: a case that is in none or in several of them.
  package var mistakes: [String] {
    let told = Set(passed).sorted() + (different + inexpressible).flatMap(\.ids)
    let twice = Set(told.filter { id in told.count { $0 == id } > 1 }).sorted()
    return ids.filter { !told.contains($0) }.map { "\($0) is told of nowhere" }
      + told.filter { !ids.contains($0) }.map { "\($0) is no case of \(title)" }
      + twice.map { "\($0) is told of twice" }
  }

  // MARK: The article

  /// The row of the article's table.
  package var row: String {
    let counts = [ids.count, Set(passed).count, count(different), count(inexpressible)]
    return "| \(title) | " + counts.map { "\($0)" }.joined(separator: " | ") + " |"
  }

  /// The part of the article on what is not passed.
  package var part: String {
    let rows =
      different.map { "| \(Self.range($0.ids)) | different | \($0.reason) |" }
      + inexpressible.map { "| \(Self.range($0.ids)) | not expressible | \($0.reason) |" }
    let table = ["| Cases | Result | Why |", "|---|---|---|"] + rows
    return "## \(title)\n\n" + (rows.isEmpty ? "All pass." : table.joined(separator: "\n"))
      + "\n"
  }

  private func count(_ exceptions: [Exception]) -> Int {
    exceptions.reduce(0) { $0 + $1.ids.count }
  }

  /// Ids with runs of numbers drawn together: `X3–X5, X9`.
  static func range(_ ids: [String]) -> String {
    var runs: [(first: String, last: String)] = []
    for id in ids {
      if let run = runs.last, follows(id, run.last) {
        runs[runs.count - 1].last = id
      } else {
        runs.append((id, id))
      }
    }
    return runs.map { $0.first == $0.last ? $0.first : "\($0.first)–\($0.last)" }
      .joined(separator: ", ")
  }

  private static func follows(_ id: String, _ other: String) -> Bool {
    guard let a = Int(id.drop { !$0.isNumber }), let b = Int(other.drop { !$0.isNumber }) else {
      return false
    }
    return id.prefix { !$0.isNumber } == other.prefix { !$0.isNumber } && a == b + 1
  }

  /// The article with this section's row and part as they are now.
  package func written(into article: String) -> String {
    var lines = article.components(separatedBy: "\n")
    if let old = lines.firstIndex(where: { $0.hasPrefix("| \(title) |") }) { lines[old] = row }
    guard let start = lines.firstIndex(of: "## \(title)") else {
      return lines.joined(separator: "\n")
    }
    let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") } ?? lines.count
    lines.replaceSubrange(
      start..<end, with: part.dropLast().components(separatedBy: "\n") + [""])
    return lines.joined(separator: "\n")
  }

  // MARK: Check

  /// What the article says otherwise than the tests do, one sentence each; with `JETTISON_RECORD=1`
  /// it is written first, so that the difference can be read.
  package static func faults(of sections: [OthersSection]) throws -> [String] {
    let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/JettisonCore/JettisonCore.docc/OthersTests.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let wanted = sections.reduce(text) { $1.written(into: $0) }
    var faults = sections.flatMap(\.mistakes)
    if ProcessInfo.processInfo.environment["JETTISON_RECORD"] == "1", wanted != text {
      try wanted.write(to: article, atomically: true, encoding: .utf8)
      faults.append("the article is written: read the difference, and run again")
    }
    for section in sections {
      if !text.contains("\n\(section.row)\n") {
        faults.append("the article counts \(section.title) otherwise")
      }
      if !text.contains("\n\(section.part)") {
        faults.append("the article explains \(section.title) otherwise")
      }
    }
    return faults
  }
}
