import Foundation
import JettisonTestSupport
import Testing

@Suite("check lists what a replay counts")
struct CheckTests {
  /// Rows with one kind of issue, and the places of it that `check` must name.
  struct Flaw: Sendable, CustomStringConvertible {
    let description: String
    let rows: [String]
    let places: String

    init(_ description: String, _ rows: [String], _ places: String) {
      self.description = description
      self.rows = rows
      self.places = places
    }
  }

  /// The header has three lines, so the first row is in line 4.
  private static let header = """
    # jettison-trace: 1
    # apps: {a: {category: notes}}
    time_ns,app,event,value,id,detail

    """

  static let flaws = [
    Flaw(
      "home with nothing in front", ["0,a,launch,,,", "1,,home,,,", "2,,home,,,"], "t.csv:6: info"),
    Flaw(
      "interrupt with nothing in front", ["0,,interrupt,,,", "1,,interrupt,,,", "2,a,launch,,,"],
      "t.csv:4: info: interrupt with nothing in front (2 times; also in lines 5)"),
    Flaw(
      "interrupt-end without its interrupt",
      ["0,a,launch,,,", "", "1,,interrupt-end,,,", "2,,interrupt-end,,,"], "t.csv:6: info"),
    Flaw(
      "interrupt while 32 others have not ended",
      ["0,a,launch,,,"] + (1...34).map { "\($0),,interrupt,,," }, "t.csv:37: info"),
    Flaw(
      "footprint below what the app's live allocations take",
      ["0,a,launch,,,", "1,a,alloc,90000,1,", "2,a,x-mark,,,", "2,a,footprint,50000,,"],
      "t.csv:7: info"),
    Flaw("footprint of an app that has not run yet", ["0,a,footprint,5,,"], "t.csv:4: info"),
    Flaw(
      "quit of an app that does not run",
      ["0,a,quit,,,", "1,a,launch,,,", "2,a,quit,,,", "3,a,quit,,,"],
      "t.csv:4: info: quit of an app that does not run (2 times; also in lines 7)"),
    Flaw("event 'x-mark' ignored", ["0,a,launch,,,", "1,a,x-mark,,,"], "t.csv:5: info"),
    Flaw("empty line", ["0,a,launch,,,", ""], "t.csv:5: info"),
    Flaw("apps that no catalog knows", ["0,b,launch,,,"], "t.csv: info"),
  ]

  @Test(
    "Every issue is listed with its places, as often as summary.csv counts it", arguments: flaws)
  func agreement(_ flaw: Flaw) throws {
    let program = try Program()
    let text = Self.header + flaw.rows.map { $0 + "\n" }.joined()
    // With the issue of a missing end, and without.
    for ending in ["", "99,,end,,,reason=complete\n"] {
      try program.write(text + ending, to: "t.csv")
      let checked = try program.run("check t.csv")
      #expect(checked.status == 0, "\(checked.error)")
      #expect(checked.output.contains("  \(flaw.places)"), "\(checked.output)")
      let listed = Self.issueCount(checked.output)
      #expect(listed > 0)
      for footprints in ["arena", "declared"] {
        try program.run("replay t.csv --footprints \(footprints) --csv out -q")
        #expect(try Self.issues(program) == listed, "\(footprints): \(checked.output)")
      }
    }
  }

  @Test("Issues follow the options: the warm-up counts none, and another device has its own")
  func options() throws {
    let program = try Program()
    let rows = [
      "0,,home,,,", "60000000000,a,launch,,,", "61000000000,,screen,0,,", "62000000000,,home,,,",
      "63000000000,,home,,,", "64000000000,,end,,,",
    ]
    try program.write(Self.header + rows.map { $0 + "\n" }.joined(), to: "t.csv")
    var counts: Set<Int> = []
    for options in ["", "--warm-up 30s", "--device iphone-4s", "--capacity 3apps"] {
      let checked = try program.run("check t.csv \(options)")
      try program.run("replay t.csv \(options) --csv out -q")
      #expect(try Self.issues(program) == Self.issueCount(checked.output), "\(options)")
      counts.insert(try Self.issues(program))
    }
    #expect(counts.count > 1)
  }

