import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore
@testable import JettisonShippedPolicies

/// Ticks that are left out come to the same as ticks that are made: of each part, and of whole runs.
struct SkippedTicksTests {
  private static let step = AndroidState.tickNanoseconds
  private static let millisecond: Int64 = 1_000_000

  private static func trigger(_ random: inout SplitMix64) -> StallTrigger {
    let window = Int64.random(in: 1...30, using: &random) * 50 * millisecond
    return StallTrigger(
      thresholdNanoseconds: Int64.random(in: 0...window, using: &random), windowNanoseconds: window)
  }

  // MARK: Parts

  @Test func `a trigger follows a course as it would tick by tick`() {
    for seed: UInt64 in 1...3000 {
      var random = SplitMix64(seed: seed)
      var one = Self.trigger(&random)
      var time: Int64 = 0
      var total: Int64 = 0
      // Some past, then a course.
      for _ in 0..<Int.random(in: 1...25, using: &random) {
        time += Self.step
        total += Bool.random(using: &random) ? Int64.random(in: 1...Self.step, using: &random) : 0
        _ = one.check(at: time, total: total)
      }
      time += Self.step
      total += 1
      _ = one.check(at: time, total: total)
      let growth = Int64.random(in: 1...Self.step, using: &random)
      // The next tick sees what was under way before, too.
      let next = Int64.random(in: 1...Self.step, using: &random)
      let course = StallTrigger.Course(time: time, total: total + next, growth: growth)
      let outlook = one.outlook(on: course)
      let count = Int64.random(in: 1...300, using: &random)
      var many = one
      many.follow(course, ticks: count, outlook)
      let event = one.nextEvent(on: course, outlook)
      var fired = 0
      var first: Int64?
      for tick in 1...count {
        let seen = total + next + (tick - 1) * growth
        guard one.check(at: time + tick * Self.step, total: seen) else { continue }
        fired += 1
        first = first ?? time + tick * Self.step
      }
      #expect(one == many, "seed \(seed)")
      if outlook == .silent { #expect(fired == 0, "seed \(seed)") }
      if let first {
        #expect(
          event == first || (event < first && event >= time + 3 * one.windowNanoseconds),
          "seed \(seed)")
      }
    }
  }

  @Test func `stalls repeat as they would one by one`() {
    for seed: UInt64 in 1...500 {
      var random = SplitMix64(seed: seed)
      for keepsAverages in [true, false] {
        var one = PressureStall(
          processors: Int.random(in: 1...8, using: &random), keepsAverages: keepsAverages)
        let apps = (0..<Int.random(in: 0...9, using: &random)).map { AppIndex($0) }
        for app in apps { one.setRunning(app, true, at: 3 * Self.step) }
        let wait = Int64.random(in: 0...Self.step, using: &random)
        let count = Int64.random(in: 1...100, using: &random)
        one.stallAll(for: wait, at: 3 * Self.step)
        var many = one
        many.repeatStalls(count, every: Self.step, for: wait)
        for tick in 4..<(4 + count) { one.stallAll(for: wait, at: tick * Self.step) }
        // One of them stops in the middle of its stall.
        let later = (3 + count) * Self.step + wait / 2
        for app in apps.prefix(1) {
          one.setRunning(app, false, at: later)
          many.setRunning(app, false, at: later)
        }
        one.advance(to: later + Self.step)
        many.advance(to: later + Self.step)
        #expect(one.some == many.some && one.full == many.full, "seed \(seed)")
      }
    }
  }

