import Foundation
import JettisonTestSupport
import Testing

@Suite("Inputs are read from files, directories and standard input")
struct InputTests {
  @Test("Standard input is a trace named stdin")
  func standardInput() throws {
    let program = try Program()
    let replay = try program.run("replay -", input: example)
    #expect(replay.status == 0)
    #expect(replay.output.hasPrefix("stdin (user example) under lru"))
    #expect(try program.run("compare -", input: example).status == 0)
    #expect(try program.run("check -", input: example).output.hasPrefix("<stdin>: well-formed: 6"))
    let damaged = try program.run("replay - --csv out", input: example + "x")
    #expect(damaged.status == 65)
    #expect(damaged.error.hasPrefix("jettison: <stdin>:16: "))
    #expect(try program.names(in: "out") == [], "an error late in a stream leaves no report")
  }

  @Test(
    "What comes through a pipe is called as the file that it becomes",
    arguments: ["-", "/dev/stdin"])
  func pipedInput(input: String) throws {
    let program = try Program()
    let table = "when,what\n1,a\n2,b\n"
    let columns = "--format csv --columns time=when:s,app=what -q"
    func user(_ text: String) -> String? {
      text.split(separator: "\n").first { $0.hasPrefix("# user: ") }.map { String($0.dropFirst(8)) }
    }
    try program.write("People.", to: "people/README.md")
    for name in ["ada", "bob"] {
      let made = try program.run("import \(input) \(columns) -o people/\(name).csv", input: table)
      #expect(made.status == 0, "\(made.error)")
      #expect(user(try program.text("people/\(name).csv")) == name)
    }
    let compared = try program.run("compare people -q --policies lru,size")
    #expect(compared.output.contains("2 users, 2 traces"), "\(compared.output)")
    // Where the output has no name either, the name of the file that it is read from counts.
    let printed = try program.run("import \(input) \(columns)", input: table)
    #expect(printed.status == 0 && user(printed.output) == nil, "\(printed.output)")
    try program.write(printed.output, to: "eve.csv")
    #expect(try program.run("check eve.csv").output.contains("user eve\n"))
    let named = try program.run("import \(input) \(columns) --user me -o x.csv", input: table)
    #expect(named.status == 0)
    #expect(user(try program.text("x.csv")) == "me")
    for words in [["import", input], ["record", "--name", "x"]] {
      let nameless = try program.run(words + ["--user", "", "-o", "nameless.csv"], input: table)
      #expect(nameless.status == 64)
      #expect(nameless.error.hasPrefix("jettison: --user: name '' cannot be used: name the user"))
    }
    // A trace that names nobody goes on naming nobody, or is called as its file.
    let trace = example.split(separator: "\n").filter { !$0.hasPrefix("# user") }
      .map { $0 + "\n" }.joined()
    #expect(try user(program.run("convert \(input) -", input: trace).output) == nil)
    try program.run("convert \(input) kim.jtrace", input: trace)
    #expect(try program.run("check kim.jtrace").output.contains("user kim\n"))
    try program.run("import --merge \(input) -o day.csv -q", input: trace)
    #expect(user(try program.text("day.csv")) == "day")
    #expect(try user(program.run("import --merge \(input)", input: trace).output) == nil)
  }

