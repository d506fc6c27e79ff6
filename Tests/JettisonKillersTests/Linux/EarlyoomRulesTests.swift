import Testing

@testable import JettisonCore

@Suite("Linux: earlyoom")
struct EarlyoomRulesTests {
  static let mebibyte: Int64 = 1 << 20

  static func memory(
    available: Int64, anonymous: Int64, swap: Int64 = 0, free: Int64 = 0
  ) -> EarlyoomRules.Memory {
    EarlyoomRules.Memory(
      availableBytes: available * mebibyte, anonymousBytes: anonymous * mebibyte,
      swapTotalBytes: swap * mebibyte, swapFreeBytes: free * mebibyte)
  }

  static func rules(_ change: (inout EarlyoomParameters) -> Void = { _ in }) -> EarlyoomRules {
    var parameters = EarlyoomParameters()
    change(&parameters)
    return EarlyoomRules(parameters: parameters)
  }

  @Test(
    "Both memory and swap must be low; the kill level is half of the term level",
    arguments: [
      (110, 890, 0, 0, .none), (100, 900, 0, 0, .term), (51, 949, 0, 0, .term),
      (50, 950, 0, 0, .kill), (50, 950, 100, 11, .none), (50, 950, 100, 10, .term),
      (50, 950, 100, 5, .kill), (60, 940, 100, 0, .term), (500, 500, 100, 0, .none),
    ] as [(Int64, Int64, Int64, Int64, EarlyoomRules.Level)])
  func levels(
    _ available: Int64, _ anonymous: Int64, _ swap: Int64, _ free: Int64,
    _ expected: EarlyoomRules.Level
  ) {
    let memory = Self.memory(
      available: available, anonymous: anonymous, swap: swap, free: free)
    #expect(Self.rules().level(memory) == expected)
  }

  @Test("Thresholds can be set: -s 100 makes swap irrelevant, the second value is its own")
  func settings() {
    let low = Self.memory(available: 40, anonymous: 960, swap: 100, free: 100)
    #expect(Self.rules().level(low) == .none)
    #expect(Self.rules { $0.termSwapPercent = 100 }.level(low) == .term)
    let both = Self.rules {
      $0.termSwapPercent = 100
      $0.killSwapPercent = 100
      $0.killMemoryPercent = 4
    }
    #expect(both.level(low) == .kill)
    #expect(Self.rules().level(Self.memory(available: 0, anonymous: 0)) == .kill)
  }

  @Test(
    "Sleep is as long as the headroom could last, 100 to 1000 ms",
    arguments: [
      (3_200_000, 1_000_000, 1000), (300_000, 40_000, 100), (0, 0, 100), (1_200_000, 80_000, 300),
    ] as [(Int64, Int64, Int64)])
  func sleeps(_ memory: Int64, _ swap: Int64, _ expected: Int64) {
    let slept = EarlyoomRules.sleepMilliseconds(
      memoryHeadroomKiB: memory, swapHeadroomKiB: swap)
    #expect(slept == expected)
  }

  @Test("Headroom counts above the term thresholds, below as none")
  func headroom() {
    // 30 % of 4000 MiB: 20 % above the threshold are 819,200 KiB; swap is below its own.
    let memory = Self.memory(available: 1200, anonymous: 2800, swap: 1000, free: 50)
    #expect(Self.rules().sleepMilliseconds(memory) == 136)
  }

  static func process(_ score: Int64, _ rss: Int64) -> EarlyoomProcess {
    EarlyoomProcess(score: score, residentBytes: rss)
  }

  @Test("Ordering vectors by oom_score")
  func byScore() {
    let ascending = [(100, 1234), (100, 1238), (101, 4), (102, 4), (103, 0)]
      .map { Self.process($0.0, $0.1) }
    for (smaller, larger) in zip(ascending, ascending.dropFirst()) {
      #expect(larger.isPreferred(to: smaller, byRSS: false))
      #expect(!smaller.isPreferred(to: larger, byRSS: false))
    }
    #expect(!ascending[0].isPreferred(to: ascending[0], byRSS: false), "a tie keeps the first")
  }

  @Test("Ordering vectors by RSS; an empty resident set is compared by score")
  func byRSS() {
    let ascending = [(100, 4), (100, 8), (101, 8), (99, 12), (102, 0), (102, 12)]
      .map { Self.process($0.0, $0.1) }
    for (smaller, larger) in zip(ascending, ascending.dropFirst()) {
      #expect(larger.isPreferred(to: smaller, byRSS: true))
      #expect(!smaller.isPreferred(to: larger, byRSS: true))
    }
  }
}