  @Test("Where events have no lines, the first time is printed")
  func binary() throws {
    let program = try Program()
    let rows = [
      "0,a,launch,,,", "1000000000,,home,,,", "90000000000,,home,,,", "90000000000,,home,,,",
    ]
    try program.write(Self.header + rows.map { $0 + "\n" }.joined(), to: "t.csv")
    try program.run("convert t.csv t.jtrace -q")
    let checked = try program.run("check t.jtrace")
    #expect(
      checked.output.contains(
        "  t.jtrace: info: home with nothing in front, first at 1 min 30 s (2 times)\n"),
      "\(checked.output)")
  }

  @Test(
    "An option may name an app of any of the traces, and those without it say so",
    arguments: ["--pin only", "--set only.save.when=none"])
  func appsOfAnyTrace(option: String) throws {
    let program = try Program()
    let name = option.prefix { $0 != " " }
    try program.write(Self.header + "0,only,launch,,,\n1,,end,,,\n", to: "a.csv")
    try program.write(Self.header + "0,a,launch,,,\n1,,end,,,\n", to: "b.csv")
    let both = try program.run("check a.csv b.csv \(option)")
    #expect(both.status == 0, "\(both.error)")
    #expect(both.output.contains("b.csv: well-formed"), "\(both.output)")
    #expect(both.output.contains("  b.csv: note: \(name) 'only' matches no app\n"))
    #expect(!both.output.contains("a.csv: note: \(name)"), "\(both.output)")
    // As replay says it, and before any report.
    let none = try program.run("check b.csv b.csv \(option)")
    let alone = try program.run("check b.csv \(option)")
    let replayed = try program.run("replay b.csv \(option)")
    for refused in [none, alone] {
      #expect(refused.status == 64)
      #expect(refused.error == "jettison: \(name): unknown app 'only'; known: a\n")
      #expect(refused.error == replayed.error)
      #expect(refused.output == "")
    }
    // A trace that cannot be read may be the one that has it.
    let damaged = try program.run("check none.csv b.csv \(option)")
    #expect(damaged.status == 66)
    #expect(damaged.output.contains("b.csv: well-formed"), "\(damaged.output)")
  }

  @Test("A trace that names an unknown device does not keep the next one from being checked")
  func unknownDevice() throws {
    let program = try Program()
    let rows = "0,a,launch,,,\n1,,end,,,\n"
    let header = Self.header.replacing("# apps", with: "# device: nokia\n# apps")
    try program.write(header + rows, to: "a.csv")
    try program.write(Self.header + rows, to: "b.csv")
    let checked = try program.run("check a.csv b.csv")
    #expect(checked.status == 65)
    #expect(checked.error.hasPrefix("jettison: a.csv:2: the device 'nokia' is not in the device"))
    #expect(checked.output.hasPrefix("b.csv: well-formed"), "\(checked.output)")
  }

  @Test("Issues that a binary trace keeps name the lines of its source as such")
  func binaryKeeps() throws {
    let program = try Program()
    let rows = ["0,a,launch,,,", "1,a,x-mark,,,", "2,a,x-mark,,,", "3,a,x-odd,,,", "4,,end,,,"]
    try program.write(Self.header + rows.map { $0 + "\n" }.joined(), to: "t.csv")
    let made = try program.run("convert t.csv t.jtrace")
    #expect(made.error.contains("jettison: t.csv:5: info: event 'x-mark' ignored (2 times; also"))
    let places = [
      "t.jtrace: info: event 'x-mark' ignored (2 times; lines 5, 6 of its source)\n",
      "t.jtrace: info: event 'x-odd' ignored (line 7 of its source)\n",
    ]
    let checked = try program.run("check t.jtrace")
    let back = try program.run("convert t.jtrace back.csv")
    for place in places {
      #expect(checked.output.contains("  \(place)"), "\(checked.output)")
      #expect(back.error.contains("jettison: \(place)"), "\(back.error)")
    }
    #expect(checked.output.firstMatch(of: /t\.jtrace:\d/) == nil, "\(checked.output)")
    // A merged trace has them as the one that it is made of has.
    let alone = try program.run("import --merge t.jtrace -o one.csv")
    #expect(alone.error.contains("(2 times; lines 5, 6 of its source)"), "\(alone.error)")
    try program.write(Self.header + "0,b,launch,,,\n9,,end,,,\n", to: "other.csv")
    let merged = try program.run("import --merge t.jtrace other.csv -o two.csv")
    #expect(merged.error.contains(": t.jtrace: event 'x-mark' ignored (2 "), "\(merged.error)")
  }

  /// The column of `summary.csv`.
  private static func issues(_ program: Program) throws -> Int {
    let rows = try program.text("out/summary.csv").split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let place = try #require(rows[0].firstIndex(of: "issues"))
    return try #require(Int(rows[1][place]))
  }

  /// What the lines of issues add up to: each is for one, or says how often.
  private static func issueCount(_ report: String) -> Int {
    report.split(separator: "\n").filter { $0.contains(": info: ") }.reduce(0) { sum, line in
      let times = line.firstMatch(of: /\((\d+) times/).flatMap { Int($0.output.1) }
      return sum + (times ?? 1)
    }
  }
}