  @Test("What begins with x- is not copied, and standard error counts it")
  func ownNames() throws {
    let program = try Program()
    try program.write(
      "# jettison-trace: 1\n# x-lab: 7\ntime_ns,app,event,value,id,detail,x-more\n"
        + "0,a,launch,,,,1\n1,a,x-mark,,,,2\n2,a,edit,1,,x-k=1,3\n3,,end,,,,4\n", to: "a.csv")
    for command in ["convert a.csv b.csv", "convert a.csv b.jtrace", "import a.csv -o b.csv"] {
      let result = try program.run(command)
      for issue in [
        "a.csv:2: info: header key 'x-lab' ignored", "a.csv:3: info: column 'x-more' ignored",
        "a.csv:5: info: event 'x-mark' ignored", "a.csv:6: info: detail key that begins with x-",
      ] {
        #expect(result.error.contains("jettison: \(issue)"), "\(command): \(result.error)")
      }
    }
    try program.run("convert b.jtrace c.csv -q")
    for name in ["b.csv", "c.csv"] { #expect(try !program.text(name).contains("x-")) }
    let help = try program.run("convert --help").output.split(separator: "\n").joined(
      separator: " ")
    #expect(help.contains("What begins with x- (columns, events, keys) is in neither"), "\(help)")
  }

  @Test("To compare, a directory stands for its traces, in order of names")
  func directory() throws {
    let program = try Program()
    for name in ["b.csv", "a.csv", "c.jtrace.txt", ".hidden.csv", "README.md"] {
      try program.write(example, to: "traces/\(name)")
    }
    try program.run("convert traces/a.csv traces/c.jtrace -q")
    try program.run("compare traces --policies lru --csv out -q")
    let rows = try program.text("out/summary.csv").split(separator: "\n").dropFirst()
    #expect(rows.map { $0.prefix(2) } == ["a,", "b,", "c,"])
  }

  @Test("A folder of samples is one capture; issues name the files in it")
  func folderOfSamples() throws {
    let program = try Program()
    for number in [2, 10, 11] {
      let table = "times: \(number)\nps-result:\nPID RSS NAME\n1 \(number) a\n"
      try program.write(table + (number > 2 ? "odd\nodd\n" : ""), to: "phone/\(number).txt")
    }
    let result = try program.run("import phone -o phone.csv")
    #expect(result.status == 0, "\(result.error)")
    let places =
      "phone/10.txt:5: error: the line is not a row of the table (4 times; also in lines 6, "
      + "5 of phone/11.txt, 6 of phone/11.txt)"
    #expect(result.error.contains(places), "\(result.error)")
    #expect(try program.run("check phone.csv").status == 0)
    // Lines of the samples are none of a binary trace.
    try program.run("import phone -o phone.jtrace -q")
    let strict = try program.run("convert phone.jtrace x.csv --strict")
    #expect(strict.status == 65)
    #expect(strict.error.hasPrefix("jettison: phone.jtrace: the line is not a row of the table ("))
    try program.write(example, to: "traces/a.csv")
    let refused = try program.run("import traces")
    #expect(refused.status == 64)
    #expect(refused.error == "jettison: traces: is a directory (name a file in it)\n")
  }

  @Test("Text and binary form of a trace replay alike")
  func binary() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.write("", to: "b/README.md")
    try program.run("convert a.csv b/a.jtrace")
    let text = try program.run("replay a.csv -q --csv one --detail events")
    let binary = try program.run("replay b/a.jtrace -q --csv two --detail events")
    #expect(text.output == binary.output)
    for name in try program.names(in: "one") {
      #expect(try program.text("one/\(name)") == program.text("two/\(name)"), "\(name)")
    }
  }

  @Test("Malformed traces are 65 with file, line, column and remedy")
  func malformed() throws {
    let program = try Program()
    let rows = example.split(separator: "\n", omittingEmptySubsequences: false)
    try program.write(rows.joined(separator: "\n").replacing(",2048,", with: ",2k,"), to: "a.csv")
    let result = try program.run("replay a.csv")
    #expect(result.status == 65)
    #expect(result.error.hasPrefix("jettison: a.csv:11: column 'value': "), "\(result.error)")
    #expect(result.error.hasSuffix(")\n"), "\(result.error)")
    try program.write("not a trace\n", to: "b.csv")
    #expect(try program.run("replay b.csv").status == 65)
    try program.write("", to: "c.csv")
    #expect(try program.run("replay c.csv").error.contains("c.csv: is empty (a trace begins with"))
    try program.write("a.b: {save: {when: [soon]}}\n", to: "catalog.yaml")
    try program.write(example, to: "d.csv")
    let catalog = try program.run("replay d.csv --catalog catalog.yaml")
    #expect(catalog.status == 65)
    #expect(catalog.error.hasPrefix("jettison: catalog.yaml:1:"), "\(catalog.error)")
  }

