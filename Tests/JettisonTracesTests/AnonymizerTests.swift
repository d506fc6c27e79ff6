import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonTraces

@Suite("Anonymized traces")
struct AnonymizerTests {
  private static let text = TraceText()
    .header("user: anna")
    .header("start: \"2021-03-17T20:15:30+05:30\"")
    .header("source: Anna's phone")
    .header("catalog: anna.yaml")
    .header("apps:")
    .header("  zeta: {category: notes, footprint: {launch: 60MB}}")
    .header("  alpha: {category: maps}")
    .header("  unused: {category: music}")
    .row(0, "zeta", "launch")
    .row(1, "zeta", "alloc", value: 64, id: 900)
    .row(2, "alpha", "launch")
    .row(3, "zeta", "free", id: 900)
    .end(10)

  @Test("Names go by the order of appearance, everything a replay needs stays")
  func renames() throws {
    let plain = try Self.text.trace()
    let trace = try Anonymizer.anonymize(plain, file: "test.csv")
    #expect(trace.apps == ["app-001", "app-002"])
    #expect(
      summary(trace) == [
        "0 app-001 launch", "1 app-001 alloc 64 #0", "2 app-002 launch", "3 app-001 free #0",
        "10 end reason=complete",
      ])
    #expect(
      trace.header.appsYAML == """
        app-001: {category: notes, footprint: {launch: 60MB}}
        app-002: {category: maps}
        """)
    #expect(trace.index.facts[0].contains([.launches, .allocations]))
  }

  @Test("Who and when are gone, the time of day stays")
  func header() throws {
    let header = try Anonymizer.anonymize(Self.text.trace(), file: "test.csv").header
    #expect(header.start == "2024-01-01T20:15:30+00:00")
    #expect(header.source == nil)
    #expect(header.catalog == nil)
    #expect(header.privacy == Anonymizer.privacy)
    #expect(header.user.hasPrefix("user-"))
    #expect(CivilTime.weekday(ofDay: CivilTime.days(year: 2024, month: 1, day: 1) ?? -1) == 0)
  }

  @Test("The pseudonym depends on what is left, not on the names")
  func pseudonym() throws {
    var renamed = Self.text
    renamed.headerLines[0] = "user: bert"
    let first = try Anonymizer.anonymize(Self.text.trace(), file: "a.csv").header.user
    let second = try Anonymizer.anonymize(renamed.trace(), file: "b.csv").header.user
    let other = try Anonymizer.anonymize(
      TraceText().row(0, "zeta", "launch").end(1).trace(), file: "c.csv")
    #expect(first == second)
    #expect(other.header.user != first)
  }

  @Test("The option applies to every format")
  func option() throws {
    var options = ImportOptions()
    options.isAnonymized = true
    let native = try load(Self.text.text, options: options)
    #expect(native.apps == ["app-001", "app-002"])
    let log = try load(AppUsageTests.fixture, options: options)
    #expect(log.apps == ["app-001", "app-002", "app-003"])
    #expect(log.header.start == "2024-01-01T20:00:00+00:00")
    #expect(log.header.appsYAML?.hasPrefix("app-001: {category: messaging}\n") == true)
  }
}
