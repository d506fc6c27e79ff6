import JettisonCore
import JettisonExperiments
import JettisonPolicies
import JettisonReports
import JettisonTraces
import Testing

@Suite("Plans are complete before the first run")
struct PlannerTests {
  private func trace(_ name: String, device: String? = nil) throws -> LoadedTrace {
    var builder = try TraceBuilder()
    let app = try builder.app(named: "a")
    try builder.append(.launch, time: 0, app: app)
    var header = TraceHeader(user: name)
    header.device = device
    let trace = try builder.finish(name: name, header: header, file: name)
    return LoadedTrace(path: name, trace: trace, catalog: Catalog())
  }

  private func plan(
    _ given: [(SpecificationText.Key, [String])], _ traces: [LoadedTrace]
  ) throws -> RunPlan {
    var options = SpecificationText()
    for (key, texts) in given { options.add(key, texts) }
    return try RunPlanner(options.specification(for: .compare)).plan(traces)
  }

  @Test("Parameters with commas stay with their policy")
  func splitPolicies() {
    #expect(
      ListText.policies(of: "gdsf:cost=1,half_life=1d+saved, lru,size+saved")
        == ["gdsf:cost=1,half_life=1d+saved", "lru", "size+saved"])
    #expect(ListText.policies(of: "lru,cost=1") == ["lru", "cost=1"])
    #expect(ListText.policies(of: "") == [""])
  }

  @Test("Runs are ordered by trace, device, memory, setting, policy and seed")
  func order() throws {
    let plan = try plan(
      [
        (.policies, ["lru,mru"]), (.device, ["iphone-4,ipad-1"]), (.memory, ["512MiB,1GiB"]),
        (.set, ["decay=1s,2s"]), (.seeds, ["2"]),
      ], [try trace("one"), try trace("two")])
    #expect(plan.runs.count == 2 * 2 * 2 * 2 * 2 * 2)
    let keys = plan.runs.indices.map { plan.key(of: $0) }
    #expect(Set(keys).count == keys.count, "no two runs have one key")
    #expect(keys[0].seed == 1 && keys[1].seed == 2)
    #expect(keys[2].policy == "mru")
    #expect(keys[4].device == "iphone-4:decay=2s")
    #expect(keys[8].memoryBytes == 1 << 30)
    #expect(keys[16].device == "ipad-1:decay=1s")
    #expect(keys[32].trace == "two")
    #expect(plan.runs[5].firstOfCell == 4)
    #expect(plan.runs[5].configuration.decayNanoseconds == 2_000_000_000)
  }

  @Test("'all' is every policy, plain and with +saved")
  func allPolicies() throws {
    let plan = try plan([(.policies, ["all"])], [try trace("one")])
    #expect(plan.policies.count == 2 * PolicyRegistry.all.count)
    #expect(plan.policies[0].name == "lru")
    #expect(plan.policies[1].name == "lru+saved")
  }

  @Test("A device that is asked for twice is refused, for reports could not tell its runs apart")
  func duplicateDevices() throws {
    #expect(throws: ExperimentError.self) {
      try plan([(.device, ["iphone-4,iphone-4"])], [try trace("one")])
    }
    #expect(throws: ExperimentError.self) {
      try plan([(.memory, ["1GiB,1024MiB"])], [try trace("one")])
    }
  }

  @Test("A note names the traces it is about, and comes once")
  func notes() throws {
    let plan = try plan([], [try trace("one"), try trace("two")])
    #expect(
      plan.notes == [
        "one and 1 more: the trace names no device: 'iphone-4' serves (choose with --device)"
      ])
    #expect(throws: ExperimentError.self) { try self.plan([], [try trace("x", device: "x")]) }
  }

  @Test("A trace whose system takes more memory than the device has is reported")
  func systemMemory() throws {
    var builder = try TraceBuilder()
    let app = try builder.app(named: "a")
    try builder.append(.systemMemory, time: 0, value: 512 << 20)
    try builder.append(.launch, time: 1, app: app)
    var header = TraceHeader(user: "big")
    header.device = "iphone-4"
    let trace = LoadedTrace(
      path: "big", trace: try builder.finish(name: "big", header: header, file: "big"),
      catalog: Catalog())
    let notes = try plan([], [trace]).notes
    #expect(notes.contains { $0.hasPrefix("big: the system of the trace has more memory") })
    #expect(try plan([(.memory, ["1GiB"])], [trace]).notes.isEmpty)
  }

  @Test("More RAM keeps a limit's share, whatever the sizes", arguments: [1, 3, 1 << 20, 1 << 40])
  func limitShare(bytes: Int64) {
    var device = Device(name: "d", ramBytes: 1 << 30, reserveBytes: 0, source: "")
    device.limitBytes = 1 << 29
    device.setRAM(bytes)
    #expect(device.ramBytes == bytes)
    #expect(device.limitBytes == max(1, bytes / 2))
    device.limitBytes = .max
    device.ramBytes = 1
    device.setRAM(.max)
    #expect(device.limitBytes == nil)
  }

  @Test("Every setting of the table refuses a text that means nothing")
  func settings() throws {
    let device = try DeviceTable.device(named: "iphone-4")
    // Names, files and patterns may be any text.
    for setting in Setting.all where setting.key != "name" && setting.form != "a text" {
      for text in ["", "x", "-1", "1e400", "0x10", "٣", "\u{0}"] {
        var run = RunConfiguration(device: device, pressure: .thresholds, profiles: [])
        #expect(throws: ConfigurationError.self, "\(setting.key)=\(text)") {
          try setting.apply(text, to: &run)
        }
      }
    }
  }
}
