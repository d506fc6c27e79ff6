import Foundation
import JettisonExperiments
import JettisonPages
import JettisonReports
import JettisonTestSupport
import Testing

/// Pages from Swift, with nothing but what is public.
@Suite("Pages from Swift")
struct PageSinkTests {
  /// A folder with a trace in it, and an experiment on the trace.
  private static func experiment(
    in folder: URL, policies: String, baseline: String? = nil
  ) async throws -> Experiment {
    let trace = folder.appendingPathComponent("trace.csv")
    let rows = TraceText().header("device: iphone-4")
      .header(
        "apps: {notes: {category: notes, save: none}, "
          + "game: {category: large-game, edits: none}}"
      )
      .row(0, "notes", "launch").row(4, "notes", "edit", value: 2048, detail: "work_ms=4000")
      .row(9, "game", "launch").row(20, "game", "footprint", value: 320_000_000)
      .row(60, "notes", "launch").end(70)
    try writeScratch(rows.text.utf8, to: trace)
    var specification = ExperimentSpecification(
      traces: [trace.path], policies: try .reading(policies))
    specification.baseline = baseline
    return try await Experiment(specification)
  }

  /// The text of a page that is written once nothing can fail any more.
  private static func page(
    _ write: (_ path: String, _ folder: URL) async throws -> Void
  ) async throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("jettison-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("page.html").path
    try await write(path, folder)
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("A comparison names its policies, and repeats no command where there was none")
  func comparison() async throws {
    let text = try await Self.page { path, folder in
      let experiment = try await Self.experiment(in: folder, policies: "lru,size,belady")
      let sink = try ComparisonPageSink(path: path)
      #expect(!FileManager.default.fileExists(atPath: path))
      _ = try await experiment.run(into: [sink])
    }
    #expect(text.contains("<title>jettison compare</title>"))
    for name in ["lru", "size", "belady"] { #expect(text.contains(name)) }
    #expect(text.contains("To repeat it") && !text.contains("aria-label=\"The command\""))
    // Four seconds of notes are gone when the game needs the memory, and the user opens them again.
    #expect(text.contains("Users noticed 1 under lru") && text.contains("class=\"stories\""))
  }

  @Test("A comparison compares with the baseline of the experiment")
  func baseline() async throws {
    let text = try await Self.page { path, folder in
      let experiment = try await Self.experiment(
        in: folder, policies: "lru,size", baseline: "size")
      _ = try await experiment.run(into: [try ComparisonPageSink(path: path)])
    }
    #expect(text.contains("Users noticed 1 under size") && !text.contains("under lru"))
  }

  @Test("Runs that list no losses are not told as runs without any")
  func unlistedLosses() async throws {
    let text = try await Self.page { path, folder in
      let result = try await Self.experiment(in: folder, policies: "lru,size").run()
      let sink = try ComparisonPageSink(path: path)
      try sink.finish(runs: result.runs, comparisons: result.comparisons)
      try sink.publish()
    }
    #expect(text.contains("the runs list none of them"))
    #expect(!text.contains("No user missed anything"))
  }

  @Test("A replay shows the day, and the command where there was one")
  func replay() async throws {
    let text = try await Self.page { path, folder in
      let experiment = try await Self.experiment(in: folder, policies: "lru")
      let sink = try ReplayPageSink(path: path, command: "my-tool --all")
      _ = try await experiment.run(into: [sink])
    }
    #expect(text.contains("<title>jettison replay</title>"))
    #expect(text.contains("class=\"skyline\""))
    #expect(text.contains("Users noticed 1 under lru") && text.contains("class=\"stories\""))
    #expect(text.contains("<code>my-tool --all</code>"))
  }

  @Test("Saving habits have a page")
  func savings() async throws {
    let text = try await Self.page { path, folder in
      let experiment = try await Self.experiment(in: folder, policies: "lru")
      _ = try await experiment.savings(of: ["notes"], into: [try SavingsPageSink(path: path)])
    }
    #expect(text.contains("<title>jettison savings</title>") && text.contains("notes"))
    #expect(text.contains("Users noticed 1 as captured") && text.contains("class=\"stories\""))
  }

  @Test("A sink serves one run, once, and no two write to one file")
  func oneRun() async throws {
    let text = try await Self.page { path, folder in
      let experiment = try await Self.experiment(in: folder, policies: "lru")
      let page = try ReplayPageSink(path: path)
      let detour = folder.path + "/../" + folder.lastPathComponent + "/page.html"
      let other = try JUnitReportSink(path: detour, gates: [])
      await Self.expect(.placeTaken(path: detour), of: experiment, into: [page, other])
      await Self.expect(.usedTwice(path: path), of: experiment, into: [page, page])
      _ = try await experiment.run(into: [page])
      await Self.expect(.usedTwice(path: path), of: experiment, into: [page])
    }
    #expect(text.contains("<title>jettison replay</title>"), "the first run's page is left alone")
  }

  /// Expects an error before the first run.
  private static func expect(
    _ error: ReportError, of experiment: Experiment, into sinks: [any ReportSink]
  ) async {
    await #expect(throws: error) {
      _ = try await experiment.run(into: sinks) { _, _ in Issue.record("a run was made") }
    }
  }

  @Test("What cannot be made there is an error before any run")
  func badPlace() async throws {
    for path in ["", "/no/such/folder/page.html", "page\0.html"] {
      #expect(throws: ReportError.self) { try ComparisonPageSink(path: path) }
      #expect(throws: ReportError.self) { try ReplayPageSink(path: path) }
      #expect(throws: ReportError.self) { try SavingsPageSink(path: path) }
      #expect(throws: ReportError.self) { try ValidationPageSink(path: path) }
      #expect(throws: ReportError.self) { try CanaryPageSink(path: path) }
    }
  }
}
