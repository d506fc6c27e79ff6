import Testing

@testable import JettisonCore

@Suite("Linux: oomd's engine")
struct OomdEngineTests {
  static let second: Int64 = 1_000_000_000
  static let tree = ControlGroupTree(paths: ["p/first", "p/second"])
  static let kill = OomdConfiguration.Kill(
    .memorySizeOrGrowth(sizePercent: 50, growingPercentile: 80, minimumGrowthRatio: 1.25),
    groups: "p/*")

  /// Everything quiet, two processes.
  static func quiet() -> [ControlGroupFigures] {
    var figures = Array(repeating: ControlGroupFigures(), count: tree.nodes.count)
    for node in figures.indices {
      figures[node].processCount = node > 1 ? 1 : 2
      figures[node].usageBytes = 100
      figures[node].anonymousBytes = 100
    }
    return figures
  }

  static func ruleset(
    _ groups: [[OomdConfiguration.Detector]], _ actions: [OomdConfiguration.Action]
  ) -> OomdConfiguration.Ruleset {
    OomdConfiguration.Ruleset(
      name: "r",
      detectorGroups: groups.map { OomdConfiguration.DetectorGroup(name: "g", detectors: $0) },
      actions: actions)
  }

  static func engine(_ rulesets: OomdConfiguration.Ruleset...) -> OomdEngine {
    OomdEngine(OomdConfiguration(rulesets: rulesets), tree: tree)
  }

  /// Ticks every 5 s; the numbers of those in which a kill was due.
  ///
  /// Every kill succeeds unless told otherwise.
  static func ticks(
    _ engine: inout OomdEngine, _ count: Int, kills: Bool = true,
    _ figures: (Int, inout [ControlGroupFigures], inout MachineFigures) -> Void
  ) -> [Int] {
    var fired: [Int] = []
    for tick in 1...count {
      var seen = quiet()
      var machine = MachineFigures(
        ramBytes: 1000, swapTotalBytes: 1000, swapFreeBytes: 1000)
      figures(tick, &seen, &machine)
      let time = Int64(tick) * 5 * second
      engine.tick(at: time, figures: seen, machine: machine)
      while let due = engine.nextKill() {
        fired.append(tick)
        engine.finish(due, killed: kills, at: time)
      }
    }
    return fired
  }

  static let always = OomdConfiguration.Detector.constant(true)
  static let never = OomdConfiguration.Detector.constant(false)

  @Test("A group needs all its detectors, a ruleset one of its groups")
  func groups() {
    for (groups, expected) in [
      ([[Self.always, Self.never], [Self.always]], [1]), ([[Self.always, Self.never]], []),
      ([[Self.always, Self.always]], [1]), ([], []),
    ] {
      var engine = Self.engine(Self.ruleset(groups, [.kill(Self.kill)]))
      #expect(Self.ticks(&engine, 1) { _, _, _ in } == expected)
    }
  }

  @Test("A kill lets the ruleset rest for its delay; the kill's own delay comes first")
  func rests() {
    var ruleset = Self.ruleset([[Self.always]], [.kill(Self.kill)])
    var engine = Self.engine(ruleset)
    #expect(Self.ticks(&engine, 8) { _, _, _ in } == [1, 4, 7])
    ruleset.postActionDelayNanoseconds = 0
    engine = Self.engine(ruleset)
    #expect(Self.ticks(&engine, 3) { _, _, _ in } == [1, 2, 3])
    var kill = Self.kill
    kill.postActionDelayNanoseconds = 10 * Self.second
    ruleset.actions = [.kill(kill)]
    engine = Self.engine(ruleset)
    #expect(Self.ticks(&engine, 6) { _, _, _ in } == [1, 3, 5])
  }

  @Test("Actions run in order until one stops; a failure passes on, and no ruleset rests")
  func actions() {
    var engine = Self.engine(
      Self.ruleset([[Self.always]], [.kill(Self.kill), .kill(Self.kill)]))
    #expect(Self.ticks(&engine, 2, kills: false) { _, _, _ in } == [1, 1, 2, 2])
    engine = Self.engine(
      Self.ruleset([[Self.always]], [.kill(Self.kill), .stop, .kill(Self.kill)]))
    #expect(Self.ticks(&engine, 2, kills: false) { _, _, _ in } == [1, 2])
    var kill = Self.kill
    kill.alwaysContinues = true
    engine = Self.engine(Self.ruleset([[Self.always]], [.kill(kill), .kill(Self.kill)]))
    #expect(Self.ticks(&engine, 2) { _, _, _ in } == [1, 1])
  }

