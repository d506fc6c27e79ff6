import Testing

@testable import JettisonCore

/// Tables of the Linux reference: fixed-point averages, the two lines, triggers.
@Suite("Linux: pressure stalls")
struct PressureStallTests {
  static let x = AppIndex(0)
  static let y = AppIndex(1)
  static let second: Int64 = 1_000_000_000
  static let millisecond: Int64 = 1_000_000

  /// One app that is stalled for the first half of each period until `seconds`.
  static func halfStalled(seconds: Int64, of pressure: inout PressureStall) {
    for period in 0..<seconds / 2 {
      pressure.stall(x, for: second, at: period * 2 * second)
    }
    pressure.advance(to: seconds * second)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let stalledSeconds: Int64
    let restSeconds: Int64
    let hundredths: [Int64]
    var testDescription: String { "\(stalledSeconds) s at 50 %, then \(restSeconds) s at 0 %" }
  }

  static let averages = [
    Row(stalledSeconds: 2, restSeconds: 0, hundredths: [905, 163, 34]),
    Row(stalledSeconds: 4, restSeconds: 0, hundredths: [1647, 321, 68]),
    Row(stalledSeconds: 6, restSeconds: 0, hundredths: [2254, 474, 101]),
    Row(stalledSeconds: 10, restSeconds: 0, hundredths: [3159, 766, 168]),
    Row(stalledSeconds: 20, restSeconds: 0, hundredths: [4322, 1414, 331]),
    Row(stalledSeconds: 30, restSeconds: 0, hundredths: [4750, 1964, 489]),
    Row(stalledSeconds: 30, restSeconds: 2, hundredths: [3890, 1900, 485]),
    Row(stalledSeconds: 30, restSeconds: 4, hundredths: [3185, 1837, 482]),
    Row(stalledSeconds: 30, restSeconds: 10, hundredths: [1748, 1663, 472]),
  ]

  @Test("Averages move as in the kernel's fixed point", arguments: averages)
  func movesAverages(_ row: Row) {
    var pressure = PressureStall()
    pressure.setRunning(Self.x, true, at: 0)
    Self.halfStalled(seconds: row.stalledSeconds, of: &pressure)
    pressure.advance(to: (row.stalledSeconds + row.restSeconds) * Self.second)
    for line in [pressure.some, pressure.full] {
      #expect([line.hundredths10, line.hundredths60, line.hundredths300] == row.hundredths)
      #expect(line.totalMicroseconds == row.stalledSeconds * 500_000)
    }
    #expect(pressure.some.percent10 == Double(row.hundredths[0]) / 100)
  }

  /// X runs 0–2000 ms, stalled 100–600; Y runs 1000–2000 ms, stalled 1200–1400.
  static func twoApps(processors: Int, advancedEvery step: Int64?) -> PressureStall {
    var pressure = PressureStall(processors: processors)
    func advance(from begin: Int64, to end: Int64) {
      guard let step else { return }
      for time in stride(from: begin, to: end, by: Int(step)) {
        pressure.advance(to: time * millisecond)
      }
    }
    pressure.setRunning(x, true, at: 0)
    pressure.stall(x, for: 500 * millisecond, at: 100 * millisecond)
    advance(from: 100, to: 1000)
    pressure.setRunning(y, true, at: 1000 * millisecond)
    pressure.stall(y, for: 200 * millisecond, at: 1200 * millisecond)
    advance(from: 1200, to: 2000)
    pressure.advance(to: 2000 * millisecond)
    return pressure
  }

  @Test("SOME is the union of stalls, FULL the time in which no task makes progress")
  func separatesLines() {
    let pressure = Self.twoApps(processors: 1, advancedEvery: nil)
    #expect(pressure.some.totalMicroseconds == 700_000)
    #expect(pressure.full.totalMicroseconds == 500_000)
    #expect(pressure.some.hundredths10 == 634)
    #expect(pressure.full.hundredths10 == 452)
  }

  @Test("Two processors count each stretch by its share")
  func countsByProcessor() {
    let pressure = Self.twoApps(processors: 2, advancedEvery: nil)
    // 500 ms alone count whole, 200 ms of one out of two count half in both lines.
    #expect(pressure.some.totalMicroseconds == 600_000)
    #expect(pressure.full.totalMicroseconds == 600_000)
  }

  @Test("One stalled task among four on four processors is a quarter of both lines")
  func countsQuarters() {
    var pressure = PressureStall(processors: 4)
    for app in 0..<4 { pressure.setRunning(AppIndex(app), true, at: 0) }
    pressure.stall(Self.x, for: Self.second, at: 0)
    pressure.advance(to: Self.second)
    #expect(pressure.some.totalMicroseconds == 250_000)
    #expect(pressure.full.totalMicroseconds == 250_000)
  }

