import JettisonCore
import JettisonSupport
import JettisonTestSupport
import Testing

@testable import JettisonImporters
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

  @Test("No name that a trace can carry is left, in text or binary, header and details included")
  func everyName() throws {
    let plain = try TraceText()
      .header("device: \"SECRET phone\"").header("user: SECRET-user")
      .header("source: SECRET words").header("privacy: SECRET words")
      .header("catalog: SECRET.yaml").header("x-SECRET: 1")
      .header("start: \"2021-03-17T20:15:30+05:30\"")
      .header("apps:")
      .header("  SECRET.app: {category: notes, group: SECRET1, cgroup: app.slice/SECRET.scope/x}")
      .header("  SECRET's app: {category: maps, group: SECRET1, cgroup: app.slice/SECRET.scope}")
      .row(0, "SECRET.app", "launch")
      .row(0, "SECRET's app", "launch")
      .row(1, "SECRET.app", "edit", value: 1, detail: "work_ms=5;scene=SECRET%20scene")
      .row(2, "SECRET.app", "background-mode", value: 1, detail: "mode=SECRETmode")
      .row(2, "SECRET.app", "background-mode", value: 1, detail: "mode=audio")
      .row(3, "SECRET.app", "shared-resource", value: 1, detail: "resource=SECRET%3D")
      .row(4, "", "device-change", detail: "kind=SECRETkind;to=SECRETvalue")
      .row(4, "", "device-change", detail: "kind=orientation;to=portrait")
      .row(5, "SECRET.app", "edit", value: 1, detail: "scene=SECRET%20scene;x-SECRET=SECRET")
      .row(6, "", "x-SECRET", detail: "a=SECRET")
      .end(10)
      .trace()
    #expect(plain.issues.all.contains { $0.text.contains("SECRET") })
    let trace = try Anonymizer.anonymize(plain, file: "test.csv")
    var text = ByteSink()
    try TextTraceWriter.write(trace, to: &text)
    var binary = ByteSink()
    try BinaryTrace.write(trace, to: &binary)
    for bytes in [text.collected, binary.collected] {
      let shown = String(decoding: bytes, as: UTF8.self).lowercased()
      #expect(!shown.contains("secret"), "\(shown)")
    }
    #expect(!trace.issues.all.contains { $0.text.lowercased().contains("secret") })
    #expect(
      trace.header.appsYAML == """
        app-001: {category: notes, group: group-1, cgroup: app.slice/cgroup-1.scope/cgroup-2}
        app-002: {category: maps, group: group-1, cgroup: app.slice/cgroup-1.scope}
        """)
    #expect(
      summary(trace).filter { $0.contains("=") } == [
        "1 app-001 edit 1 work_ms=5;scene=scene-1", "2 app-001 background-mode 1 mode=mode-1",
        "2 app-001 background-mode 1 mode=audio", "3 app-001 shared-resource 1 resource=resource-1",
        "4 device-change kind=kind-1;to=to-1", "4 device-change kind=orientation;to=portrait",
        "5 app-001 edit 1 scene=scene-1", "10 end reason=complete",
      ])
  }
}
