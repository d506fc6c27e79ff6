import Foundation
import JettisonCore
import JettisonExperiments
import JettisonReports
import JettisonTestSupport
import JettisonTraces
import Testing

@Suite("An experiment from Swift")
struct ExperimentTests {
  /// Notes is suspended with work unsaved, purged, and opened again.
  private static let draft = TraceText().header("device: iphone-4")
    .header(
      "apps: {notes: {category: notes, footprint: {launch: 60MB}, save: none}, "
        + "game: {category: large-game, footprint: {launch: 180MB}, edits: none}}"
    )
    .row(0, "notes", "launch").row(4, "notes", "edit", value: 2048, detail: "work_ms=4000")
    .row(9, "game", "launch").row(20, "game", "footprint", value: 300_000_000)
    .row(60, "notes", "launch").end(70)

  /// Makes an experiment on one trace in a folder of its own.
  private func experiment(
    _ change: (inout ExperimentSpecification) throws -> Void
  ) async throws -> Experiment {
    var specification = ExperimentSpecification(traces: [], policies: try .reading("lru"))
    try change(&specification)
    let trace = try Self.draft.trace(name: "t")
    let loaded = LoadedTrace(path: "t", trace: trace, catalog: try Catalog(for: trace, at: "t"))
    return Experiment(try RunPlanner(specification).plan([loaded]))
  }

  private func sentence(
    _ change: (inout ExperimentSpecification) throws -> Void
  ) async -> String {
    do {
      _ = try await experiment(change)
      return "nothing is wrong"
    } catch {
      return "\(error)"
    }
  }

  @Test("A matrix is run in its order, whatever the number of threads")
  func matrix() async throws {
    let experiment = try await experiment { asked in
      asked.policies = try .reading("lru,size+saved")
      asked.memoryBytes = [512 << 20, 1 << 30]
      asked.settings = [try SettingSweep("decay", ["5s", "10s"])]
    }
    let one = try await experiment.run(jobs: 1)
    let two = try await experiment.run(jobs: 2)
    #expect(
      one.runs.map { "\($0.key.memoryBytes >> 20) \($0.key.device) \($0.key.policy)" } == [
        "512 iphone-4:decay=5s lru", "512 iphone-4:decay=5s size+saved",
        "512 iphone-4:decay=10s lru", "512 iphone-4:decay=10s size+saved",
        "1024 iphone-4:decay=5s lru", "1024 iphone-4:decay=5s size+saved",
        "1024 iphone-4:decay=10s lru", "1024 iphone-4:decay=10s size+saved",
      ])
    #expect(one.runs.map(\.key) == two.runs.map(\.key))
    #expect(one.runs.map { $0.result?.system } == two.runs.map { $0.result?.system })
    #expect(one.failures.isEmpty)
    let lost = try #require(one.comparison(of: "size+saved", part: .short))
    #expect(lost.metric == "system_lost_work_noticed_seconds" && lost.baseline == "lru")
    #expect(lost.interval == nil && lost.certainty == .open, "a minute is no day")
  }

  @Test("A wrong value is reported by its name, with what to write instead")
  func errors() async {
    #expect(await sentence { $0.memoryBytes = [0] }.hasPrefix("memory: value '0' cannot be used"))
    #expect(await sentence { $0.seeds = .count(0, from: 1) }.hasPrefix("seeds: "))
    #expect(await sentence { $0.seeds = .count(2, from: .max) }.hasPrefix("seeds: "))
    #expect(await sentence { $0.protectRecent = -1 }.hasPrefix("protect-recent: "))
    #expect(await sentence { $0.warmUpNanoseconds = .max }.hasPrefix("warm-up: "))
    #expect(await sentence { $0.capacityApps = [0] }.hasPrefix("capacity: "))
    #expect(await sentence { $0.policies = [] }.hasPrefix("policies: "))
    #expect(await sentence { $0.baseline = "mru" }.hasPrefix("baseline: unknown baseline 'mru'"))
    #expect(await sentence { $0.pinned = ["nots"] }.contains("did you mean 'notes'?"))
    #expect(
      await sentence { $0.policies = try .reading("lru,nonsense") }
        .hasPrefix("policies: unknown policy 'nonsense'"))
    #expect(throws: ConfigurationError.self) { try SettingSweep("decay", ["soon"]) }
    #expect(throws: ConfigurationError.self) { try SettingSweep("decay", []) }
    #expect(throws: ExperimentError.self) { try Device.reading("nokia") }
  }

  @Test("An experiment file says the same as values do, and where it is wrong")
  func file() throws {
    func read(_ text: String) throws -> ExperimentSpecification {
      try withScratchFolder { folder in
        let path = folder.appending(path: "experiment.yaml").path
        try Data("traces: [a.csv]\n\(text)\n".utf8).write(to: URL(filePath: path))
        return try ExperimentSpecification(contentsOf: path)
      }
    }
    let asked = try read(
      "policies: [lru, size+saved]\nmemory: 1GiB\nseeds: 3\nset: {decay: [5s, 10s]}")
    #expect(asked.policies?.map(\.name) == ["lru", "size+saved"])
    #expect(asked.memoryBytes == [1 << 30] && asked.seeds == .count(3, from: 1))
    #expect(asked.settings.map(\.key) == ["decay"] && asked.settings[0].values == ["5s", "10s"])
    #expect(asked.traces.count == 1 && asked.traces[0].hasSuffix("/a.csv"))
    let error = try #require(throws: ExperimentError.self) { try read("memory: much") }
    #expect(
      error.description.hasSuffix(
        "experiment.yaml:2:1: key 'memory': value 'much' cannot be used: write a size such as 1GiB")
    )
  }

  @Test("Notes speak of values, not of options")
  func notes() async throws {
    let notes = try await experiment { $0.saves = .modelled }.notes
    #expect(notes.contains("saves modelled does nothing: no trace has a save"))
  }

  @Test("It says what an app would lose under other habits, and why it was ended")
  func questions() async throws {
    let experiment = try await experiment { _ in }
    let savings = try await experiment.savings()
    #expect(savings.map(\.app) == ["notes", "game"], "the app that can lose most first")
    #expect(savings[0].rows.first?.figures["system_losses_noticed"] == 1)
    await #expect(throws: ExperimentError.self) { try await experiment.savings(of: ["nots"]) }
    await #expect(throws: ExperimentError.self) {
      try await experiment.savings(of: ["notes", "notes"])
    }
    let page = try experiment.explain(.loss(1))
    #expect(page.contains("Loss 1 of 1") && page.contains("Decision 1"))
    #expect(throws: ExplainError.noSuchLoss(path: "t", number: 2, losses: 1)) {
      try experiment.explain(.loss(2))
    }
    #expect(throws: ExplainError.noSuchLoss(path: "t", number: -1, losses: 1)) {
      try experiment.explain(.loss(-1))
    }
    #expect(throws: ExplainError.self) { try experiment.explain(.app("nots")) }
  }
}