  @Test func `totals are the same whether averages are kept or not`() {
    // The last once left a poll out that found swap no longer low.
    for seed: UInt64 in Array(1...600) + [3176] {
      var random = SplitMix64(seed: seed)
      let processors = Int.random(in: 1...8, using: &random)
      var kept = PressureStall(processors: processors)
      var dropped = PressureStall(processors: processors, keepsAverages: false)
      var time: Int64 = 0
      for _ in 0..<60 {
        time += Int64.random(in: 0...900, using: &random) * Self.millisecond
        let app = AppIndex(Int.random(in: 0..<10, using: &random))
        if Bool.random(using: &random) {
          let runs = Bool.random(using: &random)
          kept.setRunning(app, runs, at: time)
          dropped.setRunning(app, runs, at: time)
        } else {
          let wait = Int64.random(in: 0...700, using: &random) * Self.millisecond
          kept.stall(app, for: wait, at: time)
          dropped.stall(app, for: wait, at: time)
        }
        let ahead = dropped.totals(at: time + Self.step)
        var later = kept
        later.advance(to: time + Self.step)
        #expect(ahead.some == later.some.totalNanoseconds, "seed \(seed)")
        #expect(ahead.full == later.full.totalNanoseconds, "seed \(seed)")
        kept.advance(to: time)
        dropped.advance(to: time)
        #expect(kept.some.totalNanoseconds == dropped.some.totalNanoseconds, "seed \(seed)")
        #expect(kept.full.totalNanoseconds == dropped.full.totalNanoseconds, "seed \(seed)")
      }
    }
  }

