import Foundation
import JettisonTestSupport
import Testing

@Suite("validate compares a capture with its replay")
struct ValidateTests {
  private static let article: String? = try? String(
    contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/JettisonExperiments/JettisonExperiments.docc")
      .appending(path: "ValidatingSimulations.md"),
    encoding: .utf8)

  /// The fenced blocks of the article.
  private static func blocks() throws -> [Substring] {
    let parts = try #require(article).split(separator: "```\n", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  private static func story() throws -> String {
    String(try #require(try blocks().first { $0.hasPrefix("# jettison-trace: 1") }))
  }

  private static let options = "--pressure thresholds --footprints declared -q"

  /// Rows of a CSV file by the names of its columns; no field of these files has a comma.
  private static func rows(_ text: String) -> [[String: String]] {
    let lines = text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  @Test("The article shows what its story really gives")
  func article() throws {
    let program = try Program()
    try program.write(try Self.story(), to: "story.csv")
    let examples = try Self.blocks().filter { $0.hasPrefix("$ jettison validate story.csv") }
    #expect(examples.count == 2)
    for example in examples {
      let (line, output) = try #require(
        example.firstIndex(of: "\n").map {
          (example[..<$0], example[example.index(after: $0)...])
        })
      let result = try program.run(String(line.dropFirst("$ jettison ".count)), columns: 80)
      #expect(result.status == 0)
      #expect(result.error == "")
      #expect(result.output == output)
      #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
  }

  @Test("Printed figures, the summary and the sums of the rows are the same")
  func totals() throws {
    let program = try Program()
    try program.write(try Self.story(), to: "story.csv")
    let policies = ["lru", "mru", "size+saved", "random"]
    let result = try program.run(
      "validate story.csv \(Self.options) --policies \(policies.joined(separator: ",")) --csv out")
    #expect(result.status == 0)
    #expect(
      try program.names(in: "out") == ["columns.md", "validation-summary.csv", "validation.csv"])
    let all = Self.rows(try program.text("out/validation.csv"))
    let summary = Self.rows(try program.text("out/validation-summary.csv"))
    #expect(summary.map { $0["policy"] } == policies)
    for run in summary {
      let own = all.filter { $0["policy"] == run["policy"] }
      func count(_ kind: String, _ column: String? = nil) -> String {
        let rows = own.filter { row in row["kind"] == kind }
        guard let column else { return "\(rows.count)" }
        return "\(rows.count { row in row[column] == "1" })"
      }
      func sum(_ column: String) -> Double {
        own.reduce(0) { $0 + (Double($1[column] ?? "") ?? 0) }
      }
      #expect(run["observed_kills"] == count("observed-kill"))
      #expect(run["matched_kills"] == count("observed-kill", "matched"))
      #expect(run["same_set_kills"] == count("observed-kill", "same_set"))
      #expect(run["exact_kills"] == count("observed-kill", "exact"))
      #expect(run["top_1_kills"] == count("observed-kill", "top_1"))
      #expect(run["top_3_kills"] == count("observed-kill", "top_3"))
      #expect(run["unobserved_kills"] == count("simulated-kill"))
      #expect(run["observed_warnings"] == count("observed-warning"))
      #expect(run["matched_warnings"] == count("observed-warning", "matched"))
      #expect(run["unobserved_warnings"] == count("simulated-warning"))
      #expect(Double(run["chance_top_3_kills"] ?? "") == sum("chance_top_3"))
      let ranked = try #require(Double(run["ranked_kills"] ?? ""))
      let mean = try #require(Double(run["mean_reciprocal_rank"] ?? ""))
      #expect(abs(mean * ranked - sum("reciprocal_rank")) < 1e-9)
      let printed = result.output.split(separator: "\n")
        .first { $0.hasPrefix("\(run["policy"] ?? "") ") }
      var figures = (printed ?? "").split(separator: " ").dropFirst().prefix(9).map(String.init)
      // What chance gives has a decimal of its own.
      if figures.count == 9 { figures.remove(at: 3) }
      #expect(
        figures
          == [
            "observed_kills", "simulated_kills", "matched_kills", "same_set_kills", "exact_kills",
            "ranked_kills", "top_1_kills", "top_3_kills",
          ].map { run[$0] ?? "" })
    }
  }

  @Test("Neither the number of jobs nor the form of the trace changes a byte")
  func sameBytes() throws {
    let program = try Program()
    try program.write(try Self.story(), to: "story.csv")
    try program.run("convert story.csv story.jtrace -q")
    let policies = "--policies lru,mru,size,random,gdsf"
    var texts: Set<String> = []
    for (trace, jobs) in [("story.csv", 1), ("story.csv", 4), ("story.jtrace", 2)] {
      let result = try program.run(
        "validate \(trace) \(Self.options) \(policies) --jobs \(jobs) --csv out")
      #expect(result.status == 0, "\(result.error)")
      texts.insert(
        result.output + (try program.text("out/validation.csv"))
          + (try program.text("out/validation-summary.csv")))
    }
    #expect(texts.count == 1)
  }

