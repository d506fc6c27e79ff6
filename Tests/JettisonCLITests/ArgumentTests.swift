import Foundation
import JettisonTestSupport
import Testing

@Suite("Words of a command line mean what they say")
struct ArgumentTests {
  @Test("An option that may be repeated may be repeated very often")
  func manyOptions() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let pins = Array(repeating: ["--pin", "com.example.game"], count: 20_000).flatMap { $0 }
    let start = ContinuousClock.now
    let often = try program.run(["replay", "a.csv", "-q"] + pins)
    let taken = ContinuousClock.now - start
    #expect(often.status == 0, "\(often.error)")
    // Minutes, if the effort grew with the square.
    #expect(taken < .seconds(30), "\(taken)")
    let once = try program.run("replay a.csv -q --pin com.example.game")
    #expect(often.output == once.output)
  }

  @Test("What is on or off is written as a flag, or with its value")
  func switches() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    func noise(_ words: String) throws -> [String?] {
      let run = try program.run("replay a.csv -q --csv out \(words)")
      #expect(run.status == 0, "\(run.error)")
      return Report.rows(try program.text("out/runs.csv")).map { $0["noise"] }
    }
    #expect(try noise("--noise") == noise("--noise on"))
    #expect(try noise("--noise --seed 2") == noise("--noise=on --seed 2"))
    #expect(try noise("--no-noise") == noise("--noise off"))
    #expect(try noise("--no-noise") == noise(""))
    #expect(try noise("--noise") != noise(""))
  }

  @Test("Many words are read as few are")
  func order() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let filler = Array(repeating: "--quiet", count: 70)
    let mixed = [
      "compare", "--policies", "lru", "--set", "decay=1s,5s", "a.csv", "--memory=512MiB", "--pin",
      "com.example.game", "--policies=size", "--memory", "1GiB", "--set", "lock=background",
      "--pin=com.example.notes", "--csv", "out",
    ]
    let few = try program.run(mixed + ["-q"])
    let runs = try program.text("out/runs.csv")
    let many = try program.run(mixed + filler)
    #expect(few.status == 0, "\(few.error)")
    #expect(many.status == 0, "\(many.error)")
    #expect(many.output == few.output)
    #expect(try program.text("out/runs.csv") == runs)
    #expect(Report.rows(runs).count == 2 * 2 * 2)
    #expect(Report.rows(runs).allSatisfy { $0["pinned"] == "com.example.game;com.example.notes" })
    // The last of an option that is given once counts, and an unknown app is told by its name.
    let last = try program.run(
      ["explain", "a.csv", "--app", "nobody", "--app", "com.example.notes"] + filler)
    #expect(last.output.contains("ends of com.example.notes"))
    let unknown = try program.run(["replay", "a.csv", "--pin", "no,body"] + filler)
    #expect(unknown.error.hasPrefix("jettison: --pin: unknown app 'no,body'"))
  }

  @Test("A missing value is not another option's name")
  func missingValue() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    for line in ["replay a.csv --memory", "replay a.csv --memory --seed -1"] {
      let result = try program.run(line)
      #expect(result.status == 64)
      #expect(result.error.contains("Missing value for '--memory"), "\(result.error)")
    }
    let flag = try program.run("replay a.csv --quiet -3")
    #expect(flag.status == 64)
    #expect(flag.error.contains("Unknown option '-3'"), "\(flag.error)")
  }

  @Test("Words after '--' are not ours")
  func terminator() throws {
    let program = try Program()
    let result = try program.run(
      ["record", "--interval", "-1s", "--", "printf", "--pin", "-3", "--pin", "-4"])
    #expect(result.error.hasPrefix("jettison: --interval: time '-1s' cannot be used"))
  }

  @Test("An empty name is not a directory", arguments: ["check", "replay", "inspect", "explain"])
  func emptyName(command: String) throws {
    let result = try Program().run([command, ""])
    #expect(result.status == 64)
    #expect(result.error == "jettison: '': names no file (name a trace)\n")
  }

  @Test(
    "Help that cannot be printed is an error",
    arguments: ["--help", "replay --help", "help", "--version", "help replay", ""])
  func fullDevice(line: String) throws {
    guard let full = FileHandle(forWritingAtPath: "/dev/full") else { return }
    let result = try Program().run(line, output: full)
    #expect(result.status == 74)
    #expect(result.error.hasPrefix("jettison: standard output: writing failed: no space left"))
    #expect(try Program().run(line).status == 0)
  }
}
