import Foundation
import JettisonTestSupport
import Testing

@Suite("Results go where they belong")
struct ResultTests {
  @Test("A replay prints its summary and nothing else on standard output")
  func replaySummary() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let result = try program.run("replay a.csv")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("a (user example) under lru, iphone-4 with 512 MiB\n"))
    #expect(result.output.contains("losses noticed                  1"))
    #expect(result.output.contains("work lost and noticed         4 s"))
    #expect(result.output.contains("imputed"))
    #expect(!result.output.contains("\u{1B}"), "no colour without a terminal")
    #expect(result.error.hasPrefix("jettison: 1 run in "))
    let quiet = try program.run("replay a.csv --quiet")
    #expect(quiet.output == result.output)
    #expect(quiet.error == "")
  }

  @Test("A replay writes five files, and comparison.csv has its header only")
  func replayReports() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.run("replay a.csv --csv out/deep")
    let names = ["apps.csv", "columns.md", "comparison.csv", "runs.csv", "summary.csv"]
    #expect(try program.names(in: "out/deep") == names)
    #expect(try program.text("out/deep/comparison.csv").split(separator: "\n").count == 1)
    let summary = try program.text("out/deep/summary.csv").split(separator: "\n")
    #expect(summary.count == 2)
    let row = Dictionary(
      uniqueKeysWithValues: zip(
        summary[0].split(separator: ",", omittingEmptySubsequences: false),
        summary[1].split(separator: ",", omittingEmptySubsequences: false)))
    #expect(row["trace"] == "a")
    #expect(row["memory_bytes"] == "536870912")
    #expect(row["purges"] == "2")
    #expect(row["loss_events_noticed"] == "1")
    #expect(row["lost_work_noticed_seconds"] == "4")
  }

  @Test("Large reports are written when asked for")
  func details() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.run("replay a.csv --csv out --detail events,decisions,footprints --sample 0")
    let events = try program.text("out/events.csv")
    #expect(events.contains("20000000000,com.example.notes,purge,"))
    #expect(events.contains("20000000000,com.example.notes,loss,,,,,terminate-only,2048,,4,yes,1"))
    #expect(try program.text("out/decisions.csv").split(separator: "\n").count == 3)
    #expect(try program.text("out/footprints.csv").split(separator: "\n").count > 3)
  }

  @Test("events.csv has the rows that are asked for, and no others")
  func eventKinds() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    func events(_ options: String) throws -> [Substring] {
      let result = try program.run(
        "compare \(options) --policies lru,size --csv out --detail events,decisions -q")
      #expect(result.status == 0, "\(result.error)")
      return try program.text("out/events.csv").split(separator: "\n")
    }
    let all = try events("a.csv")
    let decisions = try program.text("out/decisions.csv")
    func rows(_ kinds: [String]) -> [Substring] {
      [all[0]]
        + all.dropFirst().filter { row in
          let columns = row.split(separator: ",", omittingEmptySubsequences: false)
          return kinds.contains { columns[8] == $0 }
        }
    }
    #expect(rows(["purge", "loss"]).count > 3)
    #expect(try events("a.csv --events purge,loss") == rows(["purge", "loss"]))
    #expect(try program.text("out/decisions.csv") == decisions)
    #expect(try events("a.csv --events loss --events purge") == rows(["purge", "loss"]))
    #expect(try events("a.csv --events kill").count == 1)
    try program.write("traces: [a.csv]\nevents: [state, message]\n", to: "e.yaml")
    #expect(try events("e.yaml") == rows(["state", "message"]))
    #expect(try events("e.yaml --events purge") == rows(["purge"]))
    // What a file says about a report that nobody asked for does no harm.
    #expect(try program.run("compare e.yaml -q").status == 0)
    try program.write("traces: [a.csv]\nevents: [state, mesage]\n", to: "bad.yaml")
    let bad = try program.run("compare bad.yaml -q")
    #expect(bad.status == 65)
    #expect(
      bad.error.hasPrefix(
        "jettison: bad.yaml:2:9: key 'events': unknown event 'mesage' (did you mean 'message'?)")
        || bad.error.hasPrefix("jettison: bad.yaml:2:1: key 'events': unknown event 'mesage'"),
      "\(bad.error)")
    try program.write("traces: [a.csv]\nevents: []\n", to: "none.yaml")
    #expect(try program.run("compare none.yaml -q").status == 65)
  }

  @Test("apps.csv says what an app is and when it saves, in words that --set takes")
  func natures() throws {
    let program = try Program()
    let catalog = """
      a: {category: notes}
      b: {category: maps, save: {when: [resign, edit, timer 1500ms], thread: task}}
      c: {save: none, task: {save: yes}}
      d: {category: shopping}

      """
    try program.write(catalog, to: "side.yaml")
    let rows = ["a", "b", "c", "d", "e"].enumerated().map { "\($0)000000000,\($1),launch,,,\n" }
    let text =
      "# jettison-trace: 1\n# device: iphone-6s\n# start: \"2011-04-18T11:00:00+02:00\"\n"
      + "# catalog: side.yaml\ntime_ns,app,event,value,id,detail\n\(rows.joined())"
      + "9000000000,,end,,,reason=complete\n"
    try program.write(text, to: "t/t.csv")
    try program.write(catalog, to: "t/side.yaml")
    try program.run("replay t/t.csv -q --seeds 1 --csv out")
    let apps = Report.rows(try program.text("out/apps.csv"))
    #expect(apps.map { $0["category"] } == ["notes", "maps", "utility", "shopping", "utility"])
    let saves = apps.map { $0["save"] ?? "" }
    #expect(
      saves == [
        "[background, timer 30s]", "[resign, edit, timer 1500ms]", "expiration", "none",
        "background",
      ])
    let run = Report.rows(try program.text("out/runs.csv"))[0]
    #expect(run["start"] == "2011-04-18T11:00:00+02:00")
    #expect(run["catalog"] == "t/side.yaml")
    // What is printed can be given back.
    let settings = zip(apps, saves).flatMap { ["--set", "\($0["app"] ?? "").save.when=\($1)"] }
    let again = try program.run(
      ["replay", "t/t.csv", "-q", "--seeds", "1", "--csv", "again"] + settings)
    #expect(again.status == 0, "\(again.error)")
    #expect(try program.text("again/apps.csv") == program.text("out/apps.csv"))
    try program.write("a: {category: music}\n", to: "one.yaml")
    try program.write("a: {save: none}\n", to: "two;.yaml")
    try program.run(["compare", "t/t.csv", "-q", "--csv", "out", "--catalog", "one.yaml,two;.yaml"])
    #expect(
      Set(Report.rows(try program.text("out/runs.csv")).map { $0["catalog"] })
        == ["t/side.yaml;one.yaml", "t/side.yaml;two%3B.yaml"])
    let changed = Report.rows(try program.text("out/apps.csv")).filter { $0["app"] == "a" }
    #expect(Set(changed.map { $0["category"] }) == ["music", "utility"])
    #expect(Set(changed.map { $0["save"] }) == ["background", "none"])
  }

  @Test("What is new in the reports tells nothing that was taken out of a trace")
  func anonymous() throws {
    let program = try Program()
    let text =
      "# jettison-trace: 1\n# device: iphone-6s\n# user: carla\n"
      + "# start: \"2011-04-18T11:23:45+05:30\"\n# catalog: carla.yaml\n# apps:\n"
      + "#   com.secret.app: {category: notes, save: {when: [resign]}, group: carlas}\n"
      + "time_ns,app,event,value,id,detail\n0,com.secret.app,launch,,,\n"
      + "9000000000,,end,,,reason=complete\n"
    try program.write(text, to: "carla.csv")
    try program.write("com.secret.app: {category: maps}\n", to: "carla.yaml")
    let made = try program.run("import carla.csv --anonymize -q -o x.csv")
    #expect(made.status == 0, "\(made.error)")
    try program.run("replay x.csv -q --csv out --detail events,decisions,footprints")
    for name in try program.names(in: "out") where name != "columns.md" {
      let report = try program.text("out/\(name)")
      for word in ["secret", "carla", "2011", "05:30"] {
        #expect(!report.contains(word), "\(name)")
      }
    }
    let run = Report.rows(try program.text("out/runs.csv"))[0]
    #expect(run["catalog"] == "")
    #expect(run["start"]?.hasPrefix("2024-01-01T11:23:45") == true, "\(run["start"] ?? "")")
    let app = Report.rows(try program.text("out/apps.csv"))[0]
    #expect([app["app"], app["category"], app["save"]] == ["app-001", "notes", "resign"])
  }

  @Test("Reports are the same bytes for any number of jobs, and on every run")
  func determinism() throws {
    let program = try Program()
    try program.run("generate --users 2 --days 1 --seed 5 -o traces --quiet")
    let line =
      "compare traces --policies lru,random,landlord-loss+saved --seeds 3 --noise on "
      + "--detail events,decisions"
    let one = try program.run("\(line) --jobs 1 --csv one")
    let two = try program.run("\(line) --jobs 2 --csv two")
    #expect(one.status == 0, "\(one.error)")
    #expect(one.output == two.output)
    for name in try program.names(in: "one") {
      #expect(try program.text("one/\(name)") == program.text("two/\(name)"), "\(name)")
    }
    // Seeds matter: the noise is drawn from them.
    let rows = try program.text("one/summary.csv").split(separator: "\n").dropFirst()
    #expect(rows.count == 2 * 3 * 3)
    #expect(Set(rows.map { $0.split(separator: ",").dropFirst(6) }).count > 6)
  }

  @Test("A run that draws nothing is run once, and its seeds share the result")
  func sharedSeeds() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.run("replay a.csv --capacity 1apps --seeds 3 --seed 7 --csv out --detail events")
    let rows = try program.text("out/summary.csv").split(separator: "\n").dropFirst()
    #expect(rows.map { $0.split(separator: ",")[5] } == ["7", "8", "9"])
    #expect(Set(rows.map { $0.split(separator: ",").dropFirst(6) }).count == 1)
    let events = try program.text("out/events.csv").split(separator: "\n").dropFirst()
    #expect(events.allSatisfy { $0.split(separator: ",")[5] == "7" })
  }

  @Test("A comparison shows one table per device and memory size")
  func comparison() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let result = try program.run("compare a.csv --memory 512MiB,1GiB --csv out")
    #expect(result.status == 0)
    // One decision decides both: all policies come to the same; in 1 GiB there is none at all.
    #expect(
      result.output.contains("iphone-4 with 512 MiB: 1 user, 1 trace. Here all 5 policies come to"))
    #expect(
      result.output.contains("iphone-4 with 1 GiB: 1 user, 1 trace. Memory never got short, and"))
    let rows = try program.text("out/comparison.csv").split(separator: "\n")
    #expect(rows[0].hasPrefix("device,memory_bytes,metric,part,policy,baseline,users,"))
    #expect(
      rows.contains { $0.hasPrefix("iphone-4,536870912,relaunch_wait_seconds,short,size,lru,1,") })
  }

  @Test("Ten users or more have an interval")
  func interval() throws {
    let program = try Program()
    try program.run("generate --users 12 --days 4 -o traces --quiet")
    let result = try program.run(
      "compare traces --policies lru,mru --footprints declared -q", columns: 120)
    #expect(result.output.contains("12 users, 12 traces"))
    #expect(result.output.contains(" to "), "\(result.output)")
    #expect(!result.output.contains("room: 95 % interval"), "\(result.output)")
  }

  @Test("--fail-if ends with 2 after the results, and says why")
  func gates() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let met = try program.run(
      ["replay", "a.csv", "--fail-if", "foreground_kills>0", "--fail-if", "purges >= 2"])
    #expect(met.status == 2)
    #expect(met.output.contains("losses noticed"))
    #expect(
      met.error.contains("a, lru, iphone-4, seed 1: purges is 2, which meets 'purges>=2'"))
    #expect(!met.error.contains("foreground_kills"))
    #expect(try program.run(["replay", "a.csv", "--fail-if", "purges>2"]).status == 0)
  }

  @Test("A full disk is 74, and no report takes its place")
  func fullDisk() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let full = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
    for line in ["replay a.csv", "compare a.csv", "check a.csv", "convert a.csv -", "policies"] {
      let result = try program.run(line, output: full)
      #expect(result.status == 74, "\(line): \(result.error)")
      #expect(
        result.error.lowercased().contains("no space left on device"), "\(line): \(result.error)")
    }
    #expect(try program.run("convert a.csv /dev/full").status == 74)
  }

  @Test("A closed pipe ends quietly")
  func closedPipe() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    for line in ["replay a.csv -q", "convert a.csv - -q", "policies", "check a.csv"] {
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      let result = try program.run(line, output: pipe.fileHandleForWriting)
      #expect(result.status == 0, "\(line)")
      #expect(result.error == "", "\(line)")
    }
  }

  @Test("A malformed trace leaves earlier reports as they were")
  func nothingLost() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.run("replay a.csv --csv out")
    let before = try program.text("out/summary.csv")
    try program.write(example + "80000000000,com.example.notes,launch,,,\n", to: "bad.csv")
    let result = try program.run("replay bad.csv --csv out")
    #expect(result.status == 65)
    #expect(result.error.contains("bad.csv:16: column 'event': a row after 'end'"))
    #expect(try program.text("out/summary.csv") == before)
    #expect(try program.names(in: "out").count == 5)
  }
}
