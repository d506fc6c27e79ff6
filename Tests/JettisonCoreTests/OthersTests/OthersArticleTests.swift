import Foundation
import JettisonTestSupport
import Testing

/// The article on other people's tests says what the tests run.
@Suite("Other people's tests: the article")
struct OthersArticleTests {
  private static let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Sources/JettisonCore/JettisonCore.docc/OthersTests.md")

  static let sections: [OthersSection] = [
    AndroidFrameworkCases.section, LMKDaemonCases.section, MemoryLimiterCases.section,
    MemorystatusCases.section, FirefoxTabCases.section, LinuxKillerCases.section,
  ]

  @Test("Every case of a section is passed, different or not expressible, and one of them only")
  func complete() {
    for section in Self.sections { #expect(section.mistakes == []) }
  }

  @Test("The article counts and explains them (JETTISON_RECORD=1 writes it)")
  func article() throws {
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let wanted = Self.sections.reduce(text) { $1.written(into: $0) }
    if ProcessInfo.processInfo.environment["JETTISON_RECORD"] == "1", wanted != text {
      try wanted.write(to: Self.article, atomically: true, encoding: .utf8)
      Issue.record("the article is written: read the difference, and run again")
    }
    for section in Self.sections {
      #expect(text.contains("\n\(section.row)\n"))
      #expect(text.contains("\n\(section.part)"))
    }
  }
}
