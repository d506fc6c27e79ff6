import Foundation
import JettisonTestSupport
import Testing

@Suite("Policies of one's own on the command line")
struct OwnPolicyTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.write(example, to: "example.csv")
    try program.write(
      """
      name: drafts-last
      order:
        - unsaved_work > 0
        - idle_time desc

      """, to: "own.yaml")
    try program.write(
      """
      import json, sys
      for line in sys.stdin:
          apps = [app["app"] for app in json.loads(line)["candidates"]]
          print(json.dumps({"order": apps}), flush=True)
      """, to: "order.py")
  }

  @Test("A policy that fails is marked with its reason, and the others go on")
  func failure() throws {
    let policies = [
      "lru", "own.yaml", "own.yaml+saved", "program:command=python3 order.py",
      "program:command=python3 -c exit(3)", "program:command=sleep 60,timeout=300ms",
    ]
    let result = try program.run(
      [
        "compare", "example.csv", "--policies", policies.joined(separator: ","), "--csv",
        "reports",
      ], columns: 120)
    #expect(result.status == 1)
    let lines = result.output.split(separator: "\n")
    let rows = lines.drop { !$0.hasPrefix("lru (baseline)") }.prefix(3).map { line in
      line.split(separator: "  ", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(
      rows.map(\.first) == [
        "lru (baseline)", "program:command=python3 -c exit(3)",
        "program:command=sleep 60,timeout=300ms",
      ])
    let isMarked = rows.map { $0.last?.hasPrefix("failed") ?? false }
    #expect(isMarked == [false, true, true])
    #expect(
      result.output.contains(
        "lru = drafts-last = drafts-last+saved = program:command=python3 order.py.\n"))
    let died = "the program ended with status 3 before it answered decision 1"
    let hung = "the program gave no answer to decision 1 within 300 ms"
    for reason in [died, hung] {
      #expect(result.output.contains(reason))
      #expect(result.error.contains(reason))
      #expect(try program.text("reports/runs.csv").contains(reason))
    }
    #expect(try program.text("reports/summary.csv").contains(",drafts-last+saved,"))
  }

  @Test("A reason that ends several runs is said once")
  func repetition() throws {
    try program.write(example, to: "again.csv")
    let result = try program.run([
      "compare", "example.csv", "again.csv", "--policies", "lru,program:command=./nothing",
      "--quiet",
    ])
    #expect(result.status == 1)
    #expect(
      result.error == "jettison: example, program:command=./nothing, iphone-4, seed 1: policy "
        + "'program:command=./nothing': the program './nothing' cannot be started: No such file or "
        + "directory (and in 1 more run)\n")
  }

  @Test("A policy file is explained, replayed, and shown in a decision")
  func file() throws {
    let described = try program.run("policies own.yaml")
    #expect(described.status == 0)
    #expect(
      described.output.hasPrefix(
        "drafts-last: Orders apps by 'unsaved_work > 0', then 'idle_time desc'.\n"))
    #expect(described.output.contains("\nidle_time           time  "))
    let replayed = try program.run("replay example.csv --policy own.yaml")
    #expect(replayed.status == 0)
    let explained = try program.run("explain example.csv --policy own.yaml")
    #expect(explained.status == 0)
    #expect(explained.output.contains("the first key decides"))
    let listed = try program.run("policies")
    #expect(listed.output.contains("\n  program "))
    #expect(try program.run("policies program").output.contains("\n  timeout=5s "))
  }

  @Test("Modifiers that a policy file names are shown, and checked where they stand")
  func modifiers() throws {
    try program.write("name: mine\norder: idle_time desc\nmodifiers: [saved]\n", to: "mine.yaml")
    let page = try program.run("policies mine.yaml")
    #expect(page.output.contains("+saved, always"), "\(page.output)")
    try program.write(
      "name: mine\norder: idle_time desc\nmodifiers: [saved, saved]\n", to: "twice.yaml")
    let twice = try program.run("policies twice.yaml")
    #expect(twice.status == 65)
    #expect(twice.error.hasPrefix("jettison: twice.yaml:3:20: "), "\(twice.error)")
    try program.write("\u{FEFF}name: bom\norder: idle_time desc\n", to: "bom.yaml")
    #expect(try program.run("policies bom.yaml").status == 0)
  }

  @Test("A policy that fails stops neither the canary of others nor what savings know")
  func failures() throws {
    try program.write("name: nan\norder: log(-1)\n", to: "nan.yaml")
    let canary = try program.run(
      "canary --device iphone-4 --policies lru,nan.yaml --csv out --html out.html")
    #expect(canary.status == 1)
    #expect(canary.output.contains("lru"))
    #expect(canary.error.contains("jettison: canary, nan, iphone-4, seed 1: "), "\(canary.error)")
    #expect(try program.text("out/canary.csv").contains(",lru,"))
    #expect(try program.text("out/runs.csv").contains(",nan,"))
    #expect(try program.text("out.html").contains("On iphone-4 with 512 MiB under lru"))
    let savings = try program.run(
      "savings example.csv --app com.example.notes --policy nan.yaml -q")
    #expect(savings.status == 1)
    #expect(savings.output.contains("Every run failed."), "\(savings.output)")
    #expect(!savings.output.contains("loses"))
  }

  @Test("What is wrong with a policy has a status and a sentence")
  func mistakes() throws {
    try program.write("name: bad\norder:\n  - age + footprint\n", to: "bad.yaml")
    try program.write("name: lru\norder: age\n", to: "taken.yaml")
    let deep = String(repeating: "(", count: 1000) + "1" + String(repeating: ")", count: 1000)
    try program.write("name: deep\norder:\n  - \(deep)\n", to: "deep.yaml")
    for (policy, status, sentence) in [
      (
        "bad.yaml", 65,
        "jettison: bad.yaml:3:9: '+' cannot join time and bytes (divide each by a unit: "
          + "idle_time / 1s)\n    - age + footprint\n          ^\n"
      ),
      ("deep.yaml", 65, "jettison: deep.yaml:3:69: an expression nested deeper than 64 levels"),
      ("taken.yaml", 65, "jettison: taken.yaml:1:7: the name 'lru' is taken by a policy"),
      ("nowhere.yaml", 66, "jettison: nowhere.yaml: cannot be read: No such file or directory"),
      ("own.yaml:a=1", 64, "jettison: --policy: unknown parameter of policy 'drafts-last' 'a'"),
      (
        "program", 64, "jettison: --policy: policy 'program' cannot be used: write program:command="
      ),
      (".", 64, "jettison: --policy: unknown policy '.'"),
    ] {
      let result = try program.run(["replay", "example.csv", "--policy", policy])
      #expect(result.status == Int32(status), "\(policy)")
      #expect(result.error.hasPrefix(sentence), "\(result.error)")
    }
  }
}