  @Test("How often time is moved changes nothing", arguments: [1, 2, 3, 8])
  func isLazy(processors: Int) {
    let atOnce = Self.twoApps(processors: processors, advancedEvery: nil)
    for step: Int64 in [1, 7, 150] {
      let stepwise = Self.twoApps(processors: processors, advancedEvery: step)
      #expect(stepwise.some == atOnce.some)
      #expect(stepwise.full == atOnce.full)
    }
  }

  @Test("Averages die away, and nothing is left to do then")
  func diesAway() {
    var pressure = PressureStall()
    pressure.setRunning(Self.x, true, at: 0)
    Self.halfStalled(seconds: 30, of: &pressure)
    #expect(!pressure.isQuiet)
    var stepwise = pressure
    pressure.advance(to: 90 * 86400 * Self.second + 1)
    for period in 16...4000 { stepwise.advance(to: Int64(period) * 2 * Self.second) }
    #expect(pressure.isQuiet)
    #expect(stepwise.isQuiet)
    #expect(pressure.some.hundredths300 == 0)
    // The next period still ends on a multiple of 2 s.
    pressure.stall(Self.x, for: Self.second, at: 90 * 86400 * Self.second + Self.second)
    pressure.advance(to: 90 * 86400 * Self.second + 2 * Self.second)
    #expect(pressure.some.hundredths10 == 905)
  }

  @Test("Stalls queue behind each other, and end with the app's run")
  func queues() {
    var pressure = PressureStall()
    pressure.stall(Self.x, for: Self.second, at: 0)
    #expect(pressure.stallsEnd == nil, "an app that does not run waits for nothing")
    pressure.setRunning(Self.x, true, at: 0)
    pressure.stall(Self.x, for: Self.second, at: 0)
    pressure.stall(Self.x, for: Self.second, at: 0)
    #expect(pressure.stallsEnd == 2 * Self.second)
    pressure.setRunning(Self.x, false, at: Self.second)
    pressure.advance(to: 4 * Self.second)
    #expect(pressure.some.totalMicroseconds == 1_000_000)
    pressure.setRunning(Self.x, true, at: 4 * Self.second)
    pressure.stall(Self.x, for: .max, at: 4 * Self.second)
    #expect(pressure.stallsEnd == .max)
  }

  @Test("A trigger fires once a window when stalls reach its threshold")
  func triggers() {
    var trigger = StallTrigger(
      thresholdNanoseconds: 70 * Self.millisecond, windowNanoseconds: Self.second)
    var fired: [Int64] = []
    /// Stalled from 0 to 300 ms, and again from 1900 to 2300 ms.
    func total(_ time: Int64) -> Int64 { min(time, 300) + max(0, min(time, 2300) - 1900) }
    for time in stride(from: Int64(0), through: 4000, by: 100) {
      if trigger.check(at: time * Self.millisecond, total: total(time) * Self.millisecond) {
        fired.append(time)
      }
    }
    // What is found between two events is told a window after the first of them.
    #expect(fired == [100, 1100, 2100, 3100])
    #expect(trigger.heldUntil == .max)
  }

  @Test(
    "A window takes in what is left of the one before",
    arguments: [(81, []), (80, [1200]), (76, [1200, 2200])] as [(Int64, [Int64])])
  func slides(threshold: Int64, expected: [Int64]) {
    var trigger = StallTrigger(
      thresholdNanoseconds: threshold * Self.millisecond, windowNanoseconds: Self.second)
    var total: Int64 = 0
    var fired: [Int64] = []
    for time in stride(from: Int64(100), through: 2300, by: 100) {
      total += time % 300 == 0 ? 20 : 0
      if trigger.check(at: time * Self.millisecond, total: total * Self.millisecond) {
        fired.append(time)
      }
    }
    // 20, 40, 60; 80 at 1200, where a window begins; then 20 + 80·0.7 = 76 at 1500, 72, 68.
    #expect(fired == expected)
  }

  @Test("After a window without a stall the old growth is forgotten")
  func forgets() {
    var trigger = StallTrigger(
      thresholdNanoseconds: 70 * Self.millisecond, windowNanoseconds: Self.second)
    let ticks: [(time: Int64, total: Int64)] = [(500, 60), (5000, 120), (5100, 130)]
    let fired = ticks.map {
      trigger.check(at: $0.time * Self.millisecond, total: $0.total * Self.millisecond)
    }
    #expect(fired == [false, false, true])
  }
}

extension StallLine {
  /// Stalled time so far in whole microseconds, as the kernel prints it.
  fileprivate var totalMicroseconds: Int64 { totalNanoseconds / 1000 }
}
