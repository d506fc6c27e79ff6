import Foundation
import JettisonTestSupport
import Testing

@Suite("Options reach the model")
struct ModelTests {
  /// One column of summary.csv, by row.
  private func column(
    _ name: String, of line: String, _ program: Program
  ) throws -> [String] {
    let result = try program.run("\(line) --csv out -q")
    try #require(result.status == 0, "\(result.error)")
    for file in ["summary.csv", "runs.csv"] {
      let rows = try program.text("out/\(file)").split(separator: "\n")
        .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      if let place = rows[0].firstIndex(of: Substring(name)) {
        return rows.dropFirst().map { String($0[place]) }
      }
    }
    return []
  }

  @Test("The device is the option's, else the header's, else iphone-4; an unknown one is an error")
  func devices() throws {
    let program = try Program()
    try program.write(example.replacing("iphone-4", with: "ipad-1"), to: "header.csv")
    try program.write(example.replacing("# device: iphone-4\n", with: ""), to: "none.csv")
    try program.write(example.replacing("iphone-4", with: "SM-G960F"), to: "other.csv")
    #expect(try column("device", of: "replay header.csv", program) == ["ipad-1"])
    #expect(
      try column("device", of: "replay header.csv --device iphone-3g", program) == ["iphone-3g"])
    let none = try program.run("replay none.csv")
    #expect(
      none.error.contains(
        "note: none.csv: the trace names no device: 'iphone-4' serves (choose with --device)"))
    let other = try program.run("replay other.csv")
    #expect(other.status == 65)
    #expect(
      other.error
        == "jettison: other.csv:2: the device 'SM-G960F' is not in the device table (choose one "
        + "with --device; 'jettison devices' lists them)\n")
    #expect(try column("device", of: "replay other.csv --device ipad-1", program) == ["ipad-1"])
  }

  @Test("A device runs the pressure model of its era, unless --pressure names another")
  func models() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    #expect(
      try column("pressure", of: "replay a.csv --device nokia-1", program) == ["android-lmkd"])
    #expect(try column("pressure", of: "replay a.csv --pressure ios-12", program) == ["ios-12"])
    #expect(try column("pressure", of: "replay a.csv", program) == ["ios-4"])
  }

  @Test(
    "A duration longer than any trace is read, and a size beyond any device refused",
    arguments: [
      "suspension-delay", "warning.purge-delay", "budgets.handler", "budgets.task",
      "budgets.background-launch", "decay",
    ])
  func absurdSettings(key: String) throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let long = try program.run("replay a.csv --set \(key)=9223372036854775807ns")
    #expect(long.status == 0, "\(long.error)")
    let large = try program.run("replay a.csv --set ram=9223372036854775807")
    #expect(large.status == 64)
    #expect(large.error.contains("a size such as 512MiB"))
  }

  @Test("--memory is RAM: the reserve keeps its bytes, a limit its share")
  func memory() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let line = "replay a.csv --device iphone-5s --memory 2GiB"
    #expect(try column("memory_bytes", of: line, program) == ["2147483648"])
    // iphone-5s: 1024 MiB of RAM, a limit of 646 MiB, 27 % reserved.
    #expect(try column("limit_bytes", of: line, program) == ["\(2 * 646 << 20)"])
    #expect(try column("reserve_bytes", of: line, program) == ["\(276 << 20)"])
  }

  @Test("--capacity counts apps on ideal-cache")
  func capacity() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let line = "replay a.csv --capacity 1apps,2apps"
    #expect(try column("device", of: line, program) == ["ideal-cache", "ideal-cache"])
    #expect(try column("memory_bytes", of: line, program) == ["1", "2"])
    // Three launches of two apps in turn: one of two slots keeps the third a hit.
    #expect(try column("cold_launches", of: line, program) == ["3", "2"])
    let large = try program.run("replay a.csv --device ideal-cache --memory 170MB")
    #expect(large.status == 65)
    #expect(large.error.contains("app 'com.example.game' needs "))
  }

  @Test("Under ios-4 thresholds.purge is the high-water percentage, thresholds.critical the other")
  func ios4Thresholds() throws {
    let program = try Program()
    // 256 MiB for apps of 512 MiB: A of 100 MiB and B of 110 MiB leave 46 MiB, 9.0 %.
    let text = """
      # jettison-trace: 1
      # apps:
      #   a: {footprint: {launch: 100MiB}, limit: {soft: 50MiB}}
      #   b: {footprint: {launch: 110MiB}}
      time_ns,app,event,value,id,detail
      0,a,launch,,,
      10000000000,b,launch,,,
      60000000000,,end,,,

      """
    try program.write(text, to: "a.csv")
    let line = "a.csv --device iphone-4 --set reserve=256MiB"
    let high = "replay \(line) --set thresholds.purge=8%,9%,20% --csv out"
    let result = try program.run(high)
    // Only the lowest threshold is never reached; none of the settings is said to do nothing.
    #expect(result.error.contains("thresholds.purge=8%' with 512 MiB made a decision"))
    #expect(!result.error.contains("does nothing"), "\(result.error)")
    #expect(try column("background_kills", of: high, program) == ["0", "1", "1"])
    let rows = try program.text("out/runs.csv").split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let place = try #require(rows[0].firstIndex(of: "purge_percent"))
    #expect(rows.dropFirst().map { $0[place] } == ["8", "9", "20"])
    try program.write(text.replacing(", limit: {soft: 50MiB}", with: ""), to: "a.csv")
    let low = "replay \(line) --set thresholds.critical=8%,9%"
    #expect(try column("purges", of: low, program) == ["0", "1"])
  }

  @Test("Settings are swept, and those that never act are reported")
  func settings() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let line = "replay a.csv --pressure thresholds --set thresholds.purge=0%,12%"
    #expect(
      try column("device", of: line, program) == [
        "iphone-4:thresholds.purge=0%", "iphone-4:thresholds.purge=12%",
      ])
    #expect(try column("purges", of: line, program) == ["0", "2"])
    let idle = try program.run("replay a.csv --set thresholds.until=14%")
    #expect(idle.error.contains("--set thresholds.until=14% does nothing under the pressure model"))
    let never = try program.run("replay a.csv --memory 170MiB --pressure thresholds")
    #expect(never.error.contains("thresholds.warn is 15.0 % of RAM, but with the reserve never"))
  }

  @Test("Pinned apps and the warm-up leave their marks")
  func pinsAndWarmUp() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    #expect(try column("loss_events", of: "replay a.csv", program) == ["1"])
    #expect(
      try column("loss_events", of: "replay a.csv --pin com.example.notes", program) == ["0"])
    #expect(try column("launches", of: "replay a.csv --warm-up 30s", program) == ["1"])
    let late = try program.run("replay a.csv --warm-up 24h")
    #expect(late.error.contains("a.csv: the trace ends within the warm-up, so nothing of it"))
  }

  @Test("Noise is drawn around built-in figures only")
  func noise() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    let line = "replay a.csv --seeds 4 --noise"
    #expect(Set(try column("relaunch_wait_seconds", of: "\(line) off", program)).count == 1)
    #expect(Set(try column("relaunch_wait_seconds", of: "\(line) on", program)).count == 4)
    // The launch footprints are written in the trace's catalog, so they are exact.
    #expect(Set(try column("purged_bytes", of: "\(line) on", program)).count == 1)
    let exact = example.replacing(
      "category: notes,", with: "launch: {cold: 1s, warm: 1s, hot: 0s},"
    )
    .replacing("category: large-game,", with: "launch: {cold: 1s, warm: 1s, hot: 0s},")
    try program.write(exact, to: "a.csv")
    #expect(Set(try column("relaunch_wait_seconds", of: "\(line) on", program)) == ["1"])
  }
}