  @Test("A condition on a figure ends the program with 2")
  func gates() throws {
    let program = try Program()
    try program.write(try Self.story(), to: "story.csv")
    let met = try program.run(
      ["validate", "story.csv", "--fail-if", "exact_kills<2"]
        + Self.options.split(separator: " ").map(String.init))
    #expect(met.status == 2)
    #expect(
      met.error == "jettison: story, lru, iphone-4, seed 1: exact_kills is 1, which meets "
        + "'exact_kills<2'\n")
    #expect(met.output.contains("same set"), "results come first")
    let unmet = try program.run(
      ["validate", "story.csv", "--fail-if", "top_3_kills < 5"]
        + Self.options.split(separator: " ").map(String.init))
    #expect(unmet.status == 0)
  }

  @Test("A trace with nothing to compare with is reported")
  func nothing() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let none = try program.run("validate a.csv --csv out")
    #expect(none.status == 1)
    #expect(none.output == "")
    #expect(
      none.error == "jettison: a.csv: there is nothing to compare with: it has no observed-exit, "
        + "observed-warning or observed-available row\n")
    #expect(try program.names(in: "out") == [], "no report says otherwise")
    let end = "70000000000,,end"
    try program.write(
      example.replacing(
        end, with: "65000000000,com.example.game,observed-exit,,,cause=user-request\n" + end),
      to: "b.csv")
    let others = try program.run("validate b.csv")
    #expect(others.status == 1)
    #expect(others.error.contains("none of its 1 observed exit is for memory (user-request 1; "))
    let chosen = try program.run("validate b.csv --causes user-request -q")
    #expect(chosen.status == 0)
    #expect(chosen.output.contains("  observed kills       1\n"))
    #expect(
      try program.run("validate b.csv --causes memory,user-request -q").output == chosen.output)
    #expect(try program.run("validate b.csv --causes memory").status == 1)
  }

  @Test(
    "Misuse is reported in a sentence",
    arguments: [
      ("--pressure ideal-cache", "ideal-cache is a textbook cache, not a phone"),
      ("--window soon", "--window: time 'soon' cannot be used: write a duration"),
      ("--causes oom", "--causes: unknown cause 'oom'"),
      ("--fail-if recal<1", "--fail-if: unknown metric 'recal' (did you mean 'recall'?)"),
      ("--fail-if recall", "--fail-if: condition 'recall' cannot be used: write a metric"),
      ("--jobs 0", "--jobs: value '0' cannot be used"),
      ("--policy nobody", "--policies: unknown policy 'nobody'"),
    ])
  func misuse(_ options: String, _ message: String) throws {
    let program = try Program()
    try program.write(try Self.story(), to: "story.csv")
    let result = try program.run("validate story.csv \(options)")
    #expect(result.status == 64)
    #expect(result.error.hasPrefix("jettison: \(message)"), "\(result.error)")
    #expect(result.output == "")
  }

  @Test("inspect says what a capture holds of what a replay needs, and what is done about the rest")
  func coverage() throws {
    let program = try Program()
    try program.write(
      """
      # jettison-trace: 1
      # device: iphone-4
      # apps:
      #   a: {category: notes}
      #   b: {footprint: {launch: 60MB}, edits: none}
      time_ns,app,event,value,id,detail
      0,p,present,50000000,,state=suspended
      0,,system-memory,200000000,,
      1000000000,a,launch,,,
      1000000000,a,footprint,60000000,,derived=1
      1500000000,a,observed-launch,800000000,,kind=cold
      2000000000,a,edit,200,,work_ms=100
      3000000000,,home,,,
      4000000000,b,launch,,,
      4000000000,b,alloc,4096,1,
      5000000000,p,observed-exit,,,cause=low-memory
      6000000000,b,crash,,,
      7000000000,a,observed-exit,,,cause=signal
      8000000000,,observed-warning,1,,
      9000000000,,end,,,reason=complete

      """, to: "a.csv")
    let result = try program.run("inspect a.csv", columns: 120)
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        """
        What the capture holds of what a replay needs
        need                  is                 what there is
        --------------------  -----------------  -----------------------------------------------------------
        running at the start  observed           1 present
        launches              observed           2 launches of 2 apps
        leaving the front     observed           1 home; else at the next launch
        background time       absent             apps are suspended when the device's delay is over
        ends                  observed           1 crash
        footprints            observed, derived  2 samples of 2 apps, 1 of them derived; by blocks for 1 app
        allocations           observed           1 block of 1 app
        ranks (adj)           absent             the model gives them, where it has any
        system memory         observed           1 sample
        edits                 observed           1 edit of 1 app; none for 2 apps
        saves                 imputed            imputed for 3 apps
        launch latencies      observed, imputed  1 launch of 1 app; imputed for 2 apps
        observed kills        observed           1 end for memory, 1 other: see 'jettison validate'
        observed warnings     observed           1 warning: see 'jettison validate'
        available memory      absent             a replay has its own

        Where figures come from, in apps
        """), "\(result.output)")
  }
}
