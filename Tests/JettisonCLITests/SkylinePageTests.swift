import Foundation
import JettisonTestSupport
import Testing

/// A whole number as a file has it; a figure that no file has where it is none.
private func whole(_ text: some StringProtocol) -> Int { Int(text) ?? .min }

/// The same for a real number.
private func real(_ text: some StringProtocol) -> Double { Double(text) ?? .nan }

extension JSON {
  fileprivate var whole: Int { count ?? .min }
  fileprivate var words: String { text ?? "no text" }
}

/// The data of a page's skyline beside the large files of the same run.
private struct Skyline {
  let page: PageSource
  let days: [JSON]
  let apps: [String]
  let section: Substring
  let events: [[String: String]]
  let footprints: [[String: String]]
  let decisions: [[String: String]]

  init(_ program: Program, of trace: String) throws {
    let result = try program.run(
      "replay \(trace) --seeds 1 -q --csv out --detail events,decisions,footprints --sample 0s "
        + "--html page.html")
    #expect(result.status == 0, "\(result.error)")
    page = try PageSource(program.text("page.html"))
    days = page.section("skyline-1")["days"].list
    apps = page.section("skyline-1")["apps"].list.compactMap(\.text)
    section = try page.markup("skyline-1")
    events = Report.rows(try program.text("out/events.csv"))
    footprints = Report.rows(try program.text("out/footprints.csv"))
    decisions = Report.rows(try program.text("out/decisions.csv"))
  }

  /// Lists of a kind of all days, as texts: numbers whole, apps by name.
  func entries(_ name: String, app: Int) -> [[String]] {
    days.flatMap { $0[name].list }.map { entry in
      entry.list.enumerated().map { place, value in
        place == app ? apps[value.count ?? 0] : value.text ?? "\(value.count ?? 0)"
      }
    }
  }

  /// Seconds as whole nanoseconds.
  static func nanoseconds(_ seconds: String?) -> String {
    guard let seconds, !seconds.isEmpty else { return "0" }
    return "\(Int((real(seconds) * 1e9).rounded()))"
  }
}

@Suite("A skyline says what the files of its run say")
struct SkylinePageTests {
  /// The shipped week with the most losses, half an hour of a desktop, and a story.
  static let traces = [
    "traces/users-2010/user-009.csv", "traces/captured/desktop.csv",
    "traces/stories/draft-lost-at-purge.csv", "traces/users-today/today-000.csv",
  ]

