import Foundation
import JettisonTestSupport
import Testing

@Suite("Android's Memory Limiter on the command line")
struct MemoryLimiterTests {
  private static let limits = "8GiB:1GiB/512MiB/256MiB/128MiB"

  private static let trace = """
    # jettison-trace: 1
    # device: {era: android-lmkd, ram: 8GiB, api-level: 37}
    # apps:
    #   com.example.editor: {footprint: {launch: 100MB}, launch: {cold: 1s, hot: 100ms}}
    time_ns,app,event,value,id,detail
    0,com.example.editor,launch,,,
    5000000000,com.example.editor,edit,2048,,work_ms=4000
    10000000000,com.example.editor,footprint,1500000000,,
    80000000000,,end,,,reason=complete

    """

  @Test("explain says which limits an app had and why it was ended")
  func explain() throws {
    let program = try Program()
    try program.write(Self.trace, to: "a.csv")
    let result = try program.run(
      "explain a.csv --policy android --set android.memory-limiter.limits=\(Self.limits) "
        + "--decision 1 --what-if off -q", columns: 1000)
    try #require(result.status == 0, "\(result.error)")
    #expect(result.output.hasPrefix("Decision 1 at 1 min 10 s (70000000000 ns): a under android"))
    #expect(result.output.contains("Trigger memory-limiter, level normal"))
    #expect(
      result.output.contains(
        "beside lmkd the Memory Limiter lets a visible app hold 1 GiB and swap 256 MiB, another "
          + "that is not cached 512 MiB and swap 128 MiB."))
    #expect(
      result.output.contains(
        "Above its limit the app was polled every 30 s; the poll 30 s before this decision found "
          + "that it held more than its limits of memory and swap together."))
    #expect(
      result.output.contains(
        "com.example.editor lost 4 s of work (2 KiB): killed-running; noticed: yes"))
  }

  @Test("models lists its settings under lmkd only")
  func models() throws {
    let program = try Program()
    let keys = ["on", "min-ram", "limits", "poll", "grace", "raise", "margin"]
      .map { "android.memory-limiter.\($0) " }
    let daemon = try program.run("models android-lmkd").output
    #expect(keys.allSatisfy(daemon.contains))
    #expect(daemon.contains("Memory Limiter"))
    let driver = try program.run("models android-lmk").output
    #expect(!driver.contains("memory-limiter"))
  }

  @Test("A device file holds its settings, and devices writes them as they are read")
  func deviceFile() throws {
    let program = try Program()
    let settings = """
        memory-limiter.on: on
        memory-limiter.min-ram: 1MiB
        memory-limiter.limits: 8192MiB:1024MiB/512MiB/256MiB/0+0:1/2/3/4
        memory-limiter.poll: 10s
        memory-limiter.grace: 0s
        memory-limiter.raise: 1KiB
        memory-limiter.margin: 0
      """
    try program.write("ram: 4GiB\nera: android-lmkd\nandroid:\n\(settings)\n", to: "phone.yaml")
    let shown = try program.run("devices phone.yaml")
    try #require(shown.status == 0, "\(shown.error)")
    #expect(shown.output.contains("\n\(settings)\n"))
    try program.write(shown.output, to: "again.yaml")
    let again = try program.run("devices again.yaml").output
    #expect(
      again.split(separator: "\n").dropFirst() == shown.output.split(separator: "\n").dropFirst())
    #expect(try program.run("devices pixel-6").output.contains("\n  memory-limiter.limits: auto\n"))
  }

  @Test(
    "Limits that are none are refused",
    arguments: [
      "", "8GiB", "8GiB:1/2/3", "8GiB:1/2/3/4/5", "8GiB:1/2/3/x", "1/2/3/4", "8GiB:1/2/3/4+",
    ])
  func refused(text: String) throws {
    let program = try Program()
    try program.write(Self.trace, to: "a.csv")
    let result = try program.run("replay a.csv --set android.memory-limiter.limits=\(text)")
    #expect(result.status == 64)
    #expect(result.error.contains("such as 10GiB:6GiB/3GiB/3GiB/3GiB"))
  }
}
