import Foundation
import JettisonCore
import JettisonReports
import JettisonTestSupport
import JettisonTraces
import Testing

@testable import JettisonExperiments

@Suite("Sweeps over what is known of apps")
struct SweepTests {
  private func trace(_ text: TraceText) throws -> LoadedTrace {
    let trace = try text.trace(name: "t")
    return LoadedTrace(path: "t", trace: trace, catalog: try Catalog(for: trace, at: "t"))
  }

  private static let visit = TraceText().header("device: iphone-4")
    .header("apps: {a: {category: notes}, b: {category: maps}}")
    .row(0, "a", "launch").row(5, "b", "launch").end(9)

  private func planner(_ given: [(SpecificationText.Key, [String])]) throws -> RunPlanner {
    var options = SpecificationText()
    for (key, texts) in given { options.add(key, texts) }
    return try RunPlanner(options.specification(for: .inspect))
  }

  private func sentence(_ work: () throws -> Void) -> String {
    do {
      try work()
      return "nothing is wrong"
    } catch {
      return "\(error)"
    }
  }

  @Test("A key of an app is set, and swept over several values")
  func appSettings() throws {
    let plan = try planner([
      (.set, ["a.save.when=none,[background, timer 30s],resign", "decay=1s", "b.limit=5MB"])
    ]).plan([try trace(Self.visit)])
    #expect(
      plan.blocks.map(\.device) == [
        "iphone-4:a.save.when=none", "iphone-4:a.save.when=[background, timer 30s]",
        "iphone-4:a.save.when=resign",
      ])
    let saves = plan.runs.map { $0.configuration.profiles[0] }
    #expect(saves.map(\.saveTriggers) == [[], .background, .resign])
    #expect(saves.map(\.saveTimerNanoseconds) == [0, 30_000_000_000, 0])
    #expect(plan.runs.allSatisfy { $0.configuration.profiles[1].limitBytes == 5_000_000 })
    #expect(plan.runs.allSatisfy { $0.configuration.decayNanoseconds == 1_000_000_000 })
    let hashes = plan.runs.indices.map {
      plan.record(of: $0, .failed(reason: "")).provenance.catalogHash
    }
    #expect(Set(hashes).count == 3)
  }

  @Test("A key that cannot be set is reported, with those that can")
  func badAppSettings() throws {
    for (set, expected) in [
      (
        "com.example.a.save.wen=x",
        "key of an app's catalog entry 'save.wen' (did you mean 'save.when'?)"
      ),
      ("a.save.when=later", "--set: a.save.when 'later' cannot be used: unknown trigger 'later'"),
      ("a.save.when=none,", "--set: a.save.when '' cannot be used: "),
      (
        "thresholds.purg=8%", "unknown setting 'thresholds.purg' (did you mean 'thresholds.purge'?)"
      ),
    ] {
      let text = sentence { _ = try planner([(.set, [set])]) }
      #expect(text.contains(expected), "\(text)")
    }
    let loaded = try trace(Self.visit)
    let text = sentence { _ = try planner([(.set, ["aa.save.when=none"])]).plan([loaded]) }
    #expect(text == "--set: unknown app 'aa' (did you mean 'a'?); known: a, b")
    #expect(
      sentence { _ = try planner([(.saves, ["both"])]) }
        == "--saves: value 'both' cannot be used: write captured or modelled")
  }

  @Test("Of many apps only the nearest are named")
  func nearestApps() throws {
    var text = TraceText()
    for number in 10..<40 { text = text.row(Double(number), "com.example.app\(number)", "launch") }
    let loaded = try trace(text.end(99))
    let names = AppNames([loaded])
    let sentence = "\(names.unknown("com.example.ap31"))"
    #expect(sentence.contains("unknown app 'com.example.ap31' (did you mean 'com.example.app31'"))
    #expect(sentence.utf8.count < 300, "\(sentence)")
  }

  @Test("Catalogs are compared over the apps that all of them name")
  func catalogs() throws {
    var options = SpecificationText()
    var path = ""
    let files = try withScratchFolder { folder in
      try write("a: {save: none}\nz: {}", to: "one.yaml", in: folder)
      try write("a: {save: {when: resign}}", to: "two.yaml", in: folder)
      path = folder.path
      options.add(.catalog, ["\(path)/one.yaml,\(path)/two.yaml"])
      return try CatalogFile.read(options.specification(for: .inspect))
    }
    #expect(files.map(\.name) == ["one.yaml", "two.yaml"])
    let read = try Self.visit.trace(name: "t")
    let loaded = LoadedTrace(
      path: "t", trace: read, catalog: try Catalog(for: read, at: "t"), files: files)
    let plan = try RunPlanner(options.specification(for: .inspect)).plan([loaded])
    #expect(
      plan.blocks.map(\.device) == ["iphone-4:catalog=one.yaml", "iphone-4:catalog=two.yaml"])
    #expect(plan.runs.map { $0.configuration.profiles[0].saveTriggers } == [[], .resign])
    // What only the trace knows holds in both.
    #expect(plan.runs.allSatisfy { $0.configuration.profiles[1].editWorkPPM == 200_000 })
    #expect(
      plan.notes == [
        "\(path)/one.yaml: catalogs are compared over the apps that all of them name; "
          + "ignored: 'z'"
      ])
  }

  @Test("Catalogs that share nothing, or are one, cannot be compared")
  func badCatalogs() throws {
    try withScratchFolder { folder in
      try write("a: {save: none}", to: "one.yaml", in: folder)
      try write("b: {}", to: "two.yaml", in: folder)
      try write("", to: "none.yaml", in: folder)
      func read(_ names: [String]) -> String {
        var options = SpecificationText()
        options.add(.catalog, names.map { "\(folder.path)/\($0)" })
        return sentence { _ = try CatalogFile.read(options.specification(for: .inspect)) }
      }
      #expect(read(["one.yaml", "two.yaml"]).contains("shares no app with the others"))
      #expect(read(["one.yaml", "none.yaml"]).contains("shares no app with the others"))
      #expect(read(["one.yaml", "one.yaml"]).contains("asked for twice; name it once"))
      #expect(read(["three.yaml"]).contains("three.yaml: "))
      #expect(read(["none.yaml"]) == "nothing is wrong")
    }
  }

  private func write(_ text: String, to name: String, in folder: URL) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  @Test("Saves of the trace switch the catalog's off, and a note says so")
  func capturedSaves() throws {
    let recorded = try trace(
      TraceText().header("device: iphone-4")
        .header("apps: {a: {category: notes}, b: {save: {when: [terminate]}}}")
        .row(0, "a", "launch").row(1, "a", "save", value: 1).row(2, "b", "launch")
        .row(3, "b", "save", value: 1).end(9))
    let note = "t: the trace has saves of 'a', so that what the catalog says of their resign, "
    let captured = try planner([]).plan([recorded])
    #expect(captured.notes.count == 1)
    #expect(captured.notes[0].hasPrefix(note), "\(captured.notes)")
    #expect(captured.runs.allSatisfy { $0.configuration.profiles.allSatisfy { !$0.modelsSaves } })
    let modelled = try planner([(.saves, ["modelled"])]).plan([recorded])
    #expect(modelled.notes == [])
    #expect(modelled.runs.allSatisfy { $0.configuration.profiles.allSatisfy(\.modelsSaves) })
    let plain = try planner([(.saves, ["modelled"])]).plan([try trace(Self.visit)])
    #expect(plain.notes == ["--saves modelled does nothing: no trace has a save"])
  }
}
