import JettisonTestSupport
import Testing

/// The article on other people's tests says what the tests of the core run.
@Suite("Other people's tests: the article")
struct OthersArticleTests {
  static let sections: [OthersSection] = [
    AndroidFrameworkCases.section, LMKDaemonCases.section, MemoryLimiterCases.section,
    MemorystatusCases.section, FirefoxTabCases.section, LinuxKillerCases.section,
  ]

  @Test("Every case is told of once, and the article counts them (JETTISON_RECORD=1 writes it)")
  func article() throws {
    #expect(try OthersSection.faults(of: Self.sections) == [])
  }
}
