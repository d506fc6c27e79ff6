import Foundation
import JettisonTestSupport
import Testing

@Suite("Every command does its work")
struct CommandTests {
  @Test("explain shows the arithmetic, the candidates and the price of a purge")
  func explain() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let result = try program.run("explain a.csv --purge 1 -q")
    #expect(result.status == 0)
    #expect(result.error == "")
    let text = result.output
    #expect(text.hasPrefix("Decision 1 at 20 s (20000000000 ns): a under lru on iphone-4\n"))
    // 512 MiB − 161 MiB − (60002304 + 300003328) bytes, counted in arena pages.
    #expect(text.contains("8044544 B"))
    #expect(text.contains("168820736 B"))
    #expect(text.contains("Then available: 8044544 + 60002304 = 68046848 B, 12.7 % of RAM"))
    #expect(
      text.contains("com.example.notes lost 4 s of work (2 KiB): terminate-only; noticed: yes"))
    #expect(text.contains("com.example.notes was opened again 40 s later, at 1 min"))
    #expect(try program.run("explain a.csv -q").output == text, "the first purge by default")
    #expect(try program.run("explain a.csv --at 20s -q").output == text)
    #expect(try program.run("explain a.csv --at 20000000000 -q").output == text)
    let early = try program.run("explain a.csv --at 1s -q").output
    let remark = "Nothing was decided at 1 s: this is the next decision, 19 s later.\n"
    #expect(early.replacing(remark, with: "") == text, "else the next")
    #expect(early.contains(remark))
    let last = try program.run("explain a.csv --purge 2 -q").output
    #expect(last.hasPrefix("Decision 2 at 1 min 1 s"))
    let late = try program.run("explain a.csv --at 2h30m -q").output
    #expect(
      late.replacing(
        "Nothing was decided at 2 h 30 min: this is the last decision, 2 h 29 min before.\n",
        with: "") == last, "else the last before")
    #expect(late != last)
    #expect(try program.run("explain a.csv --decision 2 -q").output == last)
  }

  @Test("inspect says where figures come from")
  func inspect() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let result = try program.run("inspect a.csv", columns: 120)
    #expect(result.status == 0)
    #expect(result.output.contains("  user      example\n"))
    #expect(result.output.contains("  launches  3\n"))
    #expect(result.output.contains("com.example.game   large-game         1    172 MiB  286 MiB"))
    #expect(result.output.contains("cold-launch                                    2"))
  }

  @Test("convert loses nothing in either direction")
  func convert() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.run("convert a.csv one.csv -q")
    try program.run("convert one.csv two.jtrace -q")
    try program.run("convert two.jtrace three.csv -q")
    #expect(try program.text("one.csv") == program.text("three.csv"))
    let stream = try program.run("convert - - -q", input: try program.text("one.csv"))
    #expect(stream.output == (try program.text("one.csv")))
    #expect(try program.names() == ["a.csv", "one.csv", "three.csv", "two.jtrace"])
  }

  @Test("import turns a table into a trace that replays")
  func importTable() throws {
    let program = try Program()
    try program.write(
      """
      when,package,kind,size
      0,mail,launch,
      5,mail,footprint,50000000
      9,maps,launch,

      """, to: "log.csv")
    let columns = "--columns time=when:s,app=package,event=kind,value=size"
    let result = try program.run("import log.csv \(columns) -o trace.csv")
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output == "")
    #expect(try program.text("trace.csv").contains("5000000000,mail,footprint,50000000,,"))
    #expect(try program.run("replay trace.csv").status == 0)
    let hidden = try program.run("import log.csv \(columns) --anonymize -q")
    #expect(hidden.output.contains("app-001"))
    #expect(!hidden.output.contains("mail"))
  }

  @Test("generate makes the same users on every run, and a user by itself")
  func generate() throws {
    let program = try Program()
    let result = try program.run("generate --users 2 --days 2 --seed 3 -o one")
    #expect(result.status == 0)
    #expect(result.error.contains("jettison generate --users 2 --days 2 --seed 3 -o one"))
    try program.run("generate --users 1 --days 2 --seed 3 -o two -q")
    #expect(try program.names(in: "one") == ["user-000.csv", "user-001.csv"])
    #expect(try program.text("one/user-000.csv") == program.text("two/user-000.csv"))
    #expect(try program.text("one/user-000.csv") != program.text("one/user-001.csv"))
    #expect(try program.run("check one/user-001.csv two/user-000.csv").status == 0)
  }

  @Test("generate takes a population and apps of one's own")
  func ownApps() throws {
    let program = try Program()
    let line =
      "generate --users 1 --days 1 --population today --app a;b:notes:40 --app mine:music:3"
    let result = try program.run("\(line) -o today")
    #expect(result.status == 0, "\(result.error)")
    #expect(result.error.contains("--population today --app 'a;b:notes:40' --app 'mine:music:3'"))
    let text = try program.text("today/today-000.csv")
    #expect(text.contains("{kind: daemon"))
    #expect(text.contains("\"a;b\": {category: notes}"))
    #expect(text.contains(",a%3Bb,launch,,,\n"))
    #expect(try program.run("check today/today-000.csv").status == 0)
    try program.run("generate --users 1 --days 1 --device pixel-6 -o phone -q")
    #expect(try program.names(in: "phone") == ["today-000.csv"])
    try program.run("generate --users 1 --days 1 --device pixel-6 --population 2010 -o old -q")
    #expect(try program.names(in: "old") == ["user-000.csv"])
  }

  @Test("generate refuses before it writes, and damages nothing")
  func refusals() throws {
    let program = try Program()
    try program.run("generate --users 1 --days 1 -o users -q")
    let before = try program.text("users/user-000.csv")
    let long = String(repeating: "x", count: 3000)
    for (options, remedy) in [
      ("--users 100000 --days 3660", "(ask for fewer users or days: at most 120 million are"),
      ("--users 9000 --days 300", "(ask for fewer users or days"),
      ("--users 30000 --days 10 --app mine:notes:500", "(ask for fewer users or days"),
      ("--app mine:notes:501", "launches per day '501' cannot be used: write 0.01 to 500"),
      ("--app mine:note:5", "unknown category 'note' (did you mean 'notes'?)"),
      ("--app \(long)", "app '\(long.prefix(60))…' cannot be used"),
      ("--app mine:notes", "write NAME:CATEGORY:LAUNCHES-PER-DAY"),
      ("--app x:notes:9 --app x:maps:9", "name each app once"),
      ("--app x:notes:300 --app y:maps:300", "at most 500 fit into a day"),
    ] {
      let refused = try program.run("generate \(options) -o users")
      #expect(refused.status == 64, "\(options): \(refused.error)")
      #expect(refused.error.split(separator: "\n").count == 1, "\(refused.error)")
      #expect(refused.error.contains(remedy), "\(refused.error)")
      let elsewhere = try program.run("generate \(options) -o new")
      #expect(elsewhere.status == 64)
    }
    #expect(try program.names(in: "users") == ["user-000.csv"])
    #expect(try program.text("users/user-000.csv") == before)
    #expect(
      !FileManager.default.fileExists(atPath: program.directory.appending(path: "new").path))
    #expect(try program.run("generate -o users/user-000.csv").status == 73)
    #expect(try program.text("users/user-000.csv") == before)
  }

  @Test(
    "An app of one's own may have any name, and the command that is told gives it again",
    arguments: [
      "a,b", "a\"b", "it's", "# x", "null", "x: y", "a\\b", "{a}", "%41", "*x", "a\u{85}b",
    ])
  func ownNames(name: String) throws {
    let program = try Program()
    let result = try program.run([
      "generate", "--users", "1", "--days", "2", "--app", "\(name):notes:40", "-o", "people",
    ])
    #expect(result.status == 0, "\(result.error)")
    // What would move the cursor is shown as a mark of replacement.
    let quoted = name.replacing("'", with: "'\\''").replacing("\u{85}", with: "\u{FFFD}")
    #expect(result.error.contains(" --app '\(quoted):notes:40' -o people"), "\(result.error)")
    #expect(try program.run("check people/user-000.csv").status == 0)
    try program.run("replay people/user-000.csv --footprints declared --csv out -q")
    let shown =
      name.contains { ",\"".contains($0) }
      ? "\"\(name.replacing("\"", with: "\"\""))\"" : name
    #expect(try program.text("out/apps.csv").contains(",\(shown),"))
  }

  @Test("generate leaves files of other names alone, and none of its own half written")
  func besideOthers() throws {
    let program = try Program()
    try program.write("note", to: "people/notes.txt")
    try program.write("old", to: "people/user-000.csv")
    #expect(try program.run("generate --users 1 --days 1 -o people -q").status == 0)
    #expect(try program.names(in: "people") == ["notes.txt", "user-000.csv"])
    #expect(try program.text("people/notes.txt") == "note")
    #expect(try program.text("people/user-000.csv").hasSuffix(",,end,,,reason=complete\n"))
    // Traces of an earlier, larger population are told, with what they mean.
    try program.run("generate --users 3 --days 1 -o people -q")
    let fewer = try program.run("generate --users 1 --days 1 --seed 2 -o people")
    #expect(fewer.status == 0)
    #expect(
      fewer.error.hasSuffix(
        "jettison: note: people holds 2 more traces, such as people/user-001.csv, and commands that "
          + "take the directory read them as well\n"), "\(fewer.error)")
    let again = try program.run("generate --users 3 --days 1 -o people")
    #expect(!again.error.contains("note"), "\(again.error)")
    // A directory where a trace should go.
    try program.write("note", to: "two/user-001.csv/notes.txt")
    let refused = try program.run("generate --users 3 --days 1 -o two")
    #expect(refused.status == 64)
    #expect(refused.error == "jettison: two/user-001.csv: is a directory (name a file in it)\n")
    #expect(try program.names(in: "two") == ["user-001.csv"], "all users or none")
    #expect(try program.names(in: "two/user-001.csv") == ["notes.txt"])
  }

  @Test("Registries are listed and described")
  func registries() throws {
    let program = try Program()
    let list = try program.run("policies").output
    #expect(list.contains("\n  lru  "))
    #expect(list.contains("Parameters: half_life=1d, clock=seconds"))
    #expect(list.contains("\n  +until=15% "))
    #expect(list.split(separator: "\n").allSatisfy { $0.count <= 100 })
    let page = try program.run("policies gdsf:cost=1+saved").output
    #expect(page.contains("  Score: H = L + f * c / s."))
    #expect(page.contains("cost=relaunch     What bringing an app back costs: relaunch or 1."))
    #expect(page.contains("As in: jettison replay trace.csv --policy gdsf:cost=1\n"))
    #expect(page.contains("relaunch or 1.\n                    Here: 1.\n"), "\(page)")
    #expect(page.hasSuffix("Here: Apps with nothing unsaved go before all others (+saved).\n"))
    let plain = try program.run("policies gdsf").output
    #expect(plain.contains("As in: jettison replay trace.csv --policy gdsf:cost=relaunch\n"))
    #expect(!plain.contains("Here:"))
    #expect(try program.run("policies scores").status == 0, "its page tells what it needs")
    #expect(try program.run("devices").output.contains("\niphone-4 "))
    #expect(try program.run("formats").output.contains("\njettison "))
    #expect(
      try program.run("formats jettison").output.contains("may tell  launches, background-launches")
    )
  }

  @Test("A capture of several users becomes traces in a directory, and is compared as it stands")
  func severalUsers() throws {
    let program = try Program()
    try program.write(
      """
      user_id\tsession_id\ttimestamp\tapp_name\tevent_type
      ada\t1\t2018-01-16 06:01:05\tMail\tOpened
      ada\t1\t2018-01-16 06:11:05\tChess\tOpened
      bob\t1\t2018-01-16 06:01:05\tMail\tOpened

      """, to: "log.tsv")
    #expect(try program.run("import log.tsv -o users").status == 0)
    #expect(try program.names(in: "users") == ["log-ada.csv", "log-bob.csv"])
    #expect(try program.run("import log.tsv -o nobody --anonymize").status == 0)
    #expect(try program.names(in: "nobody") == ["log-1.csv", "log-2.csv"])
    #expect(try program.run("import log.tsv -o one.csv").status == 64)
    let refused = try program.run("import log.tsv")
    #expect(refused.status == 64)
    #expect(refused.error.contains("has 2 users"))
    #expect(try program.run("import log.tsv --user bob -o bob.csv").status == 0)
    #expect(try program.text("bob.csv").contains("# user: bob\n"))
    #expect(try program.run("inspect log.tsv").status == 65)
    #expect(try program.run("check log.tsv").output.contains("user bob"))
    let compared = try program.run("compare log.tsv --csv out")
    #expect(compared.status == 0)
    #expect(try program.text("out/summary.csv").contains("log-ada,ada,"))
    #expect(try program.run("compare log.tsv users").status == 64)
  }

  @Test("Captures are merged into one trace")
  func merge() throws {
    let program = try Program()
    try program.write(
      """
      # jettison-trace: 1
      time_ns,app,event,value,id,detail
      0,editor,launch,,,
      5000000000,mail,launch,,,
      9000000000,,end,,,reason=complete

      """, to: "log.csv")
    try program.write("1: malloc 0x10 100\n1: malloc 0x20 100\n", to: "allocations.txt")
    let merged = try program.run("import --merge log.csv editor=allocations.txt -o day.csv")
    #expect(merged.status == 0)
    #expect(try program.text("day.csv").contains("\n1000000,editor,alloc,100,1,\n"))
    #expect(try program.run("check day.csv").status == 0)
    #expect(try program.run("import --merge x=log.csv").status == 64)
    #expect(try program.run("import --merge log.csv missing.txt").status == 66)
  }

  @Test("Help, version and completion are there")
  func help() throws {
    let program = try Program()
    let help = try program.run("--help")
    #expect(help.status == 0)
    for command in [
      "replay", "compare", "import", "convert", "check", "inspect", "explain", "validate",
      "savings", "canary", "generate", "record", "policies", "models", "devices", "formats",
    ] {
      #expect(help.output.contains("\n  \(command) "), "\(command)")
      #expect(try program.run("\(command) --help").status == 0)
    }
    #expect(help.output.contains("66 input missing"))
    #expect(try program.run("--version").output == "0.1.0\n")
  }

  @Test("Shells complete the names of the registries")
  func completion() throws {
    let program = try Program()
    for shell in ["bash", "zsh", "fish"] {
      let script = try program.run("--generate-completion-script \(shell)")
      #expect(script.status == 0)
      for name in [
        "landlord-loss", "linux-oom", "iphone-3gs", "android-lmkd", "android-bugreport",
        "thresholds.purge=", "system_lost_work_noticed_seconds", "footprints",
      ] { #expect(script.output.contains(name), "\(shell): \(name)") }
    }
  }
}