  static func path(_ trace: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: trace).path
  }

  @Test("Every figure is that of the files of the same run", arguments: traces)
  func figures(trace: String) throws {
    let skyline = try Skyline(Program(), of: Self.path(trace))
    #expect(!skyline.days.isEmpty && skyline.days.allSatisfy { !$0["moments"].list.isEmpty })
    try checkMemory(skyline)
    try checkEnds(skyline)
    checkMarks(skyline)
    checkDecisions(skyline)
  }

  @Test("The page of several seeds says which of all runs cost its user most")
  func severalSeeds() throws {
    let program = try Program()
    let run = try program.run([
      "replay", Self.path("traces/users-2010/user-009.csv"), "--html", "page.html", "--csv", "out",
      "-q",
    ])
    #expect(run.status == 0, "\(run.error)")
    let rows = Report.rows(try program.text("out/summary.csv"))
    let lost = try rows.map {
      try #require(Double($0["system_lost_work_noticed_seconds", default: ""]))
    }
    let most = try #require(lost.max())
    try #require(most > lost[0], "the first seed costs most: nothing is tried")
    let seed = try #require(lost.firstIndex(of: most).map { rows[$0]["seed"] } ?? nil)
    let page = try program.text("page.html")
    #expect(!page.contains("No run of"))
    #expect(
      page.contains("Of \(rows.count) runs the one that cost most is user-009 (seed \(seed)): "))
  }

  /// Moments are states of memory as they were, in their order, and the extremes are among them.
  private func checkMemory(_ skyline: Skyline) throws {
    var rows = skyline.footprints[...]
    var held: [String: Int] = [:]
    var shown: [String: Int] = [:]
    for day in skyline.days {
      for holding in day["holdings"].list {
        #expect(shown[skyline.apps[holding.list[0].whole]] == holding.list[1].count)
      }
      for moment in day["moments"].list.map(\.list) {
        let (time, available) = (moment[0].whole, moment[1].whole)
        for place in stride(from: 2, to: moment.count, by: 2) {
          shown[skyline.apps[moment[place].whole]] = moment[place + 1].count
        }
        shown = shown.filter { $0.value != 0 }
        var isFound = false
        while !isFound, let row = rows.popFirst() {
          let isGone = row["state"] == "not-running"
          held[row["app", default: ""]] = isGone ? nil : Int(row["footprint_bytes", default: ""])
          isFound =
            row["time_ns"] == "\(time)" && row["available_bytes"] == "\(available)"
            && held.filter { $0.value != 0 } == shown
        }
        try #require(isFound, "no row of footprints.csv has the moment at \(time) ns")
      }
      let (from, to) = (day["from"].whole, day["to"].whole)
      let own = skyline.footprints.filter {
        (from..<to).contains(whole($0["time_ns", default: ""]))
      }
      let available = own.compactMap { Int($0["available_bytes", default: ""]) }
      let drawn = [day["available"].count] + day["moments"].list.map { $0.list[1].count }
      #expect(drawn.contains(available.min()) && drawn.contains(available.max()))
    }
  }

  private func checkEnds(_ skyline: Skyline) throws {
    let kinds: Set = ["purge", "kill", "watchdog", "task-expired", "ended"]
    let rows = skyline.events.filter { kinds.contains($0["event", default: ""]) }
    let expected = rows.map { row in
      [
        row["time_ns", default: ""], row["app", default: ""],
        row["bytes", default: ""].isEmpty ? "0" : row["bytes", default: ""],
        row["decision", default: ""].isEmpty ? "0" : row["decision", default: ""],
        row["event", default: ""], row["cause", default: ""],
      ]
    }
    let ends = skyline.entries("ends", app: 1)
    #expect(ends.map { Array($0[0..<4]) + $0[5..<7] } == expected)
    #expect(!ends.isEmpty)
    let losses = skyline.events.filter { $0["event"] == "loss" }.map { row in
      [
        row["time_ns", default: ""], row["app", default: ""],
        Skyline.nanoseconds(row["work_seconds"]), row["bytes", default: ""],
        row["class", default: ""], row["noticed", default: ""],
      ]
    }
    let told =
      ends.filter { $0.count > 7 }.map { [$0[0], $0[1]] + $0[7...] }
      + skyline.entries("losses", app: 1)
    #expect(Set(told) == Set(losses) && told.count == losses.count)
    // The same in the picture.
    let marks = try skyline.section.matches(
      of: Regex<(Substring, Substring, Substring, Substring, Substring)>(
        #"data-t="(\d+)" data-app="(\d+)" data-kind="([a-z-]+)" data-held="(\d+)""#))
    let drawn = marks.map { mark in
      [
        String(mark.output.1), skyline.apps[whole(mark.output.2)], String(mark.output.4),
        String(mark.output.3),
      ]
    }
    let bySystem = expected.filter { $0[4] != "ended" || $0[5] == "no-multitasking" }
    #expect(drawn == bySystem.map { [$0[0], $0[1], $0[2], $0[4]] })
    let works = skyline.section.matches(of: /data-work="(\d+)"/).map { whole($0.output.1) }
    #expect(works.reduce(0, +) == losses.reduce(0) { $0 + whole($1[2]) })
  }

  private func checkMarks(_ skyline: Skyline) {
    func rows(_ event: String) -> [[String: String]] {
      skyline.events.filter { $0["event"] == event }
    }
    let saves = skyline.entries("saves", app: 1)
    #expect(saves.reduce(0) { $0 + whole($1[2]) } == rows("save").count)
    #expect(
      saves.reduce(0) { $0 + whole($1[3]) }
        == rows("save").reduce(0) { $0 + whole($1["bytes", default: ""]) })
    let warnings = skyline.entries("warnings", app: 1)
    #expect(warnings.reduce(0) { $0 + whole($1[2]) } == rows("warning").count)
    let moments = Set(
      rows("state").map {
        [$0["time_ns", default: ""], $0["app", default: ""], $0["state_after", default: ""]]
      })
    let starts = Set(skyline.days.map { "\($0["from"].count ?? -1)" })
    let states = skyline.entries("states", app: 1)
    // Who runs when a day begins entered that state before.
    #expect(states.allSatisfy { moments.contains($0) || starts.contains($0[0]) })
    let drawn = skyline.section.matches(of: /class="save [a-z]+" tabindex/).count
    #expect(drawn == saves.count)
  }

  private func checkDecisions(_ skyline: Skyline) {
    var told: [[String]] = []
    for decision in skyline.days.flatMap({ $0["decisions"].list }).map(\.list) {
      let head = decision[0..<5].map { "\($0.whole)" } + decision[5..<7].map { $0.words }
      for candidate in decision[7].list.map(\.list) {
        told.append(
          head + [skyline.apps[candidate[0].whole], candidate[1].words]
            + [2, 3, 5, 8, 9].map { "\(candidate[$0].number ?? .nan)" })
      }
    }
    let expected = skyline.decisions.filter { !$0["app", default: ""].isEmpty }.map { row in
      [
        "decision", "time_ns", "available_bytes", "needed_bytes", "target_bytes", "trigger",
        "level", "app", "state",
      ].map { row[$0, default: ""] }
        + [
          row["score", default: ""], row["footprint_bytes", default: ""],
          Skyline.nanoseconds(row["unsaved_work_seconds"]),
          row["chosen", default: ""], row["freed_bytes", default: ""],
        ].map { "\(Double($0) ?? .nan)" }
    }
    #expect(told == expected)
    let panels = skyline.section.matches(of: /id="run1-decision-(\d+)"/).map { $0.output.1 }
    #expect(panels.count == Set(expected.map { $0[0] }).count)
  }

  @Test("Days follow the calendar, and cost what the summary says")
  func days() throws {
    let program = try Program()
    let skyline = try Skyline(program, of: Self.path(Self.traces[0]))
    #expect(skyline.days.count == 7)
    #expect(skyline.section.matches(of: /<details class="day"/).count == 7)
    #expect(skyline.section.matches(of: /<details class="day" open/).count == 1)
    #expect(skyline.section.contains("Mon 2010-09-06") && skyline.section.contains("RAM 256 MiB"))
    // A snapshot that could not be read is no end by the system.
    let lost =
      (skyline.entries("ends", app: 1).filter { $0.count > 7 }.map { ($0[7], $0[9]) }
      + skyline.entries("losses", app: 1).map { ($0[2], $0[4]) })
      .reduce(0) { $0 + ($1.1 == "restore-lost" ? 0 : whole($1.0)) }
    let summary = try #require(Report.rows(try program.text("out/summary.csv")).first)
    #expect("\(lost)" == Skyline.nanoseconds(summary["system_lost_work_seconds"]))
    for (place, level) in ["warning", "critical"].enumerated() {
      let span = skyline.days.reduce(0) { $0 + $1["spans"].list[place + 1].whole }
      #expect("\(span)" == Skyline.nanoseconds(summary["\(level)_level_seconds"]))
    }
    for name in ["summary.csv", "apps.csv", "runs.csv"] {
      #expect(try skyline.page.file(name) == program.text("out/\(name)"))
    }
  }

  /// Forty-five days of one pinned app, which is short of memory on one of the last.
  private static func longTrace(greatest: Int64) -> String {
    var rows = ["0,app,launch,,,", "0,app,pin,1,,"]
    for day in Int64(0)..<45 {
      let morning = day * 86_400_000_000_000
      if day > 0 { rows.append("\(morning),app,launch,,,") }
      if day == 40 {
        rows.append("\(morning + 1_000_000_000),app,footprint,\(greatest),,")
        rows.append("\(morning + 2_000_000_000),app,footprint,10000000,,")
      }
      rows.append("\(morning + 3_600_000_000_000),,home,,,")
    }
    return """
      # jettison-trace: 1
      # device: iphone-4
      # apps:
      #   app: {footprint: {launch: 10MB}, save: none}
      time_ns,app,event,value,id,detail
      \(rows.joined(separator: "\n"))

      """
  }

  @Test("What the page says of a run holds for its days that are not shown, too")
  func daysNotShown() throws {
    let program = try Program()
    // A decision on a day that costs nothing: it is shown before days without any.
    try program.write(Self.longTrace(greatest: 345_000_000), to: "short.csv")
    let short = try Skyline(program, of: "short.csv")
    try #require(short.decisions.count == 1)
    #expect(short.days.count == 31)
    #expect(short.days.count { !$0["decisions"].list.isEmpty } == 1)
    #expect(!short.section.contains("No decision was made"))
    // No decision: the least of all days is told, which is on one that is not shown.
    try program.write(Self.longTrace(greatest: 250_000_000), to: "long.csv")
    let long = try Skyline(program, of: "long.csv")
    try #require(long.decisions.isEmpty)
    let available = long.footprints.compactMap { Int($0["available_bytes", default: ""]) }
    let least = try #require(available.min())
    #expect(long.days.allSatisfy { $0["moments"].list.allSatisfy { $0.list[1].whole > least } })
    #expect(
      long.section.contains("never less than \((least + 524_288) / 1_048_576) MiB of 512 MiB"))
  }

  @Test("An app that passes its own limit five times is five ends, for no shortage of memory")
  func ownLimit() throws {
    let program = try Program()
    try program.write(
      """
      # jettison-trace: 1
      # device: iphone-4
      # apps:
      #   a: {footprint: {launch: 10MB}, limit: 100MB, save: none}
      time_ns,app,event,value,id,detail
      0,a,launch,,,
      500000000,a,edit,1000,,work_ms=5000
      1000000000,a,footprint,200000000,,
      1500000000,a,edit,500,,work_ms=1500
      60000000000,a,footprint,50000000,,
      90000000000,,end,,,

      """, to: "limit.csv")
    let skyline = try Skyline(program, of: "limit.csv")
    let kills = skyline.events.count { $0["event"] == "kill" }
    try #require(kills > 1)
    #expect(
      skyline.section.contains(
        "The system ended apps \(kills) times for other reasons than a shortage of memory."))
    // The kill has its loss, and what could not be done until the app was back is another one.
    let losses = skyline.events.filter { $0["event"] == "loss" }
    try #require(losses.map { $0["work_seconds"] } == ["5", "1.5"])
    #expect(skyline.section.contains("5 s of work (1000 B) lost: it was killed while it ran"))
    #expect(
      skyline.section.contains(
        "1.5 s of work (500 B) lost: it could not be done while the app was gone"))
    let loss = try program.run("explain limit.csv --loss 2")
    #expect(
      loss.output == """
        Loss 2 of 2 at 2 s: a lost 1.5 s of work (500 B)
        It was killed for passing its memory limit before; this is what could not be
        done while it was gone (killed-running).

        """)
  }

  @Test("A warning that freed nothing was not answered")
  func silentWarning() throws {
    let program = try Program()
    try program.write(
      """
      # jettison-trace: 1
      # device: iphone-4
      # apps:
      #   a: {footprint: {launch: 60MB}, save: none, edits: none}
      time_ns,app,event,value,id,detail
      0,a,launch,,,
      20000000000,a,footprint,330000000,,
      70000000000,,end,,,

      """, to: "warned.csv")
    let skyline = try Skyline(program, of: "warned.csv")
    let responses = skyline.events.filter { $0["event"] == "response" }
    try #require(!responses.isEmpty && responses.allSatisfy { $0["bytes"] == "0" })
    #expect(skyline.section.contains("gave nothing back"))
    #expect(!skyline.section.contains("answered, releasing"))
  }

  @Test("Days tell what was noticed apart from what was not")
  func noticedLosses() throws {
    let program = try Program()
    let skyline = try Skyline(program, of: Self.path("traces/users-2010/user-001.csv"))
    let summary = try #require(Report.rows(try program.text("out/summary.csv")).first)
    let unnoticed =
      real(summary["system_lost_work_seconds", default: ""])
      - real(summary["system_lost_work_noticed_seconds", default: ""])
    try #require(unnoticed > 0)
    #expect(skyline.section.contains("lost unnoticed"))
  }

  @Test("A crowded day is thinned, says so, and keeps its extremes")
  func thinning() throws {
    var rows = ["0,app,launch,,,", "0,other,background-launch,,,"]
    for number in 1...40_000 {
      let bytes = 20_000_000 + (number * 7919) % 9_000_000
      rows.append("\(number * 1_000_000_000),app,footprint,\(bytes),,")
    }
    rows.append("41000000000000,,end,,,reason=complete")
    let text = (["# jettison-trace: 1", "time_ns,app,event,value,id,detail"] + rows)
      .joined(separator: "\n")
    let program = try Program()
    try program.write(text + "\n", to: "crowded.csv")
    let skyline = try Skyline(program, of: "crowded.csv")
    try checkMemory(skyline)
    let day = try #require(skyline.days.first)
    #expect(day["moments"].list.count <= 3 * 901)
    #expect((day["thinned"].list.first?.count ?? 0) > 30_000)
    #expect(skyline.section.contains("Thinned to what can be seen"))
  }

  @Test("Of many days one is drawn in full and the others coarser, and nothing untrue")
  func manyDays() throws {
    let program = try Program()
    _ = try program.run("generate --users 1 --days 24 --seed 5 --population today -o users -q")
    let skyline = try Skyline(program, of: "users/today-000.csv")
    #expect(skyline.days.count == 24)
    try checkMemory(skyline)
    try checkEnds(skyline)
    checkMarks(skyline)
    let bins = skyline.days.compactMap { $0["bin"].count }
    #expect(bins.filter { $0 == bins.min() }.count == 1 && Set(bins).count == 2)
    #expect(skyline.section.matches(of: /Drawn coarser than the day that cost most/).count == 23)
    let told = skyline.days.flatMap { $0["decisions"].list.map { $0.list[0].whole } }
    let all = Set(skyline.decisions.compactMap { Int($0["decision", default: ""]) })
    #expect(told.count > 50 && told.count < all.count && all.isSuperset(of: told))
    #expect(skyline.section.contains("jettison explain --decision N"))
    // Who is not told lost no more work than who is.
    var works: [Int: Double] = [:]
    for row in skyline.decisions where row["chosen"] == "1" {
      works[whole(row["decision", default: ""]), default: 0] +=
        real(row["unsaved_work_seconds", default: ""])
    }
    let finest = skyline.days.filter { $0["bin"].count == bins.min() }
    let first = Set(finest.flatMap { $0["decisions"].list.map { $0.list[0].whole } })
    let least = told.filter { !first.contains($0) }.map { works[$0] ?? 0 }.min() ?? 0
    #expect(first.count > 10)
    #expect(all.subtracting(told).allSatisfy { (works[$0] ?? 0) <= least })
    let links = skyline.section.matches(of: /href="#(run1-decision-\d+)"/).map { $0.output.1 }
    let targets = skyline.section.matches(of: /id="(run1-decision-\d+)"/).map { $0.output.1 }
    #expect(!links.isEmpty && Set(links).isSubset(of: targets))
  }

  @Test("Captured kills stand in their lane as validation.csv has them", arguments: 1...3)
  func capturedKills(number: Int) throws {
    let program = try Program()
    let trace = Self.path("traces/captured/kills/develop/develop-0\(number).csv")
    for line in [
      "replay \(trace) --seeds 1 -q --html page.html",
      "validate \(trace) --policies lru -q --csv out",
    ] {
      let result = try program.run(line)
      #expect(result.status == 0, "\(result.error)")
    }
    let page = try PageSource(program.text("page.html"))
    let apps = page.section("skyline-1")["apps"].list.compactMap(\.text)
    let told = page.section("skyline-1")["days"].list.flatMap { $0["killed"].list }.map(\.list)
      .map { ["\($0[0].whole)", apps[$0[1].whole], $0[2].words] }
    let rows = Report.rows(try program.text("out/validation.csv"))
      .filter { $0["kind"] == "observed-kill" && $0["adj"] == "captured" }
      .map { row in ["time_ns", "app", "cause"].map { row[$0, default: ""] } }
    #expect(!rows.isEmpty)
    #expect(told == rows)
    let section = try page.markup("skyline-1")
    let marks = section.matches(
      of: /class="captured" tabindex="0" role="img" data-t="(\d+)" data-app="(\d+)"/
    ).map { [String($0.output.1), apps[whole($0.output.2)]] }
    #expect(marks == rows.map { Array($0[0..<2]) })
    #expect(section.contains("really killed"))
  }

  @Test(
    "Panels say by which rules, and of which figures, as explain does",
    arguments: ["gdsf", "lru+saved", "linux-oom"])
  func rules(policy: String) throws {
    func words(_ text: some StringProtocol) -> String {
      text.split(whereSeparator: { $0.isWhitespace || $0 == "\u{A0}" }).joined(separator: " ")
    }
    let program = try Program()
    let device = policy == "linux-oom" ? "desktop-8g --memory 1200MiB" : "iphone-3gs"
    let line = "\(Self.path(Self.traces[0])) --policy \(policy) --device \(device) --seeds 1 -q"
    #expect(try program.run("replay \(line) --html page.html").status == 0)
    let section = try PageSource(program.text("page.html")).markup("skyline-1")
    let plain = section.replacing(/<[^>]*>/, with: " ").replacing("&#39;", with: "'")
    let shown = words(plain)
    // The decision whose scores are taken apart, else the last.
    let end = section.range(of: "What the score is")?.lowerBound ?? section.endIndex
    let panels = section[..<end].matches(of: /id="run1-decision-(\d+)"/)
    let number = try #require(panels.last?.output.1)
    let told = try program.run("explain \(line) --decision \(number)")
    #expect(told.status == 0, "\(told.error)")
    let paragraphs = told.output.split(separator: "\n\n").map { words($0) }
    let rules = paragraphs.filter {
      $0.hasPrefix("Pressure model") || $0.hasPrefix("The lowest score goes first")
        || $0.hasPrefix("Modifiers:")
    }
    #expect(rules.count == (policy.contains("+") ? 3 : 2))
    for rule in rules { #expect(shown.contains(rule), "\(rule)") }
    let terms = paragraphs.first { $0.hasPrefix("What the score is made of") }
    #expect((terms != nil) == (policy == "gdsf"))
    if let terms {
      let numbers = terms.drop { $0 != "-" }.split(separator: " ").filter { !$0.hasPrefix("--") }
      #expect(numbers.count > 10)
      #expect(shown.contains(numbers.joined(separator: " ")))
    }
    #expect(shown.contains("The kernel's points") == (policy == "linux-oom"))
  }

  @Test("Of many runs the costliest are drawn, whatever the number of jobs")
  func manyRuns() throws {
    let program = try Program()
    _ = try program.run("generate --users 8 --days 3 --seed 5 -o users -q")
    let names = (0..<8).map { "users/user-00\($0).csv" }.joined(separator: " ")
    let line = "replay \(names) --seeds 1 -q --csv out --html"
    for (file, jobs) in [("a.html", 1), ("b.html", 3)] {
      let result = try program.run("\(line) \(file) --jobs \(jobs)")
      #expect(result.status == 0, "\(result.error)")
    }
    let text = try program.text("a.html")
    #expect(try program.text("b.html") == text)
    let page = try PageSource(text)
    #expect(page.data["sections"].members.keys.filter { $0.hasPrefix("skyline-") }.count == 6)
    #expect(text.contains("2 others are in the files only"))
    // By what was noticed, which is what the headline counts.
    let work = Report.rows(try program.text("out/summary.csv")).map { row in
      let lost = real(row["system_lost_work_noticed_seconds", default: ""])
      return (trace: row["trace", default: ""], lost: lost)
    }
    try #require(work.contains { $0.lost > 0 })
    let shown = try (1...6).map { number in
      let section = try page.markup("skyline-\(number)")
      return try #require(work.first { section.contains("\($0.trace) under lru") }).lost
    }
    #expect(shown == shown.sorted(by: >))
    #expect(shown == Array(work.map(\.lost).sorted(by: >).prefix(6)))
  }

  @Test("A run without a decision says why, and draws what there is")
  func noDecision() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let result = try program.run("replay a.csv --memory 8GiB --html p.html -q")
    #expect(result.status == 0, "\(result.error)")
    let text = try program.text("p.html")
    #expect(text.contains("No decision was made, so there is none to show"))
    #expect(text.contains("svg class=\"skyline\""))
  }

  @Test("A damaged trace leaves the page that was there")
  func damaged() throws {
    let program = try Program()
    let whole = try String(contentsOfFile: Self.path(Self.traces[0]), encoding: .utf8)
    try program.write(String(whole.prefix(whole.count / 2)) + "\u{0},x\n", to: "cut.csv")
    try program.write("old", to: "p.html")
    let result = try program.run("replay cut.csv --html p.html -q")
    #expect(result.status != 0 && result.error.contains("cut.csv"))
    #expect(try program.text("p.html") == "old")
    #expect(try program.names().filter { $0.contains(".tmp") } == [])
    // What ends early, but well, is shown as far as it goes.
    let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
    try program.write(lines.prefix(lines.count / 2).joined(separator: "\n") + "\n", to: "half.csv")
    #expect(try program.run("replay half.csv --html p.html -q").status == 0)
    #expect(try program.text("p.html").contains("svg class=\"skyline\""))
  }

  @Test("Names full of markup are shown as text and do nothing")
  func hostileNames() throws {
    let names = [
      "%3Cscript%3Ealert(1)%3C/script%3E", "%22%3E%3Cimg src%3Dx onerror%3Dalert(2)%3E",
      "%D7%90%2E%D7%91", "%E2%80%AEgpj", String(repeating: "long", count: 250), "%27onload%3D%27",
    ]
    let program = try Program()
    var rows: [String] = []
    for (number, name) in names.enumerated() {
      rows.append("\(number * 10_000_000_000),\(name),launch,,,")
      rows.append("\(number * 10_000_000_000 + 1_000_000_000),\(name),edit,5000,,work_ms=4000")
      rows.append("\(number * 10_000_000_000 + 2_000_000_000),\(name),footprint,200000000,,")
    }
    rows.append("59000000000,\(names[0]),observed-exit,,,cause=low-memory")
    rows.append("61000000000,,end,,,reason=complete")
    let head = ["# jettison-trace: 1", "# device: iphone-4", "time_ns,app,event,value,id,detail"]
    try program.write((head + rows).joined(separator: "\n") + "\n", to: "h.csv")
    for command in ["replay", "validate"] {
      let result = try program.run("\(command) h.csv --html p.html -q")
      #expect(result.status == 0, "\(result.error)")
      let text = try program.text("p.html")
      #expect(text.matches(of: /<script/).count == 2 && text.matches(of: /<\/script/).count == 2)
      #expect(!text.contains("<img"))
      let shown = try #require(text.range(of: #"id="data">"#)?.upperBound)
      #expect(!text[..<shown].unicodeScalars.contains { $0.value == 0x202E })
      #expect(!text[..<shown].contains(String(repeating: "long", count: 40)))
      let tags = text[..<shown].matches(of: /<[a-z][a-z0-9]*( [a-zA-Z0-9\-:]+(="[^"<>]*")?)*\/?>/)
      #expect(tags.count == text[..<shown].matches(of: /<[a-z]/).count, "every tag is well-formed")
      #expect(tags.allSatisfy { !$0.output.0.contains(#/\son[a-z]+=/#) })
      _ = try PageSource(text)
    }
  }
}

@Suite("The matrix of a validation says what validation.csv says")
struct MatrixPageTests {
  @Test("Every rank, every share and every story is that of the files")
  func figures() throws {
    let program = try Program()
    let traces = ["develop-01", "develop-02", "develop-03"].map {
      SkylinePageTests.path("traces/captured/kills/develop/\($0).csv")
    }
    let policies = ["linux-oom", "size", "lru"]
    let result = try program.run(
      ["validate"] + traces + ["--policies", policies.joined(separator: ","), "-q", "--csv", "out"]
        + ["--html", "p.html"])
    #expect(result.status == 0, "\(result.error)")
    let page = try PageSource(program.text("p.html"))
    let rows = Report.rows(try program.text("out/validation.csv"))
      .filter { $0["kind"] == "observed-kill" }
    let section = page.section("kills")
    var told: [[String]] = []
    for kill in section["kills"].list.map(\.list) {
      for (policy, cell) in zip(policies, kill[5].list.map(\.list)) {
        told.append([
          kill[0].words, "\(kill[1].whole)", kill[2].words, kill[3].words, policy,
          "\(cell[0].whole)", "\(kill[4].whole)", cell[1].words,
        ])
      }
    }
    let expected = rows.map { row in
      [
        "trace", "time_ns", "app", "cause", "policy", "rank", "candidates", "outcome",
      ].map { row[$0, default: ""] }
    }
    #expect(told.count > 60)
    #expect(told.sorted { "\($0)" < "\($1)" } == expected.sorted { "\($0)" < "\($1)" })
    let cells = try page.markup("kills").matches(of: /<td class="rank[a-z ]*"><a[^>]*>(\d+)</)
    #expect(cells.map { String($0.output.1) } == told.map { $0[5] })
    for (place, policy) in policies.enumerated() {
      let own = rows.filter { $0["policy"] == policy }
      let column = section["policies"].list[place].list
      #expect(column[0].text == policy)
      #expect(column[1].count == own.count { !$0["rank", default: ""].isEmpty })
      #expect(column[2].count == own.count { $0["top_1"] == "1" })
      let chance = own.reduce(0) { $0 + (Double($1["chance_top_1", default: ""]) ?? 0) }
      #expect(abs((column[4].number ?? .nan) - chance) < 1e-9)
    }
    #expect(try page.file("validation.csv") == program.text("out/validation.csv"))
    #expect(
      try page.file("validation-summary.csv") == program.text("out/validation-summary.csv"))
  }

  @Test("Without a captured kill the page says what was compared")
  func noKill() throws {
    let program = try Program()
    try program.write(
      "# jettison-trace: 1\n# device: iphone-4\ntime_ns,app,event,value,id,detail\n"
        + "0,a,launch,,,\n5000000000,,observed-available,100000000,,\n9000000000,,end,,,reason=complete\n",
      to: "a.csv")
    let result = try program.run("validate a.csv --html p.html -q")
    #expect(result.status == 0, "\(result.error)")
    #expect(try program.text("p.html").contains("No captured kill"))
  }
}
