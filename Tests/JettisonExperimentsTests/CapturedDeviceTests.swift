import Foundation
import JettisonCore
import JettisonImporters
import JettisonReports
import JettisonTestSupport
import JettisonTraces
import Testing

@testable import JettisonExperiments

@Suite("A replay takes the device that a capture describes")
struct CapturedDeviceTests {
  private static func plan(
    _ device: String, rows: String = "", _ given: [(SpecificationText.Key, String)] = []
  ) throws -> RunPlan {
    let text = """
      # jettison-trace: 1
      # device: \(device)
      time_ns,app,event,value,id,detail
      0,a,launch,,,
      \(rows)9,,end,,,reason=complete

      """
    return try withScratchFolder { folder in
      let path = folder.appendingPathComponent("t.csv").path
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      var options = SpecificationText()
      for (key, value) in given { options.add(key, value) }
      let trace = try TraceLoader.load(path, formats: .all)
      return try RunPlanner(options.specification(for: .replay)).plan([
        LoadedTrace(path: "t.csv", trace: trace, catalog: Catalog())
      ])
    }
  }

  /// The names of the devices of traces that describe theirs so, and the notes.
  private static func names(_ devices: [String]) throws -> ([String], [String]) {
    let traces = try devices.enumerated().map { number, device in
      let trace = try TraceText().header("device: \(device)").row(0, "a", "launch").end(9)
        .trace(name: "t\(number)")
      return LoadedTrace(path: "t\(number).csv", trace: trace, catalog: Catalog())
    }
    let plan = try RunPlanner(SpecificationText().specification(for: .replay)).plan(traces)
    return (plan.blocks.map(\.device), plan.notes)
  }

  @Test("Machines that end apps in different ways are not compared as one")
  func machines() throws {
    let (killers, notes) = try Self.names([
      "{ram: 4GiB, era: android-lmkd}", "{ram: 4GiB, era: linux-oom}",
      "{ram: 4GiB, era: android-lmkd}",
    ])
    #expect(killers == ["captured-android-lmkd", "captured-linux-oom"])
    #expect(
      notes.contains(
        "traces describe different machines as 'captured': their names say which killer they have"))
    let (levels, _) = try Self.names([
      "{model: Bird, ram: 1GiB, era: android-lmkd, api-level: 26}",
      "{model: Bird, ram: 1GiB, era: android-lmkd, api-level: 34}",
    ])
    #expect(levels == ["bird-android-lmkd-api26", "bird-android-lmkd-api34"])
    // The one of the table is known by its name alone.
    let (table, _) = try Self.names([
      "iphone-4", "{name: iphone-4, ram: 512MiB, era: ios-14, reserve: 300MiB}",
    ])
    #expect(table == ["iphone-4", "iphone-4-ios-14"])
    let (one, few) = try Self.names([
      "{ram: 4GiB, era: linux-oom}", "{ram: 8GiB, era: linux-oom, lock: background}",
    ])
    #expect(one == ["captured", "captured"])
    #expect(
      few.contains(
        "traces describe 'captured' with different settings, and are compared as one device: give "
          + "each machine a name ('# device: {name: …}')"))
  }

  @Test("Memory, family and model are its own; what the system takes is assumed as in the table")
  func described() throws {
    let plan = try Self.plan(
      "{model: Bird 3 XL, ram: 2000MiB, era: android-lmkd, api-level: 29}")
    let run = plan.runs[0].configuration
    #expect(run.device.name == "bird-3-xl")
    #expect(run.device.model == "Bird 3 XL")
    #expect(run.device.ramBytes == 2000 << 20)
    #expect(run.device.tableRAMBytes == 2000 << 20)
    #expect(run.device.reserveBytes == 480 << 20, "24 %")
    #expect(run.device.apiLevel == 29)
    #expect(run.device.lock == .background)
    #expect(run.device.budgets.taskNanoseconds == 30_000_000_000)
    #expect(run.device.limitBytes == nil)
    #expect(run.pressure == .androidLMKD)
    #expect(
      plan.notes.contains(
        "t.csv: the device is the captured one: Bird 3 XL; 2 GiB of RAM; API level 29; "
          + "android-lmkd; what its system takes is unknown: 480 MiB is assumed "
          + "(`ExperimentSpecification.devices` chooses another)"), "\(plan.notes)")
  }

  @Test("A measured system is not assumed, and unknown memory is that of a usual device")
  func partly() throws {
    let plan = try Self.plan("{era: ios-14}", rows: "1,,system-memory,1000000000,,\n")
    #expect(plan.runs[0].configuration.device.name == "captured")
    #expect(plan.runs[0].configuration.device.ramBytes == 3844 << 20)
    #expect(plan.runs[0].configuration.device.compression != nil)
    #expect(
      plan.notes.contains(
        "t.csv: the device is the captured one: ios-14; its memory is unknown: that of "
          + "'iphone-11' serves (`ExperimentSpecification.memoryBytes` says another) "
          + "(`ExperimentSpecification.devices` chooses another)"),
      "\(plan.notes)")
    let larger = try Self.plan("{era: ios-14}", [(.memory, "6GiB")])
    #expect(larger.runs[0].configuration.device.ramBytes == 6 << 30)
  }

  @Test("--device wins, a mapping without memory and era is refused with its line")
  func refused() throws {
    let plan = try Self.plan("{era: ios-14}", [(.device, "iphone-4")])
    #expect(plan.runs[0].configuration.device.name == "iphone-4")
    #expect(!plan.notes.contains { $0.contains("captured one") })
    #expect {
      try Self.plan("{model: Bird}")
    } throws: { error in
      "\(error)".contains("key 'ram' is missing")
    }
  }

  @Test("Every era has a usual device of its own", arguments: Era.allCases)
  func usual(_ era: Era) {
    #expect(DeviceTable.usualDevice(of: era).era == era)
    let large = DeviceTable.unlisted(era: era, ramBytes: 8 << 30)
    #expect(large.era == era)
    #expect(large.ramBytes == 8 << 30)
    #expect(large.reserveBytes == 1146 << 20, "14 %, as in the table")
  }

  @Test("A mapping is described in words, the rest as it stands")
  func told() {
    #expect(
      DeviceFile.told("{ram: 1GiB, era: linux-oom, page: 4096, oom: {root-bonus-points: 3%}}")
        == "1 GiB of RAM; linux-oom; page 4096; oom {root-bonus-points: 3%}")
  }
}
