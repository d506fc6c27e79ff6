import Testing

@testable import JettisonCore

@Suite("Linux: systemd-oomd")
struct SystemdOomdRulesTests {
  struct Group: Sendable {
    let name: String
    let swap: Int64
    let scannedBefore: Int64
    let scanned: Int64
    let usage: Int64
    var preference = AppProfile.KillPreference.none
  }

  static let groups = [
    Group(name: "herp", swap: 20, scannedBefore: 0, scanned: 33, usage: 10),
    Group(name: "derp", swap: 60, scannedBefore: 33, scanned: 1, usage: 20),
    Group(name: "sheep", swap: 40, scannedBefore: 1, scanned: 33, usage: 40),
    Group(name: "zupa", swap: 10, scannedBefore: 33, scanned: 2, usage: 10),
    Group(name: "boop", swap: 11, scannedBefore: 33, scanned: 33, usage: 10),
    Group(
      name: "omitted", swap: 90, scannedBefore: 0, scanned: .max, usage: 99, preference: .omit),
    Group(
      name: "careful", swap: 99, scannedBefore: 0, scanned: .max, usage: 99, preference: .avoid),
  ]

  static func names(_ keys: [SystemdOomdRules.Key?]) -> [String] {
    SystemdOomdRules.order(Array(groups.indices), by: keys).map { groups[$0].name }
  }

  @Test("By swap: the largest first, avoided last, omitted never")
  func bySwap() {
    let keys = Self.groups.map { SystemdOomdRules.swapKey($0.preference, swapBytes: $0.swap) }
    #expect(Self.names(keys) == ["derp", "sheep", "herp", "boop", "zupa", "careful"])
  }

  @Test("By rate of scans: a counter that fell began at 0")
  func byScans() {
    let rates = Self.groups.map {
      SystemdOomdRules.rate(scanned: $0.scanned, before: $0.scannedBefore)
    }
    #expect(Array(rates.prefix(5)) == [33, 1, 32, 2, 0])
    let keys = zip(Self.groups, rates).map {
      SystemdOomdRules.scanKey($0.preference, rate: $1, usageBytes: $0.usage)
    }
    #expect(Self.names(keys) == ["herp", "sheep", "zupa", "derp", "boop", "careful"])
    #expect(SystemdOomdRules.scanKey(.none, rate: 0, usageBytes: 0) == nil)
  }

  @Test("Memory and swap are low when less than the rest of the limit is left")
  func isBelow() {
    let total: Int64 = 20_971_512 * 1024
    #expect(!SystemdOomdRules.isBelow(used: 3_310_136 * 1024, total: total, leftPercent: 20))
    #expect(SystemdOomdRules.isBelow(used: 20_971_440 * 1024, total: total, leftPercent: 20))
    #expect(!SystemdOomdRules.isBelow(used: 80, total: 100, leftPercent: 20), "20 is not below")
    #expect(SystemdOomdRules.isBelow(used: 81, total: 100, leftPercent: 20))
    #expect(!SystemdOomdRules.isBelow(used: 0, total: 0, leftPercent: 20), "there is no swap")
  }

  @Test("A candidate of the swap rule holds more than 5 % of all swap")
  func floor() {
    #expect(!SystemdOomdRules.isSwapCandidate(swapBytes: 50, swapTotalBytes: 1000))
    #expect(SystemdOomdRules.isSwapCandidate(swapBytes: 51, swapTotalBytes: 1000))
    // 99.95, not 5 % of what is left after rounding to hundreds.
    #expect(!SystemdOomdRules.isSwapCandidate(swapBytes: 99, swapTotalBytes: 1999))
    #expect(SystemdOomdRules.isSwapCandidate(swapBytes: 100, swapTotalBytes: 1999))
  }

  @Test("Pressure must stay above its limit without a break")
  func sustained() {
    var state = SustainedPressure()
    func poll(_ second: Int64, _ percent: Double) -> Bool {
      state.poll(
        at: second * 1_000_000_000, percent: percent, limitPercent: 80,
        durationNanoseconds: 30_000_000_000)
    }
    let polls = [
      (0, 99.99), (29, 99.99), (30, 1.11), (31, 99.99), (60, 99.99), (61, 80.01), (62, 80),
      (63, 99),
    ].map { poll($0.0, $0.1) }
    #expect(polls == [false, false, false, false, false, true, false, false])
  }
}
