import Foundation
import JettisonTestSupport
import Testing

@testable import JettisonCore
@testable import JettisonExperiments
@testable import JettisonPolicies

/// What the article on policies of one's own shows is what happens.
struct OwnPolicyArticleTests {
  private static func article() throws -> String {
    try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/JettisonCore/JettisonCore.docc/YourOwnPolicy.md"),
      encoding: .utf8)
  }

  /// The blocks of a language; of plain text for an empty one.
  private static func blocks(_ language: String) throws -> [String] {
    var blocks: [String] = []
    var open: (language: Substring, lines: [Substring])?
    for line in try article().split(separator: "\n", omittingEmptySubsequences: false) {
      if let block = open {
        if line == "```" {
          if block.language == language {
            blocks.append(block.lines.joined(separator: "\n") + "\n")
          }
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        open = (line.dropFirst(3), [])
      }
    }
    return blocks
  }

  @Test("The policy files of the article can be read")
  func files() throws {
    let texts = try Self.blocks("yaml")
    #expect(texts.count == 2)
    try withScratchFolder { folder in
      let path = folder.appendingPathComponent("drafts-last.yaml").path
      for text in texts {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        _ = try PolicyFile(path)
      }
      try Data(texts[0].utf8).write(to: URL(fileURLWithPath: path))
      let keys = try PolicyFile(path).keys.map(\.text)
      #expect(
        keys == [
          "unsaved_work > 0", "idle_time desc", "footprint / (launch_cost + 100ms) desc",
        ])
    }
  }

  @Test("The mistake of the article is reported as it says")
  func mistake() throws {
    let sample = try #require(try Self.blocks("").first { $0.contains("footprnt") })
    let text = """
      name: a
      order:
        - age
        - footprnt / (launch_cost + 100ms) desc

      """
    try withScratchFolder { folder in
      let path = folder.appendingPathComponent("drafts-last.yaml").path
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let error = try #require(throws: ExperimentError.self) { _ = try PolicyFile(path) }
      let names = CandidateVariable.allCases.map(\.name)
      let told = error.description
        .replacing(folder.path + "/", with: "")
        .replacing(names.joined(separator: ", "), with: "\(names[0]), …")
      #expect(told + "\n" == sample)
    }
  }

  @Test("The tables of the article are complete")
  func tables() throws {
    let article = try Self.article()
    for variable in CandidateVariable.allCases {
      #expect(
        article.contains("| `\(variable.name)` | \(variable.unit) | \(variable.summary) |\n"))
    }
    for function in ExpressionFunction.allCases {
      #expect(article.contains("`\(function.rawValue)("))
    }
    let numbers = try #require(article.split(separator: "\n").first { $0.hasPrefix("| numbers |") })
    let words = Set(numbers.split { "` ,;%".contains($0) }.map(String.init))
    for unit in ExpressionLexer.units where unit.name != "%" { #expect(words.contains(unit.name)) }
    for parameter in PolicyDescriptor.program.parameters {
      #expect(article.contains("\n| `\(parameter.name)` | "))
    }
  }

  @Test("The question of the article has the keys of a real one")
  func question() throws {
    func object(_ text: some StringProtocol) throws -> [String: Any] {
      try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
    func keys(_ question: [String: Any]) throws -> [Set<String>] {
      let candidates = try #require(question["candidates"] as? [[String: Any]])
      return [Set(question.keys), Set(try #require(candidates.first).keys)]
    }
    let samples = try Self.blocks("json")
    let sample = try object(try #require(samples.first))
    let script = """
      import json, sys
      for line in sys.stdin:
          open(sys.argv[1], "w").write(line)
          print(json.dumps({"order": [c["app"] for c in json.loads(line)["candidates"]]}), flush=True)
      """
    try withScratchFolder { folder in
      let asked = folder.appendingPathComponent("asked").path
      _ = try Self.victims(of: script, in: folder, argument: asked)
      let real = try object(try String(contentsOfFile: asked, encoding: .utf8))
      #expect(try keys(real) == keys(sample))
    }
    // The answer and the event are JSON too.
    for text in samples.dropFirst() { _ = try object(text) }
  }

  @Test("The program of the article is lru")
  func program() throws {
    let script = try #require(try Self.blocks("python").first)
    let lru = try Self.victims(under: "lru")
    #expect(lru.count > 10)
    let victims = try withScratchFolder { folder in try Self.victims(of: script, in: folder) }
    #expect(victims == lru)
  }

  private static func victims(
    of script: String, in folder: URL, argument: String = ""
  ) throws -> [String] {
    let file = folder.appendingPathComponent("order.py")
    try Data(script.utf8).write(to: file)
    return try victims(under: "program:command=python3 \(file.path) \(argument),timeout=20s")
  }

  private static func victims(under policy: String) throws -> [String] {
    // Five apps take turns in an order that never repeats.
    let rows = (0..<80).map { "\($0 * 10)s,\("abcde".dropFirst($0 * $0 % 7 % 5).prefix(1)),launch" }
    let trace = try Trace(rows: rows.joined(separator: "\n"))
    let device = Device(name: "test", ramBytes: 100 << 20, reserveBytes: 0, source: "test")
    var profile = AppProfile()
    profile.launchFootprintBytes = 30 << 20
    var configuration = RunConfiguration(
      device: device, pressure: .thresholds, profiles: trace.apps.map { _ in profile })
    configuration.footprints = .declared
    let recorder = CapturingRecorder()
    _ = try PolicySpec(parsing: policy, among: PolicySources.all)
      .run(trace, configuration, recorder: recorder)
    return recorder.decisions.flatMap(\.candidates).filter(\.isChosen)
      .map { trace.apps[$0.app.position] }
  }
}
