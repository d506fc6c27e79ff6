import JettisonTestSupport
import Testing

@testable import JettisonCore

/// The worked table of the kernel's badness: 4 GiB of RAM and 1 GiB of swap.
@Suite("Linux: kernel badness")
struct KernelBadnessTests {
  static let totalPages: Int64 = 1_310_720

  struct Task: Sendable, CustomTestStringConvertible {
    let name: String
    let resident: Int64
    let swap: Int64
    let pageTables: Int64
    let adjustment: Int
    let points: Int64
    let score: Int64
    var testDescription: String { name }

    var computed: Int64? {
      KernelBadness.points(
        residentPages: resident, swapPages: swap, pageTablePages: pageTables,
        adjustment: adjustment, totalPages: KernelBadnessTests.totalPages)
    }
  }

  static let tasks = [
    Task(
      name: "A", resident: 200_000, swap: 20_000, pageTables: 500, adjustment: 0,
      points: 220_500, score: 778),
    Task(
      name: "B", resident: 120_000, swap: 0, pageTables: 400, adjustment: 200, points: 382_400,
      score: 860),
    Task(
      name: "C", resident: 50_000, swap: 10_000, pageTables: 200, adjustment: 900,
      points: 1_239_200, score: 1296),
    Task(
      name: "D", resident: 400_000, swap: 0, pageTables: 900, adjustment: -500,
      points: -254_100, score: 538),
  ]

  @Test("Points and oom_score of the worked table", arguments: tasks)
  func worked(_ task: Task) throws {
    let points = try #require(task.computed)
    #expect(points == task.points)
    #expect(KernelBadness.score(points: points, totalPages: Self.totalPages) == task.score)
  }

  @Test("C is killed first and D, the largest, last")
  func order() {
    let order = Self.tasks.sorted { ($0.computed ?? .min) > ($1.computed ?? .min) }
    #expect(order.map(\.name) == ["C", "B", "A", "D"])
  }

  @Test("Before Linux 5.9 a score is per mille of all memory, at least 0")
  func older() {
    let scores = Self.tasks.map {
      KernelBadness.scoreBefore5_9(points: $0.points, totalPages: Self.totalPages)
    }
    #expect(scores == [168, 291, 945, 0])
  }

  @Test("-1000 is never killed; with less than 1000 pages adj has no effect")
  func borders() {
    func points(_ adjustment: Int, _ total: Int64) -> Int64? {
      KernelBadness.points(
        residentPages: 10, swapPages: 0, pageTablePages: 0, adjustment: adjustment,
        totalPages: total)
    }
    #expect(points(-1000, 5000) == nil)
    let lowest: Int64? = 10 - 999 * 5
    #expect(points(-999, 5000) == lowest)
    let plain: Int64? = 10
    #expect(points(1000, 999) == plain)
    #expect(KernelBadness.score(points: 5, totalPages: 0) == 666)
    #expect(KernelBadness.score(points: .max, totalPages: 1) == 1333)
    #expect(KernelBadness.score(points: .min, totalPages: 1) == 0)
  }

  @Test("Swap counts only where the pressure model has some")
  func swap() throws {
    let trace = try Trace(rows: "0s,a,launch\n1s,,end")
    func swap(
      _ model: PressureModelKind, compresses: Bool = false, android: Int64? = nil
    ) -> Int64 {
      var device = Device(name: "test", ramBytes: 1 << 30, reserveBytes: 0, source: "test")
      if compresses { device.compression = .init(ratio: 2.7, suspendedShare: 0.9) }
      device.pressureParameters.android.swapBytes = android
      let configuration = RunConfiguration(
        device: device, pressure: model, profiles: [AppProfile()])
      return PolicyContext(trace, configuration).swapBytes
    }
    #expect(swap(.linuxOOM) == 1 << 29)
    #expect(swap(.ios18, compresses: true) == 0)
    // Android swaps into compressed memory only, and has a size of its own.
    #expect(swap(.androidLMKD) == 0)
    #expect(swap(.androidLMKD, compresses: true) == 1 << 29)
    #expect(swap(.androidLMK, compresses: true, android: 5) == 5)
  }
}
