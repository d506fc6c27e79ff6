import Foundation
import JettisonTestSupport
import Testing

@Suite("Savings are told at the command line")
struct SavingsTests {
  /// The lines of the table below its rule, by the habit that they begin with.
  private static func table(_ output: String) -> [String: [Substring]] {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    guard let rule = lines.firstIndex(where: { $0.hasPrefix("---") }) else { return [:] }
    var rows: [String: [Substring]] = [:]
    for line in lines[(rule + 1)...].prefix(while: { $0.contains("  ") }) {
      let cells = line.replacing(/\s{2,}/, with: "\t").split(separator: "\t")
      rows[String(cells[0])] = cells.dropFirst().map { Substring($0) }
    }
    return rows
  }

  @Test("One app of one trace")
  func oneApp() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let result = try program.run("savings a.csv --app com.example.notes --csv out")
    #expect(result.status == 0, "\(result.error)")
    #expect(
      result.output.hasPrefix(
        "com.example.notes on iphone-4 with 512 MiB under lru: 1 user, 1 min 10 s\n"))
    let rows = Self.table(result.output)
    #expect(rows["never"] == ["1", "4 s", "0", "0 B"])
    #expect(rows["resign *"] == ["0", "0 s", "1", "2 KiB"])
    #expect(rows["timer 30s"] == ["1", "4 s", "0", "0 B"])
    #expect(result.output.contains("\n* loses nothing, and writes least of the habits that lose"))
    #expect(result.output.contains("No save ran out of time.\n"))
    #expect(try program.names(in: "out") == ["columns.md", "savings.csv"])
    let csv = try program.text("out/savings.csv").split(separator: "\n")
    #expect(csv.count == 1 + 16)
    #expect(csv[0].hasPrefix("app,policy,device,memory_bytes,habit,save_when,save_thread,users,"))
    #expect(csv[1].hasPrefix("com.example.notes,lru,iphone-4,536870912,as captured,,,1,"))
    #expect(csv.filter { $0.hasSuffix(",1") }.map { $0.split(separator: ",")[4] } == ["resign"])
    #expect(try program.text("out/columns.md").contains("## savings.csv\n"))
  }

  @Test("Without --app each in turn, the one that can lose most first")
  func eachApp() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let result = try program.run("savings a.csv -q")
    #expect(result.status == 0)
    #expect(result.error == "")
    #expect(result.output.hasPrefix("com.example.notes on iphone-4"))
    #expect(result.output.contains("\nNothing to lose, whatever the habit: com.example.game.\n"))
    let again = try program.run("savings a.csv -q --jobs 1")
    #expect(again.output == result.output)
  }

  @Test("Traces without an app have no habits, and that is said")
  func noApps() throws {
    let program = try Program()
    try program.write(
      "# jettison-trace: 1\ntime_ns,app,event,value,id,detail\n0,,end,,,\n", to: "a.csv")
    let result = try program.run("savings a.csv -q")
    #expect(result.status == 1)
    #expect(result.output == "")
    #expect(
      result.error
        == "jettison: no trace has an app, so that no habit of saving can be tried\n")
  }

  @Test("Savings, settings and catalogs say the same")
  func threeWays() throws {
    let program = try Program()
    try program.run("generate --users 3 --days 2 --seed 8 -o traces --quiet")
    let app = "com.example.mail"
    let savings = try program.run("savings traces --app \(app) --seeds 1 --csv s -q")
    #expect(savings.status == 0, "\(savings.error)")
    let rows = Self.records(try program.text("s/savings.csv"))
    for (habit, when) in [("never", "none"), ("timer 10s", "timer 10s")] {
      let runs = try program.run([
        "compare", "traces", "--policies", "lru", "--set", "\(app).save.when=\(when)", "--set",
        "\(app).task.save=no", "--seeds", "1", "--csv", "r", "-q",
      ])
      #expect(runs.status == 0, "\(runs.error)")
      let ours = try #require(rows.first { $0["habit"] == habit })
      let theirs = Self.records(try program.text("r/apps.csv")).filter { $0["app"] == app }
      for column in ["launches", "saves", "written_bytes", "system_lost_work_noticed_seconds"] {
        let sum = theirs.reduce(0.0) { $0 + (Double($1[column] ?? "") ?? .nan) }
        let figure = try #require(Double(ours[column] ?? ""))
        #expect(abs(figure - sum) < 1e-6, "\(habit): \(column)")
      }
    }
  }

  private static func records(_ csv: String) -> [[String: String]] {
    Report.rows(csv)
  }

  @Test("Two catalogs are compared, however they are named; one alone has no label")
  func catalogs() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let entry = "com.example.notes: {category: notes, footprint: {launch: 60MB}, save: "
    try program.write("\(entry){when: resign}}", to: "resign.yaml")
    try program.write("\(entry)none}\nother: {}", to: "never.yaml")
    let line = "compare a.csv --policies lru"
    let comma = try program.run("\(line) --catalog resign.yaml,never.yaml --csv out")
    #expect(comma.status == 0, "\(comma.error)")
    #expect(comma.error.contains("note: never.yaml: catalogs are compared over the apps that all"))
    let twice = try program.run("\(line) --catalog resign.yaml --catalog never.yaml")
    #expect(twice.output == comma.output)
    let rows = Self.records(try program.text("out/summary.csv"))
    #expect(
      rows.map { $0["device"] } == ["iphone-4:catalog=resign.yaml", "iphone-4:catalog=never.yaml"])
    #expect(rows.map { $0["system_losses_noticed"] } == ["0", "1"])
    let one = try program.run("\(line) --catalog resign.yaml")
    #expect(one.output.contains("\niphone-4 with 512 MiB"))
  }

  @Test("A recorded trace is asked what if")
  func recorded() throws {
    let program = try Program()
    let saved = example.replacing(
      "9000000000,com.example.game,launch,,,",
      with: "5000000000,com.example.notes,save,2048,,trigger=timer\n"
        + "9000000000,com.example.game,launch,,,")
    try program.write(saved, to: "a.csv")
    let captured = try program.run("replay a.csv --set com.example.notes.save.when=background")
    #expect(captured.output.contains("losses noticed                  0"))
    #expect(captured.error.contains("note: a.csv: the trace has saves of 'com.example.notes', so"))
    let modelled = try program.run(
      "replay a.csv --set com.example.notes.save.when=none --saves modelled")
    #expect(modelled.output.contains("losses noticed                  1"))
    #expect(!modelled.error.contains("note:"))
  }

  @Test("An experiment file sweeps keys of apps, lists among their values")
  func experimentFile() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.write(
      """
      traces: [a.csv]
      policies: [lru]
      set: {com.example.notes.save.when: [none, [background, "timer 30s"]]}
      """, to: "e.yaml")
    let result = try program.run("compare e.yaml --csv out -q")
    #expect(result.status == 0, "\(result.error)")
    let rows = Self.records(
      try program.text("out/summary.csv").replacing("\"", with: "")
        .replacing("[background, timer 30s]", with: "[both]"))
    #expect(rows.map { $0["system_losses_noticed"] } == ["1", "0"])
  }
}
