import JettisonTestSupport
import Testing

@Suite("What policies are given is checked, and told back")
struct PolicyInputTests {
  private static let mistakes: [Mistake] = [
    Mistake(
      "replay a.csv --policy aosp-rank:rerank=1.5", 64,
      "parameter 'rerank' '1.5' cannot be used: write a whole number from 0 to 1000000"),
    Mistake(
      "replay a.csv --policy chimera-like:top=-1", 64,
      "parameter 'top' '-1' cannot be used: write a whole number from 0 to 1000000"),
    Mistake(
      "replay a.csv --policy landlord-loss:lambda=-1", 64,
      "parameter 'lambda' '-1' cannot be used: write a number of at least 0\n"),
    Mistake(
      "replay a.csv --policy mdp-return:horizon=1", 64,
      "parameter 'horizon' '1' cannot be used: write a number from 2 to 1000000\n"),
    Mistake(
      "replay a.csv --policy s3fifo:small=100%", 64,
      "parameter 'small' '100%' cannot be used: write a share such as 10%, above 0 and below 100%"),
    Mistake(
      "replay a.csv --policy empty.yaml", 65,
      "empty.yaml:2:7: an expression that is empty (write one such as 'idle_time desc')"),
    Mistake(
      "compare none.yaml", 65,
      "none.yaml:2:1: key 'policies' names no policy (write 'policies: [lru]')"),
    Mistake(
      "replay a.csv --catalog adj.yaml", 65,
      "adj.yaml:1:26: '2000' does not fit 'adj' (write a number from -1000 to 1000)"),
  ]

  @Test("Every mistake has a status and a sentence", arguments: mistakes)
  private func mistake(_ mistake: Mistake) throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.write("name: mine\norder:\n", to: "empty.yaml")
    try program.write("traces: [a.csv]\npolicies: []\n", to: "none.yaml")
    try program.write("com.example.notes: {adj: 2000}\n", to: "adj.yaml")
    let result = try program.run(mistake.line)
    #expect(result.status == mistake.status)
    #expect(result.error.contains(mistake.sentence), "\(result.error)")
  }

  @Test("Devices are written down in the units in which people set them")
  func units() throws {
    let program = try Program()
    let phone = try program.run("devices iphone-12").output
    #expect(phone.contains("\n  reaper-age: 300s\n"))
    #expect(phone.contains("\n  warning-spacing: 250ms\n"))
    #expect(phone.contains("\n  freezer-minimum: 8MiB\n"))
    let android = try program.run("devices nokia-1").output
    #expect(android.contains("\n  read-time: 100us\n"))
  }

  @Test("explain shows the thresholds in force, and what its own killer reads")
  func thresholds() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let jetsam = try program.run("explain a.csv --pressure ios-14 --what-if off -q").output
    // 5 % of 131,072 pages are 6,553 whole ones; two, three and four times that for the others.
    let text = jetsam.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      text.contains("jetsam.critical 26841088 B (5 %), jetsam.idle 53682176 B (10 %),"), "\(text)")
    #expect(!text.contains("jetsam.critical=auto"))
    let linux = try program.run("explain a.csv --pressure linux-oom --memory 400MiB -q").output
    #expect(linux.contains("oom.kill-allocating-task=off"))
    #expect(!linux.contains("earlyoom."))
  }
}
