import Foundation
import JettisonTestSupport
import Testing

@Suite("compare: what a newcomer sees")
struct CompareTests {
  /// A folder with a story and users in folders of their own, as the one that is shipped.
  private static func population(_ program: Program, users: Int = 3, days: Int = 2) throws {
    try program.write(example, to: "traces/stories/a.csv")
    try program.run(
      "generate --users \(users) --days \(days) --seed 3 --device iphone-3gs -o traces/users -q")
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("A folder of folders is compared: users first, stories last, nothing wider than 80")
  func folders() throws {
    let program = try Program()
    try Self.population(program)
    try program.write("# columns\n", to: "traces/reports/columns.md")
    try program.write("trace,user\n", to: "traces/reports/summary.csv")
    let result = try program.run("compare traces --footprints declared -q")
    #expect(result.status == 0, "\(result.error)")
    let headings = Self.lines(result.output).filter { $0.contains(" MiB: ") }
    #expect(headings.first?.hasPrefix("iphone-3gs with 256 MiB: 3 users, 3 traces, 6 ") == true)
    #expect(headings.last?.hasPrefix("iphone-4 with 512 MiB: 1 user, 1 trace") == true)
    #expect(result.output.contains("Users with less than a day of trace: totals, in no rate"))
    #expect(Self.lines(result.output).allSatisfy { $0.count <= 80 })
  }

  @Test("COLUMNS decides how wide tables and prose are", arguments: [60, 80, 120])
  func columns(_ width: Int) throws {
    let program = try Program()
    try Self.population(program, users: 10, days: 1)
    for line in [
      "compare traces --footprints declared -q", "replay traces/users/user-001.csv -q",
      "inspect traces/users/user-001.csv", "explain traces/stories/a.csv", "policies",
      "policies gdsf", "policies +unit", "devices", "models", "models ios-18", "models thresholds",
      "formats", "formats perfetto",
    ] {
      let result = try program.run(line, columns: width)
      #expect(result.status == 0, "\(line): \(result.error)")
      let wide = Self.lines(result.output).filter { $0.count > width }
      #expect(wide == [], "\(line)")
    }
  }

  @Test("--json prints the rows of comparison.csv and nothing else, the same on every run")
  func json() throws {
    let program = try Program()
    try Self.population(program)
    let line = "compare traces/users --policies lru,size --footprints declared --csv out --json"
    let first = try program.run(line + " --jobs 1")
    let second = try program.run(line + " --jobs 2")
    #expect(first.status == 0)
    #expect(first.output == second.output)
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [[String: Any]])
    let csv = try program.text("out/comparison.csv").split(separator: "\n")
    #expect(rows.count == csv.count - 1)
    #expect(Set(rows[0].keys) == Set(csv[0].split(separator: ",").map(String.init)))
    #expect(rows.allSatisfy { $0["baseline"] as? String == "lru" })
  }

  @Test("--junit writes a case per condition, whether it is met or not")
  func junit() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let result = try program.run([
      "compare", "a.csv", "--policies", "lru,size", "--junit", "gates.xml",
      "--fail-if", "foreground_kills>0", "--fail-if", "purges >= 2",
    ])
    #expect(result.status == 2)
    let report = try program.text("gates.xml")
    #expect(report.contains("name=\"jettison\" tests=\"2\" failures=\"1\" errors=\"0\">"))
    #expect(report.contains("<testcase classname=\"fail-if\" name=\"foreground_kills&gt;0\"/>"))
    #expect(
      report.contains(
        "<failure message=\"a, lru, iphone-4, seed 1: purges is 2, which meets 'purges&gt;=2' "
          + "(and 1 more)\">"))
    let replayed = try program.run(
      ["replay", "a.csv", "--junit", "one.xml", "--fail-if", "purges>2"])
    #expect(replayed.status == 0)
    #expect(try program.text("one.xml").contains("failures=\"0\""))
  }

  @Test("--sort and --top choose and order rows")
  func rows() throws {
    let program = try Program()
    try Self.population(program)
    let result = try program.run(
      "compare traces/users --policies lru,mru,size,gdsf --footprints declared "
        + "--sort purges --top 1 -q")
    #expect(result.status == 0)
    #expect(result.output.contains("Best first by purges."))
    #expect(result.output.contains("\nlru (baseline) "))
    #expect(result.output.contains("more row"))
  }

  @Test("A modifier has a page, and a policy's page says what the modifiers behind it do")
  func modifiers() throws {
    let program = try Program()
    let page = try program.run("policies +saved")
    #expect(page.status == 0)
    #expect(page.output.hasPrefix("+saved: Apps with nothing unsaved go before all others.\n"))
    #expect(page.output.contains("--policies lru,lru+saved\n"))
    let two = try program.run("policies +recent=3+until").output
    #expect(two.contains("+recent=N: ") && two.contains("+until=15%: "))
    #expect(
      try program.run("policies lru+saved").output
        .hasSuffix("Here: Apps with nothing unsaved go before all others (+saved).\n"))
  }
}