  @Test("check goes on after a malformed trace and ends with 65")
  func checkSeveral() throws {
    let program = try Program()
    try program.write(example, to: "good.csv")
    try program.write(example.replacing("edit,2048", with: "edit,-1"), to: "bad.csv")
    let result = try program.run("check bad.csv good.csv none.csv")
    #expect(result.status == 65)
    #expect(result.error.contains("bad.csv:11: "))
    #expect(result.error.contains("none.csv: cannot be read"))
    #expect(result.output.contains("good.csv: well-formed: 6 events, 2 apps, 1 min 10 s"))
    #expect(result.output.contains("provides: 3 launch, 1 footprint, 1 edit, 1 end"))
  }

  @Test("check lists issues with lines and settings that never act")
  func checkIssues() throws {
    let program = try Program()
    let extra = """
      # apps:
      #   com.example.gone: {category: notes}
      """
    var text = example.replacing("# apps:", with: extra)
    text = text.replacing("70000000000,,end,,,reason=complete\n", with: "")
    try program.write(text, to: "a.csv")
    let result = try program.run("check a.csv")
    #expect(result.status == 0)
    #expect(result.output.contains("info: "), "\(result.output)")
    #expect(result.output.contains("idle: catalog: 'com.example.gone' is not in the trace"))
  }