  @Test func `the window of the factor is followed, and its next change foreseen`() {
    for seed: UInt64 in 1...2000 {
      var random = SplitMix64(seed: seed)
      var one = StallWindow()
      var total: Int64 = 0
      var factor = MemoryFactor.normal
      let past = Int64.random(in: 1...40, using: &random)
      for tick in 1...past {
        total += Int64.random(in: 0...8, using: &random) * Self.millisecond
        factor = one.tick(at: tick * Self.step, total: total)
      }
      let time = past * Self.step
      let growth = Int64.random(in: 0...8, using: &random) * Self.millisecond
      let next = total + Int64.random(in: 0...8, using: &random) * Self.millisecond
      let course = StallTrigger.Course(time: time, total: next, growth: growth)
      let change = one.nextChange(of: factor, on: course)
      let count = Int64.random(in: 1...60, using: &random)
      var many = one
      many.follow(count, on: course)
      var first = Int64.max
      for tick in 1...60 {
        let at = time + Int64(tick) * Self.step
        let found = one.tick(at: at, total: next + Int64(tick - 1) * growth)
        if found != factor, first == .max { first = at }
        if tick == count { #expect(one == many, "seed \(seed)") }
      }
      #expect(change == first, "seed \(seed)")
    }
  }

  @Test func `lmkd follows a flow as it would wake by wake, and asks for no more than foreseen`() {
    for seed: UInt64 in 1...3000 {
      var random = SplitMix64(seed: seed)
      var settings = LMKDaemon.Settings()
      settings.thrashingLimit = Int64.random(in: 1...150, using: &random)
      settings.thrashingLimitCritical = settings.thrashingLimit * 3
      settings.lowMemoryMinAdj = [201, 701, 1001][Int.random(in: 0...2, using: &random)]
      let marks = Watermarks(minPages: 1000, lowPages: 2000, highPages: 3000)
      var one = LMKDaemon(settings, watermarks: marks)
      var reading = LMKDaemon.Reading()
      reading.freePages = Int64.random(in: 500...3500, using: &random)
      reading.swapTotalPages = Bool.random(using: &random) ? 1000 : 0
      reading.swapFreePages = Int64.random(in: 0...200, using: &random)
      func set(_ file: Int64) {
        reading.activeFilePages = file - file / 2
        reading.inactiveFilePages = file / 2
      }
      // Some past under other flows, the last of it like what follows.
      for _ in 0..<Int.random(in: 1...25, using: &random) {
        reading.time += Self.step
        reading.refaults += Int64.random(in: 0...900, using: &random)
        reading.backgroundScans += Int64.random(in: 0...9, using: &random)
        set(Int64.random(in: 1...9000, using: &random))
        _ = one.wake(.poll, reading)
      }
      var flow = FilePageFlow(filePages: Int64.random(in: 0...9000, using: &random))
      flow.refaultPages = Int64.random(in: 1...900, using: &random)
      if reading.freePages < 2000 { flow.backgroundScans = flow.refaultPages }
      set(flow.filePages)
      reading.time += Self.step
      reading.refaults += flow.refaultPages
      _ = one.wake(.poll, reading)
      // Scanned between that wake-up and the next.
      if seed % 3 == 0 { reading.directScans += Int64.random(in: 1...9, using: &random) }
      if seed % 2 == 0 { reading.backgroundScans += Int64.random(in: 1...9, using: &random) }
      let outlook = one.outlook(reading, flow, every: Self.step)
      let count = Int64.random(in: 1...200, using: &random)
      var many = one
      many.follow(flow, wakes: count, every: Self.step, from: reading)
      var kills: Int64 = 0
      for _ in 0..<count {
        reading.time += Self.step
        reading.refaults += flow.refaultPages
        reading.backgroundScans += flow.backgroundScans
        guard case .kill(let order) = one.wake(.poll, reading) else { continue }
        kills += 1
        #expect(order.minAdj >= outlook.lowestAdj, "seed \(seed)")
      }
      if outlook.alwaysKills { #expect(kills == count, "seed \(seed)") }
      #expect(one.limit == many.limit && one.thrashing == many.thrashing, "seed \(seed)")
      #expect(one.thrashingMax == many.thrashingMax, "seed \(seed)")
      #expect(one.reclaimsDirectly == many.reclaimsDirectly, "seed \(seed)")
      // What each remembers shows in what it does next.
      for _ in 0..<25 {
        reading.time += Self.step
        reading.refaults += Int64.random(in: 0...900, using: &random)
        set(Int64.random(in: 1...9000, using: &random))
        #expect(one.wake(.poll, reading) == many.wake(.poll, reading), "seed \(seed)")
        #expect(one.thrashing == many.thrashing, "seed \(seed)")
      }
    }
  }

  @Test func `what a rough outlook settles, the exact one settles alike`() {
    var settled = 0
    for seed: UInt64 in 1...3000 {
      var random = SplitMix64(seed: seed)
      var settings = LMKDaemon.Settings()
      settings.thrashingLimit = Int64.random(in: 1...150, using: &random)
      settings.thrashingLimitCritical = settings.thrashingLimit * 3
      settings.lowMemoryMinAdj = [201, 701, 1001][Int.random(in: 0...2, using: &random)]
      if seed % 3 == 0 { settings.fileCacheMinPages = Int64.random(in: 1...9000, using: &random) }
      if seed % 7 == 0 { settings.swapUtilizationMax = Int64.random(in: 0...99, using: &random) }
      let marks = Watermarks(minPages: 1000, lowPages: 2000, highPages: 3000)
      var daemon = LMKDaemon(settings, watermarks: marks)
      var reading = LMKDaemon.Reading()
      reading.freePages = Int64.random(in: 500...3500, using: &random)
      reading.swapTotalPages = Bool.random(using: &random) ? 1000 : 0
      reading.swapFreePages = Int64.random(in: 0...200, using: &random)
      for _ in 0..<Int.random(in: 1...25, using: &random) {
        reading.time += Self.step
        reading.refaults += Int64.random(in: 1...900, using: &random)
        reading.inactiveFilePages = Int64.random(in: 1...9000, using: &random)
        _ = daemon.wake(.poll, reading)
      }
      var flow = FilePageFlow(filePages: reading.inactiveFilePages)
      flow.refaultPages = Int64.random(in: 1...400, using: &random)
      let rough = daemon.outlook(reading, flow, every: Self.step, isRough: true)
      let exact = daemon.outlook(reading, flow, every: Self.step)
      #expect(rough.lowestAdj <= exact.lowestAdj, "seed \(seed)")
      #expect(exact.alwaysKills || !rough.alwaysKills, "seed \(seed)")
      guard !rough.isMixed else { continue }
      settled += 1
      #expect(!exact.isMixed && exact.alwaysKills == rough.alwaysKills, "seed \(seed)")
    }
    #expect(settled > 500 && settled < 2900)
  }

  // MARK: Parts, while memory falls

  /// Ticks in stretches, each with more stalls and refaults than the one before, from `least` to
  /// `most`.
  private static func stretches(
    from least: FilePageFlow, to most: FilePageFlow, _ random: inout SplitMix64
  ) -> [(count: Int64, flow: FilePageFlow)] {
    let parts = Int64.random(in: 1...12, using: &random)
    return (0...parts).map { part in
      func between(_ a: Int64, _ b: Int64) -> Int64 { a + (b - a) * part / parts }
      var flow = FilePageFlow(filePages: between(least.filePages, most.filePages))
      flow.stallNanoseconds = between(least.stallNanoseconds, most.stallNanoseconds)
      flow.refaultPages = between(least.refaultPages, most.refaultPages)
      flow.backgroundScans = least.backgroundScans > 0 ? flow.refaultPages : 0
      return (Int64.random(in: 1...40, using: &random), flow)
    }
  }

  @Test func `what is foreseen of the least and the most stalls holds between, and is followed`() {
    var steady = 0
    var silent = 0
    var unchanged = 0
    for seed: UInt64 in 1...4000 {
      var random = SplitMix64(seed: seed)
      var trigger = Self.trigger(&random)
      var seconds = StallWindow()
      var time: Int64 = 0
      var total: Int64 = 0
      for _ in 0..<Int.random(in: 2...25, using: &random) {
        time += Self.step
        total += Int64.random(in: 1...(seed % 2 == 0 ? Self.step : 8_000_000), using: &random)
        _ = trigger.check(at: time, total: total)
        _ = seconds.tick(at: time, total: total)
      }
      let factor = seconds.tick(at: time, total: total)
      let next = total + Int64.random(in: 1...Self.step, using: &random)
      var least = FilePageFlow(filePages: 0)
      least.stallNanoseconds = Int64.random(in: 1...Self.step / 2, using: &random)
      var most = least
      most.stallNanoseconds += Int64.random(in: 0...Self.step / 2, using: &random)
      func course(_ flow: FilePageFlow) -> StallTrigger.Course {
        StallTrigger.Course(time: time, total: next, growth: flow.stallNanoseconds)
      }
      let isSteady = trigger.outlook(on: course(least)) == .steady
      let isSilent = trigger.outlook(on: course(most)) == .silent
      let keepsFactor =
        seconds.nextChange(of: factor, on: course(least)) == .max
        && seconds.nextChange(of: factor, on: course(most)) == .max
      var path = FlowPath()
      path.start(after: time)
      var many = trigger
      var manySeconds = seconds
      var seen = next
      var tick: Int64 = 0
      for (count, flow) in Self.stretches(from: least, to: most, &random) {
        path.append(count, flow)
        for _ in 0..<count {
          tick += 1
          let fired = trigger.check(at: time + tick * Self.step, total: seen)
          if isSilent { #expect(!fired, "seed \(seed)") }
          let found = seconds.tick(at: time + tick * Self.step, total: seen)
          if keepsFactor { #expect(found == factor, "seed \(seed)") }
          #expect(path.stalled(untilTick: tick) == seen - next, "seed \(seed)")
          seen += flow.stallNanoseconds
        }
      }
      manySeconds.follow(tick, on: course(least)) { next + path.stalled(untilTick: $0) }
      #expect(manySeconds == seconds, "seed \(seed)")
      steady += isSteady ? 1 : 0
      silent += isSilent ? 1 : 0
      unchanged += keepsFactor ? 1 : 0
      guard isSteady || isSilent else { continue }
      many.follow(course(least), ticks: tick, isSteady ? .steady : .silent) {
        next + path.stalled(untilTick: $0)
      }
      #expect(many == trigger, "seed \(seed)")
    }
    #expect(steady > 300 && silent > 300 && unchanged > 300, "\(steady) \(silent) \(unchanged)")
  }

  /// lmkd with some past, and what it read last.
  private static func wokenDaemon(_ random: inout SplitMix64) -> (LMKDaemon, LMKDaemon.Reading) {
    var settings = LMKDaemon.Settings()
    settings.thrashingLimit = Int64.random(in: 1...150, using: &random)
    settings.thrashingLimitCritical = settings.thrashingLimit * 3
    settings.lowMemoryMinAdj = [201, 701, 1001][Int.random(in: 0...2, using: &random)]
    var daemon = LMKDaemon(
      settings, watermarks: Watermarks(minPages: 1000, lowPages: 2000, highPages: 3000))
    var reading = LMKDaemon.Reading()
    reading.freePages = Int64.random(in: 1200...3500, using: &random)
    reading.swapTotalPages = Bool.random(using: &random) ? 1000 : 0
    reading.swapFreePages = Int64.random(in: 0...200, using: &random)
    for _ in 0..<Int.random(in: 2...25, using: &random) {
      reading.time += step
      reading.refaults += Int64.random(in: 1...900, using: &random)
      reading.filePages = Int64.random(in: 4000...9000, using: &random)
      _ = daemon.wake(.poll, reading)
    }
    return (daemon, reading)
  }

  /// What ticks do with memory as it is, and after it has fallen.
  private static func flows(
    scans: Bool, _ random: inout SplitMix64
  ) -> (least: FilePageFlow, most: FilePageFlow) {
    var least = FilePageFlow(filePages: Int64.random(in: 1000...9000, using: &random))
    least.refaultPages = Int64.random(in: 1...600, using: &random)
    least.backgroundScans = scans ? least.refaultPages : 0
    var most = FilePageFlow(filePages: Int64.random(in: 0...least.filePages, using: &random))
    most.refaultPages = least.refaultPages + Int64.random(in: 0...300, using: &random)
    most.backgroundScans = scans ? most.refaultPages : 0
    return (least, most)
  }

  @Test func `lmkd follows a path as it would wake by wake, and asks for no more than foreseen`() {
    var alwaysKilled = 0
    for seed: UInt64 in 1...4000 {
      var random = SplitMix64(seed: seed)
      var (one, reading) = Self.wokenDaemon(&random)
      let (least, most) = Self.flows(scans: seed % 2 == 0, &random)
      let begin = reading
      var low = reading
      low.freePages = Int64.random(in: 1000...begin.freePages, using: &random)
      let first = one.outlook(begin, least, every: Self.step)
      let last = one.outlook(low, most, every: Self.step)
      let alwaysKills =
        !first.isMixed && !last.isMixed && first.alwaysKills && last.alwaysKills
      alwaysKilled += alwaysKills ? 1 : 0
      var many = one
      var path = FlowPath()
      path.start(after: begin.time)
      let stretches = Self.stretches(from: least, to: most, &random)
      for (number, stretch) in stretches.enumerated() {
        path.append(stretch.count, stretch.flow)
        reading.freePages -=
          (begin.freePages - low.freePages) / Int64(stretches.count) * (number > 0 ? 1 : 0)
        for _ in 0..<stretch.count {
          reading.advance(by: Self.step, stretch.flow)
          guard case .kill(let order) = one.wake(.poll, reading) else {
            #expect(!alwaysKills, "seed \(seed)")
            continue
          }
          #expect(order.minAdj >= min(first.lowestAdj, last.lowestAdj), "seed \(seed)")
        }
      }
      many.follow(
        path, every: Self.step, from: begin, backgroundScans: reading.backgroundScans)
      #expect(one.limit == many.limit && one.thrashing == many.thrashing, "seed \(seed)")
      #expect(one.reclaimsDirectly == many.reclaimsDirectly, "seed \(seed)")
      // What each remembers shows in what it does next.
      for _ in 0..<25 {
        reading.time += Self.step
        reading.refaults += Int64.random(in: 0...900, using: &random)
        reading.filePages = Int64.random(in: 1...9000, using: &random)
        #expect(one.wake(.poll, reading) == many.wake(.poll, reading), "seed \(seed)")
        #expect(one.thrashing == many.thrashing, "seed \(seed)")
      }
    }
    #expect(alwaysKilled > 300, "\(alwaysKilled)")
  }
}

extension LMKDaemon.Reading {
  /// The next tick finds what a flow has done.
  fileprivate mutating func advance(by step: Int64, _ flow: FilePageFlow) {
    time += step
    refaults += flow.refaultPages
    backgroundScans += flow.backgroundScans
    filePages = flow.filePages
  }
}

// MARK: - Whole runs

extension SkippedTicksTests {
  /// A user who goes from app to app on a phone that is short of memory, and settings at random.
  private static func scenario(_ seed: UInt64) -> (Scenario, rows: String) {
    var random = SplitMix64(seed: seed)
    let ram = [1024, 1536, 2048, 3072].randomElement(using: &random) ?? 1024
    var scenario = Scenario(ramMiB: Int64(ram), pressure: .androidLMKD)
    // From plenty to less than one app needs.
    scenario.configuration.device.reserveBytes =
      Int64(ram) * Int64.random(in: 20...95, using: &random) / 100 << 20
    let modifiers = ["", "+saved", "+recent=2", "+interval=7s", "+until=60%"]
    scenario.policy = ["android", "lru", "size"].randomElement(using: &random) ?? "lru"
    scenario.modifiers = modifiers.randomElement(using: &random) ?? ""
    if seed % 4 == 0 {
      scenario.configuration.device.compression = .init(ratio: 3, suspendedShare: 0.6)
    }
    scenario.configuration.device.pressureParameters.android = parameters(seed, &random)
    let names = (0..<Int.random(in: 3...9, using: &random)).map { "app\($0)" }
    for name in names {
      let size = Int64.random(in: 10...400, using: &random)
      let growth = Bool.random(using: &random) ? Int64.random(in: 1...300, using: &random) : 0
      let releases = Bool.random(using: &random)
      scenario = scenario.app(name, MiB: size) {
        $0.growthBytesPerMinute = growth << 20
        $0.releasablePPM = releases ? 300_000 : 0
        $0.warningReleasePPM = 500_000
      }
    }
    return (scenario, rows(names, ram: ram, &random))
  }

  private static func parameters(
    _ seed: UInt64, _ random: inout SplitMix64
  ) -> AndroidParameters {
    var parameters = AndroidParameters()
    parameters.usesNewStrategy = seed % 3 != 0
    parameters.usesMinfreeLevels = seed % 6 == 0
    parameters.cachedLimit = seed % 5 == 0 ? 4 : 32
    guard seed % 2 == 0 else { return parameters }
    func pick<Value>(_ values: Value...) -> Value {
      values.randomElement(using: &random) ?? values[0]
    }
    parameters.stallWindowMilliseconds = pick(1000, 1000, 500, 2000, 730)
    parameters.partialStallMilliseconds = pick(nil, 20, 150, 400)
    parameters.completeStallMilliseconds = pick(700, 100, 300)
    parameters.killTimeoutMilliseconds = pick(100, 0, 37, 500)
    parameters.deathNanoseconds = pick(100, 0, 250, 133) * millisecond
    parameters.thrashingLimit = pick(nil, 10, 200)
    parameters.thrashingLimitCritical = pick(nil, 40, 1000)
    parameters.fileCacheMinKiB = pick(0, 0, 20_000)
    parameters.stallLimitCritical = pick(100, 100, 20)
    parameters.swapUtilizationMax = pick(100, 100, 5)
    parameters.swapBytes = pick(nil, nil, 20 << 20, 2000 << 20)
    parameters.swapCompressionRatio = pick(0, 0, 1)
    parameters.lowMemoryMinAdj = pick(701, 201, 1001)
    parameters.readNanoseconds = pick(100_000, 5_000, 2_000_000, 0)
    parameters.processorCount = pick(8, 1, 2)
    return parameters
  }

  private static func rows(
    _ names: [String], ram: Int, _ random: inout SplitMix64
  ) -> String {
    var rows: [String] = []
    var time: Int64 = 0
    var tasks = 0
    for _ in 0..<Int.random(in: 10...40, using: &random) {
      // Often on the grid of ticks, at times long after.
      let step: Int64 = Bool.random(using: &random) ? 100 : 7
      time += Int64.random(in: 0...120, using: &random) * step
      if Int.random(in: 0..<8, using: &random) == 0 { time += 60_000 }
      let name = names.randomElement(using: &random) ?? names[0]
      let at = "\(Double(time) / 1000)s"
      switch Int.random(in: 0..<16, using: &random) {
      case 0..<8: rows.append("\(at),\(name),launch")
      case 8: rows.append("\(at),,home")
      case 9: rows.append("\(at),\(name),background-launch")
      case 10:
        let share = Int.random(in: 20...99, using: &random)
        rows.append("\(at),,system-memory,\(ram * share / 100)MiB")
      case 11:
        tasks += 1
        rows.append("\(at),\(name),launch")
        rows.append("\(at),\(name),task-begin,,\(tasks)")
      case 12: rows.append("\(at),\(name),quit")
      case 13: rows.append("\(at),,screen,\(Bool.random(using: &random) ? 1 : 0)")
      default: break
      }
    }
    rows.append("\(Double(time + 30_000) / 1000)s,,end")
    return rows.joined(separator: "\n")
  }

  @Test func `skipped ticks change nothing, in whole runs`() throws {
    var kills = 0
    var nobody = 0
    var warnings = 0
    // The last once left a poll out that found swap no longer low.
    for seed: UInt64 in Array(1...600) + [3176] {
      let (scenario, rows) = Self.scenario(seed)
      let always = scenario.with {
        $0.configuration.device.pressureParameters.android.ticksAlways = true
      }
      let lazy = try scenario.replay(rows, on: .fast)
      let eager = try always.replay(rows, on: .fast)
      let differences = lazy.outcome.differences(from: eager.outcome, comparingScores: true)
      #expect(differences == [], "seed \(seed)")
      #expect(lazy.system == eager.system, "seed \(seed)")
      #expect(try Self.stalls(scenario, rows) == Self.stalls(always, rows), "seed \(seed)")
      kills += lazy.story(.purge, .kill).count
      nobody += Int(lazy.system.noVictimDecisions)
      warnings += lazy.story(.warning).count
      if !differences.isEmpty { break }
    }
    // Runs in which nothing happens prove nothing.
    #expect(kills > 1000 && nobody > 200 && warnings > 1000, "\(kills) \(nobody) \(warnings)")
  }

  /// What was accounted for by the end of a run.
  private static func stalls(_ scenario: Scenario, _ rows: String) throws -> [Int64] {
    let trace = try Trace(rows: rows)
    var configuration = scenario.configuration
    configuration.profiles = trace.apps.map { scenario.profiles[$0] ?? AppProfile() }
    var engine = try ReplayEngine(
      trace, configuration, policy: LeastRecentlyUsed(), spec: PolicySpec(parsing: "lru"),
      recorder: nil)
    _ = try engine.run(trace)
    return stalls(engine.simulation.androidBox.value)
  }

  private static func stalls(_ android: borrowing AndroidState) -> [Int64] {
    [
      android.stall.some.totalNanoseconds, android.stall.full.totalNanoseconds, android.refaults,
      android.directScans, android.backgroundScans, android.lastTick, android.nextPoll,
    ]
  }
}
