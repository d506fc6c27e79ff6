import Foundation
import JettisonTestSupport
import Testing

@Suite("Pages say what the files say")
struct PageTests {
  /// Users enough for intervals, with losses, on a device that is short of memory.
  private func users(_ program: Program, _ count: Int = 10) throws {
    let made = try program.run("generate --users \(count) --days 2 --seed 5 -o users -q")
    #expect(made.status == 0, "\(made.error)")
  }

  private func close(_ a: Double, _ b: Double) -> Bool {
    abs(a - b) <= 1e-12 * max(abs(a), abs(b), 1)
  }

  // MARK: compare

  @Test("Every figure of a comparison is that of the CSV of the same run, and so are its files")
  func comparison() throws {
    let program = try Program()
    try users(program)
    let line = "compare users --policies lru,size,landlord-loss,belady --seeds 2 -q"
    let plain = try program.run(line)
    let result = try program.run("\(line) --csv out --html page.html --detail events")
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output == plain.output, "a page changes nothing of the table")
    let page = try PageSource(program.text("page.html"))
    for name in ["comparison.csv", "summary.csv", "apps.csv", "runs.csv", "columns.md"] {
      #expect(try page.file(name) == program.text("out/\(name)"), "\(name)")
    }
    let section = page.section("compared-1")
    let rows = Report.rows(try program.text("out/comparison.csv"))
    let policies = section["policies"].list
    #expect(policies.count == 4)
    let names = [
      "system_lost_work_noticed_seconds", "relaunches_after_system_end",
      "system_relaunch_wait_seconds",
    ]
    var points: Set<[Double]> = []
    for policy in policies {
      let name = try #require(policy["policy"].text)
      points.insert(
        names.prefix(2).reversed().map {
          policy[$0]["mean"].number ?? .nan
        })
      for metric in names {
        let own = policy[metric]
        let isBaseline = name == "lru"
        let row = try #require(
          rows.first { $0["metric"] == metric && (isBaseline || $0["policy"] == name) })
        #expect(
          own["mean"].number == Double(row[isBaseline ? "baseline_mean" : "policy_mean"] ?? ""),
          "\(name) \(metric)")
        for column in ["mean_difference", "low", "high", "p_value", "p_adjusted"] {
          #expect(
            own[column].number == (isBaseline ? nil : Double(row[column] ?? "")),
            "\(name) \(metric) \(column)")
        }
        if !isBaseline, metric != names[1], let mean = Double(row["mean_difference"] ?? "") {
          let marks = try page.marks("compared-1")
          #expect(marks.contains { $0[0] == mean }, "the difference of \(name) in \(metric)")
        }
      }
    }
    #expect(try page.marks("compared-1").isSuperset(of: points))
    let oracles = policies.filter { $0["standing"].text == "oracle" }
    #expect(oracles.map(\.["policy"].text) == ["belady"])
    try checkFront(policies)
    try checkApps(page, try program.text("out/apps.csv"))
    try checkLosses(page, try program.text("out/events.csv"))
  }

  /// Whether those and only those are on the frontier that nobody beats in both.
  private func checkFront(_ policies: [JSON]) throws {
    let places = policies.map { policy -> (isReal: Bool, inFront: Bool, [Double]) in
      let figures = ["system_lost_work_noticed_seconds", "relaunches_after_system_end"].map {
        policy[$0]["mean"].number ?? .nan
      }
      return (
        policy["standing"].text != "oracle", policy["front"].isTrue ?? false, figures
      )
    }
    for (isReal, inFront, own) in places {
      let isBeaten = places.contains { other in
        other.isReal && other.2[0] <= own[0] && other.2[1] <= own[1] && other.2 != own
      }
      #expect(inFront == (isReal && !isBeaten))
    }
  }

  private func checkApps(_ page: PageSource, _ csv: String) throws {
    let block = try #require(page.section("apps").list.first)
    let costs = block["costs"]
    let policies = costs["policies"].list.compactMap(\.text)
    let metrics = costs["metrics"].list.compactMap(\.text)
    let rows = Report.rows(csv)
    let apps = costs["apps"].list
    #expect(apps.count > 3)
    for app in apps {
      let name = app["app"].text
      let own = rows.filter { $0["app"] == name }
      #expect(app["users"].count == Set(own.map { $0["user"] }).count)
      let figures = app["figures"].list.map(\.list)
      for (place, policy) in policies.enumerated() {
        for (column, metric) in metrics.enumerated() {
          let ofPolicy = own.filter { $0["policy"] == policy }
          let traces = Dictionary(grouping: ofPolicy) { $0["trace"] }.values
          let sum = traces.reduce(0.0) { sum, seeds in
            sum + seeds.reduce(0) { $0 + (Double($1[metric] ?? "") ?? 0) } / Double(seeds.count)
          }
          #expect(close(figures[place][column].number ?? .nan, sum), "\(name ?? "") \(metric)")
        }
      }
    }
  }

  private func checkLosses(_ page: PageSource, _ csv: String) throws {
    let told = page.section("losses").list
    #expect(!told.isEmpty && told.count <= 10)
    let rows = Report.rows(csv).filter { $0["event"] == "loss" && $0["noticed"] == "yes" }
    let work = told.map { $0["work_seconds"].number ?? .nan }
    #expect(work == work.sorted(by: >))
    for loss in told {
      let found = rows.contains { row in
        row["trace"] == loss["trace"].text && row["app"] == loss["app"].text
          && row["policy"] == loss["policy"].text && row["seed"] == loss["seed"].text
          && Double(row["time_ns"] ?? "") == loss["time_ns"].number
          && Double(row["work_seconds"] ?? "") == loss["work_seconds"].number
          && Double(row["bytes"] ?? "") == loss["bytes"].number
          && row["class"] == loss["class"].text
      }
      #expect(found, "\(loss)")
    }
  }

  @Test("RAM curves are the means of the CSV, for each size of a sweep")
  func curves() throws {
    let program = try Program()
    try users(program)
    let result = try program.run(
      "compare users --device iphone-4 --memory 384MiB..768MiB/4 --policies lru,landlord-loss "
        + "--seeds 1 --fail-if purges>0 --csv out --html page.html -q")
    #expect(result.status == 2, "\(result.error)")
    let page = try PageSource(program.text("page.html"))
    let section = page.section("ram-1")
    let rows = Report.rows(try program.text("out/comparison.csv"))
    var marks: Set<[Double]> = []
    for policy in section["policies"].list {
      let name = try #require(policy["policy"].text)
      for (key, metric, scale) in [
        ("losses_per_user_week", "system_losses_noticed", 7.0),
        ("relaunches_per_user_day", "relaunches_after_system_end", 1),
      ] {
        let points = policy[key].list
        #expect(
          points.map(\.["memory_bytes"].count) == [384, 512, 640, 768].map { $0 << 20 })
        for point in points {
          let bytes = try #require(point["memory_bytes"].count)
          let row = try #require(
            rows.first { $0["memory_bytes"] == "\(bytes)" && $0["metric"] == metric })
          let mean = Double(row[name == "lru" ? "baseline_mean" : "policy_mean"] ?? "") ?? .nan
          #expect(point["mean"].number == mean * scale)
          marks.insert([Double(bytes), mean * scale])
          if let low = point["low"].number, let high = point["high"].number {
            #expect(low <= mean * scale && mean * scale <= high)
          }
        }
      }
    }
    #expect(try page.marks("ram-1").isSuperset(of: marks))
    // Condition and runs, counted from the file.
    let summary = Report.rows(try program.text("out/summary.csv"))
    let met = Set(summary.filter { (Int($0["purges"] ?? "") ?? 0) > 0 }.map { $0["memory_bytes"] })
    let clear = [768, 640, 512, 384].map { $0 << 20 }.prefix { !met.contains("\($0)") }.last
    let gate = try #require(section["gates"].list.first)
    #expect(gate["gate"].text == "purges>0")
    #expect(gate["memory_bytes"].count == clear)
    // An experiment file sweeps likewise.
    try program.write(
      "traces: [users]\nmemory: 384MiB..768MiB/4\ndevice: iphone-4\nseeds: 1\n"
        + "policies: [lru, landlord-loss]", to: "e.yaml")
    #expect(try program.run("compare e.yaml --csv again -q").status == 0)
    #expect(try program.text("again/summary.csv") == program.text("out/summary.csv"))
  }

  // MARK: savings

  @Test("Every figure of savings is that of savings.csv")
  func savings() throws {
    let program = try Program()
    try users(program)
    let result = try program.run(
      "savings users --app com.example.chat --seeds 1 --csv out --html p.html -q")
    #expect(result.status == 0, "\(result.error)")
    let page = try PageSource(program.text("p.html"))
    #expect(try page.file("savings.csv") == program.text("out/savings.csv"))
    #expect(try page.file("columns.md") == program.text("out/columns.md"))
    let rows = Report.rows(try program.text("out/savings.csv"))
    let section = page.section("habits-1")
    let habits = section["habits"].list
    #expect(habits.count == 16)
    var marks: Set<[Double]> = []
    for habit in habits {
      let row = try #require(rows.first { $0["habit"] == habit["habit"].text })
      for (name, value) in habit.members where row[name] != nil && name != "habit" {
        #expect(value.number == Double(row[name] ?? ""), "\(name)")
      }
      #expect(habit["standing"].text != "frugal" || row["least_writing"] == "1")
      marks.insert(
        ["written_bytes", "system_lost_work_noticed_seconds"].map { Double(row[$0] ?? "") ?? .nan })
    }
    #expect(try page.marks("habits-1") == marks)
  }

  // MARK: What is always so

  @Test("Equal runs give equal pages, whatever the number of jobs")
  func determinism() throws {
    let program = try Program()
    try users(program, 4)
    for command in [
      "compare users --policies lru,gdsf,random --memory 256MiB..512MiB/3",
      "savings users --app com.example.chat",
    ] {
      let pages = try ["1", "2", "7"].map { jobs in
        let result = try program.run("\(command) --jobs \(jobs) --html \(jobs).html -q")
        #expect(result.status == 0, "\(result.error)")
        return try program.text("\(jobs).html")
      }
      #expect(Set(pages).count == 1)
      #expect(pages[0].contains("jettison \(command)<"))
      #expect(!pages[0].contains(program.directory.path))
    }
  }

  @Test("A page asks for nothing, and lets nothing in but its own style and script")
  func closed() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.run("compare a.csv --html p.html -q")
    let text = try program.text("p.html")
    #expect(text.contains("default-src &#39;none&#39;"))
    #expect(text.matches(of: /<script/).count == 2)
    #expect(!text.contains("unsafe-inline"))
    let outside = text.matches(of: /(?:src|href|url|action)\s*[=(]\s*["']?([a-z]+:|\/\/)/)
    #expect(outside.allSatisfy { $0.output.1 == "data:" })
    #expect(text.matches(of: /\son[a-z]+=/).isEmpty)
    #expect(text.matches(of: /\sstyle=/).isEmpty)
  }

  @Test("Names full of markup are shown as text and do nothing")
  func hostileNames() throws {
    let names = [
      "<script>alert(1)</script>", "</script><script>alert(2)", "\"><img src=x onerror=alert(3)>",
      "'onload='x", "&amp;<b>", "{{{data}}}", "\u{202E}gpj.exe", "א.ב",
      String(repeating: "long", count: 2500),
    ]
    func encoded(_ name: String) -> String {
      name.utf8.map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return "%\(digits.count == 1 ? "0" : "")\(digits)"
      }.joined()
    }
    let program = try Program()
    for (number, name) in names.enumerated() {
      // The game has that name, and the user; the catalog of the trace keeps speaking of the notes.
      let trace = example.replacing(
        ",com.example.game,", with: ",\(encoded(String(name.prefix(900)))),"
      )
      .replacing("# user: example\n", with: "# user: \(try json(name))\n")
      try program.write(trace, to: "\(number)<img src=x onerror=alert(4)>.csv")
    }
    let pages = [("compare .", "p.html"), ("savings .", "s.html")]
    for (command, file) in pages {
      let result = try program.run("\(command) --html \(file) -q --seeds 1 --csv out")
      #expect(result.status == 0, "\(result.error)")
      let text = try program.text(file)
      let page = try PageSource(text)
      #expect(text.matches(of: /<script/).count == 2)
      #expect(text.matches(of: /<\/script/).count == 2)
      #expect(!text.contains("<img") && !text.contains("<b>"))
      let attributes = text.matches(of: /<[a-z][a-z0-9]*( [a-zA-Z0-9\-:]+(="[^"<>]*")?)*\/?>/)
      let tags = text.matches(of: /<[a-z]/)
      #expect(attributes.count == tags.count, "every tag is well-formed")
      #expect(attributes.allSatisfy { !$0.output.0.contains(#/\son[a-z]+=/#) })
      for name in ["apps.csv", "savings.csv", "runs.csv"] where text.contains("\"\(name)\"") {
        #expect(try page.file(name) == program.text("out/\(name)"), "\(name)")
      }
      let shown = try #require(text.range(of: #"id="data">"#)?.lowerBound)
      #expect(!text[..<shown].unicodeScalars.contains { $0.value == 0x202E })
    }
  }

  /// A text as a YAML header takes it.
  private func json(_ text: String) throws -> String {
    let list = try JSONSerialization.data(withJSONObject: [text])
    return String(String(decoding: list, as: UTF8.self).dropFirst().dropLast())
      .replacing("\\/", with: "/")
  }

  @Test("A page that cannot be written leaves what was there")
  func unwritable() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.write("old", to: "p.html")
    let failed = try program.run(
      "compare a.csv --html p.html --junit no/such/j.xml --fail-if purges>0")
    #expect(failed.status == 73)
    #expect(try program.text("p.html") == "old")
    #expect(try program.names().filter { $0.contains(".tmp") } == [])
    let gate = try program.run("compare a.csv --html p.html --fail-if purges>0 -q")
    #expect(gate.status == 2, "a page is written whatever a condition says")
    #expect(try program.text("p.html").hasPrefix("<!DOCTYPE html>"))
  }

  @Test("The command of a page leaves out places and jobs, and quotes what a shell would read")
  func command() throws {
    let program = try Program()
    try program.write(example, to: "a b.csv")
    try program.run([
      "compare", "a b.csv", "--policies", "lru,size", "--html=p.html", "--csv", "out", "--jobs=2",
      "-q", "--set", "decay=1s",
    ])
    let text = try program.text("p.html")
    #expect(
      text.contains(
        "<code>jettison compare &#39;a b.csv&#39; --policies lru,size --set decay=1s</code>"))
  }

  @Test("Without a decision a page says why it draws nothing")
  func noDecisions() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let result = try program.run("compare a.csv --memory 8GiB --html p.html -q")
    #expect(result.status == 0, "\(result.error)")
    let text = try program.text("p.html")
    #expect(text.contains("Memory never got short"))
    #expect(!text.contains("<figure"))
  }

  @Test("The shipped users fit into two megabytes")
  func size() throws {
    let program = try Program()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let result = try program.run([
      "compare", root.appending(path: "traces").path, "--html", "p.html", "-q",
    ])
    #expect(result.status == 0, "\(result.error)")
    #expect(try program.text("p.html").utf8.count < 2_000_000)
  }
}