  @Test("A device file has the keys of the table; mistakes are 65 with their line")
  func deviceFile() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let shown = try program.run("devices iphone-4").output
    try program.write(shown, to: "phone.yaml")
    let table = try program.run("replay a.csv --device iphone-4 -q")
    let file = try program.run("replay a.csv --device phone.yaml -q")
    #expect(file.status == 0)
    #expect(file.output == table.output)
    for (text, sentence) in [
      ("ram: 1GiB\nrams: 2GiB\n", "d.yaml:2:1: unknown setting 'rams' (did you mean 'ram'?)"),
      (
        "ram: 1GiB\nthresholds: {purge: 20%}\n",
        "d.yaml:2:21: thresholds.until '12%' cannot be used"
      ),
      (
        "ram: 1GiB\nreserve: 2GiB\n",
        "d.yaml:2:10: memory '1GiB' cannot be used: the system of"
      ),
      ("ram: lots\n", "d.yaml:1:6: ram 'lots' cannot be used: write a size such as 512MiB"),
      ("name: x\n", "d.yaml: key 'ram' is missing (write 'ram: 1GiB')"),
      ("ram: 1GiB\ndecay: 1s\n", "d.yaml:2:1: unknown setting 'decay'"),
      (
        "ram: 1GiB\nlock: sometimes\n",
        "d.yaml:2:7: lock 'sometimes' cannot be used: write inactive or background"
      ),
      ("ram: 1GiB\nlock:\n", "d.yaml:2:6: lock '' cannot be used: write inactive or background"),
      (
        "ram: 1GiB\nlocks: inactive\n", "d.yaml:2:1: unknown setting 'locks' (did you mean 'lock'?)"
      ),
      (
        "ram: 1GiB\nmultitasking: perhaps\n",
        "d.yaml:2:15: multitasking 'perhaps' cannot be used: write on or off"
      ),
      ("ram: 1GiB\napi-level: ten\n", "d.yaml:2:12: api-level 'ten' cannot be used: write the API"),
      ("- ram\n", "d.yaml:1:1: is not a mapping"),
    ] {
      try program.write(text, to: "d.yaml")
      let result = try program.run("replay a.csv --device d.yaml")
      #expect(result.status == 65, "\(text)")
      #expect(result.error.hasPrefix("jettison: \(sentence)"), "\(result.error)")
    }
  }

  @Test("An experiment file gives the same bytes as the options it stands for")
  func experimentFile() throws {
    let program = try Program()
    try program.write(example, to: "exp/traces/a.csv")
    try program.write(
      """
      traces: [traces]
      policies: [lru, "gdsf:cost=1"]
      device: [iphone-4, ipad-1]
      memory: [512MiB, 1GiB]
      set: {decay: [1s, 5s], lambda: 2}
      seeds: 2
      baseline: gdsf:cost=1
      """, to: "exp/e.yaml")
    let file = try program.run("compare exp/e.yaml --csv one -q")
    #expect(file.status == 0, "\(file.error)")
    let options = try program.run(
      "compare exp/traces --policies lru,gdsf:cost=1 --device iphone-4,ipad-1 "
        + "--memory 512MiB,1GiB --set decay=1s,5s --set lambda=2 --seeds 2 "
        + "--baseline gdsf:cost=1 --csv two -q")
    #expect(options.output == file.output)
    for name in try program.names(in: "one") {
      #expect(try program.text("one/\(name)") == program.text("two/\(name)"), "\(name)")
    }
    let runs = try program.text("one/runs.csv").split(separator: "\n").dropFirst()
    #expect(runs.count == 2 * 2 * 2 * 2 * 2)
    #expect(runs.contains { $0.contains("iphone-4:decay=1s") })
    let won = try program.run("compare exp/e.yaml --memory 2GiB -q")
    #expect(won.output.contains("with 2 GiB"))
    #expect(!won.output.contains("with 512 MiB"), "an option wins over the file")
  }

  @Test("Settings of an experiment file stand beside those of options, scores beside the file")
  func experimentParts() throws {
    let program = try Program()
    try program.write(example, to: "x/a.csv")
    try program.write("episode,app,score\n0,com.example.notes,1\n", to: "x/scores.csv")
    try program.write(
      """
      traces: [a.csv]
      policies: [lru, "scores:file=scores.csv", "scores:order=desc,file=scores.csv"]
      seeds: 1
      pressure: thresholds
      set: {suspension-delay: 3s, thresholds.purge: 6%}

      """, to: "x/e.yaml")
    let result = try program.run("compare x/e.yaml --set thresholds.purge=7% --csv out -q")
    #expect(result.status == 0, "\(result.error)")
    let lines = try program.text("out/runs.csv").split(separator: "\n")
    let names = lines[0].split(separator: ",", omittingEmptySubsequences: false)
    let values = lines[1].split(separator: ",", omittingEmptySubsequences: false)
    let delay = try #require(names.firstIndex { $0.hasPrefix("suspension_delay") })
    #expect(values[delay] == "3")
    #expect(lines[1].contains("7"))
  }

  @Test("Mistakes in an experiment file are 65 with their line")
  func experimentMistakes() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    for (text, sentence) in [
      ("traces: a.csv\npolices: [lru]\n", "e.yaml:2:1: unknown key 'polices' (did you mean"),
      ("traces: a.csv\npolicies: [lur]\n", "e.yaml:2:1: key 'policies': unknown policy 'lur'"),
      ("traces: a.csv\nmemory: 100MiB\n", "e.yaml:2:1: key 'memory': memory '100MiB' cannot"),
      ("traces: a.csv\nseed: [1, 2]\n", "e.yaml:2:1: key 'seed' needs one value"),
      ("policies: lru\n", "e.yaml: names no traces (write 'traces: [a.csv]')"),
      ("", "e.yaml: is empty"),
    ] {
      try program.write(text, to: "e.yaml")
      let result = try program.run("compare e.yaml")
      #expect(result.status == 65, "\(text): \(result.error)")
      #expect(result.error.hasPrefix("jettison: \(sentence)"), "\(result.error)")
    }
  }
}
