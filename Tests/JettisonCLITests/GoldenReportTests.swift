import Foundation
import JettisonTestSupport
import Testing

/// The reports of the shipped traces: they change only on purpose.
@Suite("Golden reports")
struct GoldenReportTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("The shipped traces yield what Tests/Golden holds (JETTISON_RECORD=1 writes it)")
  func shippedTraces() throws {
    let program = try Program()
    let traces = ["stories", "users-2010", "users-today"].map {
      Self.root.appending(path: "traces/\($0)").path
    }
    let result = try program.run(["compare"] + traces + ["--quiet", "--csv", "reports"])
    #expect(result.status == 0, "\(result.error)")
    try Self.compare(result.output, with: "table.txt")
    for name in ["summary.csv", "apps.csv", "comparison.csv"] {
      try Self.compare(try program.text("reports/\(name)"), with: name)
    }
  }

  /// Compares a report with the golden file of a name.
  ///
  /// A report has thousands of lines, so only the first that differs is shown.
  private static func compare(_ report: String, with name: String) throws {
    let file = root.appending(path: "Tests/Golden/\(name)")
    let golden = try String(contentsOf: file, encoding: .utf8)
    guard report != golden else { return }
    if ProcessInfo.processInfo.environment["JETTISON_RECORD"] == "1" {
      try report.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("\(name) is written: read the difference, and run again without recording")
      return
    }
    let lines = [golden, report].map {
      $0.split(separator: "\n", omittingEmptySubsequences: false)
    }
    let line = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
    let texts = lines.map { line < $0.count ? String($0[line]) : "nothing" }
    Issue.record("\(name):\(line + 1): '\(texts[1])' instead of '\(texts[0])'")
  }
}