  @Test("Rulesets act one after the other, each by itself")
  func rulesets() {
    var engine = Self.engine(
      Self.ruleset([[Self.always]], [.kill(Self.kill)]),
      Self.ruleset([[Self.never]], [.kill(Self.kill)]),
      Self.ruleset([[Self.always]], [.kill(Self.kill)]))
    #expect(Self.ticks(&engine, 1) { _, _, _ in } == [1, 1])
  }

  @Test("Pressure must be above its threshold without a break, in the group weighed heaviest")
  func pressureAbove() {
    let detector = OomdConfiguration.Detector.pressureAbove(
      groups: "p/*", .memory, percent: 60, durationNanoseconds: 10 * Self.second)
    var engine = Self.engine(Self.ruleset([[detector]], [.kill(Self.kill)]))
    let fired = Self.ticks(&engine, 9) { tick, figures, _ in
      // The break at tick 3 begins the duration anew; at tick 8 the second weighs more.
      figures[2].pressure10 = tick == 3 ? 60 : 61
      if tick >= 8 { figures[3].pressure300 = 1000 }
    }
    #expect(fired == [6])
    let io = OomdConfiguration.Detector.pressureAbove(
      groups: "p/*", .io, percent: 0, durationNanoseconds: 0)
    engine = Self.engine(Self.ruleset([[io]], [.kill(Self.kill)]))
    #expect(Self.ticks(&engine, 3) { _, figures, _ in figures[2].pressure10 = 100 } == [])
  }

  @Test("Rising pressure: long above, now above, and not falling fast")
  func pressureRising() {
    let detector = OomdConfiguration.Detector.pressureRisingBeyond(
      groups: "p", .memory, percent: 50, durationNanoseconds: 5 * Self.second,
      fastFallRatio: 0.85)
    var ruleset = Self.ruleset([[detector]], [.kill(Self.kill)])
    ruleset.postActionDelayNanoseconds = 0
    var engine = Self.engine(ruleset)
    let tens = [90.0, 84, 71, 60, 51, 60, 40, 55]
    let fired = Self.ticks(&engine, tens.count) { tick, figures, _ in
      figures[1].pressure60 = tick == 8 ? 50 : 55
      figures[1].pressure10 = tens[tick - 1]
    }
    // 84 ≥ 0.85·90; 71 < 71.4; 60 < 60.35; 51 ≥ 51; 60 rises; 40 is below; 60 s are not above.
    #expect(fired == [2, 5, 6])
  }

  @Test("Memory above: the largest usage, in bytes or percent of RAM")
  func memoryAbove() {
    func fired(_ size: OomdConfiguration.Size, anonymous: Bool) -> [Int] {
      let detector = OomdConfiguration.Detector.memoryAbove(
        groups: "p/*", size, isAnonymous: anonymous, durationNanoseconds: 5 * Self.second)
      var engine = Self.engine(Self.ruleset([[detector]], [.kill(Self.kill)]))
      return Self.ticks(&engine, 4) { tick, figures, _ in
        figures[3].usageBytes = tick == 2 ? 400 : 401
        figures[3].anonymousBytes = 300
      }
    }
    #expect(fired(.bytes(400), anonymous: false) == [4])
    #expect(fired(.percent(40), anonymous: false) == [4])
    #expect(fired(.percent(30), anonymous: true) == [])
    #expect(fired(.percent(29), anonymous: true) == [2])
  }

  @Test("Memory reclaim: scans rose within the duration, inclusive")
  func memoryReclaim() {
    let detector = OomdConfiguration.Detector.memoryReclaim(
      groups: "p/*", durationNanoseconds: 10 * Self.second)
    var ruleset = Self.ruleset([[detector]], [.kill(Self.kill)])
    ruleset.postActionDelayNanoseconds = 0
    var engine = Self.engine(ruleset)
    let fired = Self.ticks(&engine, 8) { tick, figures, _ in
      figures[2].scannedPages = tick < 3 ? 0 : 7
    }
    #expect(fired == [3, 4, 5])
  }

