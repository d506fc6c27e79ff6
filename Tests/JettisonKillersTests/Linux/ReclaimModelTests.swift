import Testing

@testable import JettisonCore

@Suite("Linux: memory and reclaim")
struct ReclaimModelTests {
  static let gibibyte: Int64 = 1 << 30
  static let mebibyte: Int64 = 1 << 20
  static let x = AppIndex(0)
  static let y = AppIndex(1)

  /// 1 GiB with round figures: watermarks at 8, 10 and 12 MiB, cache 200 MiB, working set 40 MiB.
  static func rules(
    swap: Int64 = 100 * mebibyte, _ change: (inout ReclaimParameters) -> Void = { _ in }
  ) -> ReclaimRules {
    var parameters = ReclaimParameters()
    parameters.swapBytes = swap
    parameters.minimumBytes = 8 * mebibyte
    parameters.fileCachePercent = 20
    parameters.workingSetPercent = 4
    change(&parameters)
    return ReclaimRules(parameters, ramBytes: 1000 * mebibyte, pageBytes: 4096)
  }

  @Test("Defaults follow from RAM as the kernel's do")
  func defaults() {
    let rules = ReclaimRules(ReclaimParameters(), ramBytes: 8 * Self.gibibyte, pageBytes: 4096)
    #expect(rules.minimumBytes == 11585 * 1024)
    #expect(rules.lowBytes - rules.minimumBytes == 8_589_934)
    #expect(rules.highBytes - rules.lowBytes == 8_589_934)
    #expect(rules.swapBytes == 4 * Self.gibibyte)
    #expect(ReclaimRules(ReclaimParameters(), ramBytes: 1, pageBytes: 4096).minimumBytes == 131072)
  }

  @Test("File pages fill what is left above the low watermark, up to their share")
  func fillsCache() {
    let model = ReclaimModel(Self.rules(), appCount: 2)
    let held = [0, 10, 11, 60, 210, 900].map {
      model.fileCacheBytes(availableBytes: $0 * Self.mebibyte) / Self.mebibyte
    }
    #expect(held == [0, 0, 1, 50, 200, 200])
    #expect(model.shortageBytes == 50 * Self.mebibyte)
    #expect(model.missingShare(availableBytes: 50 * Self.mebibyte) == 0)
    #expect(model.missingShare(availableBytes: 30 * Self.mebibyte) == 0.5)
    #expect(model.missingShare(availableBytes: -1) == 1)
  }

  @Test("Who allocates below the lowest watermark reclaims and waits")
  func reclaimsDirectly() {
    var model = ReclaimModel(Self.rules(), appCount: 2)
    let background = model.shrink(from: 500 * Self.mebibyte, to: 110 * Self.mebibyte)
    #expect(background == 0)
    #expect(model.scannedBytes == 200 * Self.mebibyte, "100 MiB evicted, two ticks each")
    // 100 MiB of file pages go, of which the last 4 MiB of the allocation are below 8 MiB.
    let stall = model.shrink(from: 110 * Self.mebibyte, to: 4 * Self.mebibyte)
    #expect(stall == 1024 * 2 * 2_000)
    #expect(
      model.scannedBytes == 408 * Self.mebibyte, "200 MiB as before, 8 MiB by the app itself")
    #expect(model.shrink(from: 1, to: 2) == 0)
  }

  @Test("Missing file pages make every running app wait, and less of a tick is left to miss more")
  func thrashes() {
    var model = ReclaimModel(Self.rules { $0.touchesPerSecond = 10_000 }, appCount: 2)
    #expect(model.thrash(availableBytes: 50 * Self.mebibyte, runningCount: 1) == 0)
    #expect(model.thrash(availableBytes: 0, runningCount: 0) == 0)
    // All missing: x = 10000 · 100 µs = 1, half of the time; 5000 pages are read.
    #expect(model.thrash(availableBytes: 0, runningCount: 1) == 500_000_000)
    #expect(model.scannedBytes == 2 * 5000 * 4096)
    // Half missing: x = 0.5, a third of the time; 5000 · 2/3 pages, twice.
    #expect(
      model.thrash(availableBytes: 30 * Self.mebibyte, runningCount: 2) == 333_333_333)
    #expect(model.scannedBytes == 2 * (5000 * 4096 + 27_306_667))
  }

  @Test("Swap takes a part of a footprint, is bounded, and comes back")
  func swaps() {
    var model = ReclaimModel(Self.rules(), appCount: 2)
    func out(_ app: AppIndex, _ footprint: Int64, _ wanted: Int64) -> Int64 {
      model.swapOut(
        app, footprintBytes: footprint * Self.mebibyte, wantedBytes: wanted * Self.mebibyte)
        / Self.mebibyte
    }
    #expect(out(Self.x, 100, 30) == 30)
    #expect(out(Self.x, 100, 90) == 50, "80 % of the footprint at most")
    #expect(out(Self.y, 100, 90) == 20, "swap is full")
    #expect(model.swapFreeBytes == 0)
    #expect(model.scannedPages(Self.x) == 80 * 2 * 256)
    #expect(model.swapIn(Self.x) == 80 * 256 * 20_000)
    #expect(model.swapUsedBytes == 20 * Self.mebibyte)
    model.forgetSwap(Self.y)
    #expect(model.swapFreeBytes == 100 * Self.mebibyte)
    #expect(model.relievedBytes(Self.x) == 0)
  }

  @Test("Compressed swap gives back less than it takes")
  func compresses() {
    var model = ReclaimModel(Self.rules { $0.zramRatio = 4 }, appCount: 1)
    let relieved = model.swapOut(
      Self.x, footprintBytes: 100 * Self.mebibyte, wantedBytes: 30 * Self.mebibyte)
    #expect(relieved == 30 * Self.mebibyte)
    #expect(model.swappedBytes(Self.x) == 40 * Self.mebibyte)
    #expect(model.relievedBytes(Self.x) == 30 * Self.mebibyte)
  }

  @Test("Absurd figures saturate instead of trapping")
  func saturates() {
    var parameters = ReclaimParameters()
    parameters.swapBytes = .max
    parameters.minimumBytes = .max
    parameters.scanRatio = 1e300
    parameters.touchesPerSecond = 1e300
    parameters.readNanoseconds = .max
    parameters.swapInNanoseconds = .max
    parameters.zramRatio = 1
    let rules = ReclaimRules(parameters, ramBytes: 1 << 60, pageBytes: 1 << 62)
    var model = ReclaimModel(rules, appCount: 1)
    for _ in 0..<20 {
      #expect(model.shrink(from: 1 << 60, to: -(1 << 60)) > 0)
      #expect(model.thrash(availableBytes: 0, runningCount: 9) >= 0)
      _ = model.swapOut(Self.x, footprintBytes: 1 << 60, wantedBytes: 1 << 60)
      #expect(model.swapIn(Self.x) >= 0)
    }
    #expect(model.scannedBytes == .max)
  }
}