  @Test("Swap free: below a percentage, and swapping out fast enough")
  func swapFree() {
    func fired(_ rate: Double) -> [Int] {
      let detector = OomdConfiguration.Detector.swapFree(
        percent: 10, swapOutBytesPerSecond: rate)
      var ruleset = Self.ruleset([[detector]], [.kill(Self.kill)])
      ruleset.postActionDelayNanoseconds = 0
      var engine = Self.engine(ruleset)
      return Self.ticks(&engine, 3) { tick, _, machine in
        machine.swapFreeBytes = tick == 1 ? 100 : 99
        machine.swapOutBytesPerSecond = tick == 3 ? 50 : 0
      }
    }
    #expect(fired(0) == [2, 3])
    #expect(fired(50) == [3])
    #expect(fired(51) == [])
  }

  @Test("Exists, and its negation, are about processes")
  func exists() {
    for (patterns, negate, expected) in [
      ("p/first", false, [1]), ("p/first", true, [2]), ("none", false, []),
      ("none", true, [1, 2]),
    ] {
      let detector = OomdConfiguration.Detector.exists(groups: patterns, negate: negate)
      var ruleset = Self.ruleset([[detector]], [.kill(Self.kill)])
      ruleset.postActionDelayNanoseconds = 0
      var engine = Self.engine(ruleset)
      let fired = Self.ticks(&engine, 2) { tick, figures, _ in
        if tick == 2 { figures[2].processCount = 0 }
      }
      #expect(fired == expected, "\(patterns), negate \(negate)")
    }
  }

  @Test("Detectors keep state while others say no, and while the ruleset rests")
  func keepsState() {
    let pressure = OomdConfiguration.Detector.pressureAbove(
      groups: "p", .memory, percent: 60, durationNanoseconds: 10 * Self.second)
    let gate = OomdConfiguration.Detector.memoryAbove(
      groups: "p", .bytes(100), isAnonymous: false, durationNanoseconds: 0)
    var engine = Self.engine(Self.ruleset([[gate, pressure]], [.kill(Self.kill)]))
    let fired = Self.ticks(&engine, 8) { tick, figures, _ in
      figures[1].pressure10 = 70
      figures[1].usageBytes = tick >= 4 ? 101 : 100
    }
    #expect(fired == [4, 7])
  }

  @Test("A kill by scans samples first and goes on in the next tick, whatever detectors say")
  func samplesScans() {
    let kill = OomdConfiguration.Kill(.pageScans, groups: "p/*")
    let once = OomdConfiguration.Detector.memoryAbove(
      groups: "p", .bytes(100), isAnonymous: false, durationNanoseconds: 0)
    var engine = Self.engine(Self.ruleset([[once]], [.kill(kill)]))
    var victims: [[Int]] = []
    for tick in 1...3 {
      var figures = Self.quiet()
      figures[1].usageBytes = tick == 1 ? 101 : 100
      figures[2].scannedPages = Int64(tick * 10)
      figures[3].scannedPages = Int64(tick * tick * 10)
      engine.tick(
        at: Int64(tick) * 5 * Self.second, figures: figures, machine: MachineFigures())
      while let due = engine.nextKill() {
        victims.append(engine.order(of: due, tree: Self.tree))
        engine.finish(due, killed: true, at: Int64(tick) * 5 * Self.second)
      }
    }
    #expect(victims == [[3, 2]])
  }

  @Test("The sample for a desktop watches pressure and swap")
  func desktop() {
    let tree = ControlGroupTree(paths: ["user.slice/app-a", "user.slice/app-b"])
    var engine = OomdEngine(.desktop, tree: tree)
    var triggers: [(Int64, OomdConfiguration.Ranking)] = []
    for tick: Int64 in 1...20 {
      var figures = Array(repeating: ControlGroupFigures(), count: tree.nodes.count)
      figures[1].pressure10 = tick >= 5 ? 61 : 60
      figures[1].scannedPages = tick
      let machine = MachineFigures(
        ramBytes: 1000, swapTotalBytes: 1000, swapFreeBytes: tick == 3 ? 99 : 100)
      engine.tick(at: tick * 5 * Self.second, figures: figures, machine: machine)
      while let due = engine.nextKill() {
        triggers.append((tick, due.kill.ranking))
        engine.finish(due, killed: true, at: tick * 5 * Self.second)
      }
    }
    #expect(triggers.map(\.0) == [3, 11, 14, 17, 20])
    #expect(triggers.first?.1 == .swapUsage(.bytes(1), isBiased: false))
    #expect(
      triggers.last?.1
        == .memorySizeOrGrowth(
          sizePercent: 50, growingPercentile: 80, minimumGrowthRatio: 1.25))
  }
}
