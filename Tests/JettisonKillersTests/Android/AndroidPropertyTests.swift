import JettisonCore
import JettisonTestSupport
import Testing

/// What holds under Android's models on random traces; a failure prints its case.
struct AndroidPropertyTests {
  private static let models: [PressureModelKind] = [.androidLMK, .androidLMKD]
  private static let seeds: ClosedRange<UInt64> = 1...200

  private static func make(_ seed: UInt64, _ model: PressureModelKind) -> RandomCase {
    var random = RandomTrace.make(seed: seed)
    random.configuration.pressure = model
    // Of the modifiers only the one that leaves a decision its one victim.
    random.modifiers = seed % 3 == 1 ? "+saved" : ""
    random.configuration.capacityApps = nil
    random.configuration.warmUpNanoseconds = 0
    var parameters = AndroidParameters()
    parameters.cachedLimit = seed % 3 == 0 ? 4 : 32
    parameters.usesNewStrategy = seed % 5 != 0
    parameters.usesMinfreeLevels = seed % 10 == 0
    parameters.swapBytes = seed % 4 == 0 ? 10 << 20 : nil
    random.configuration.device.pressureParameters.android = parameters
    if seed % 4 == 0 {
      random.configuration.device.compression = .init(ratio: 3, suspendedShare: 0.7)
    }
    return random
  }

  private static func run(_ random: RandomCase) throws -> (Trace, ModelOutcome) {
    let (trace, configuration) = try random.inputs()
    let (result, events, decisions) = NamedEngine.fast.run(
      trace, configuration, "android", random.modifiers)
    return (trace, ModelOutcome(result: result, events: events, decisions: decisions))
  }

  @Test("Every end by the killer belongs to a decision that chose it", arguments: models)
  func decisions(model: PressureModelKind) throws {
    var victims = 0
    for seed in Self.seeds {
      let random = Self.make(seed, model)
      let (_, outcome) = try Self.run(random)
      for event in outcome.events where event.kind == .purge || event.kind == .kill {
        if event.cause == .limit { continue }
        victims += 1
        let decision = outcome.decisions.first { $0.number == event.decision }
        let chosen = decision?.candidates.filter(\.isChosen) ?? []
        #expect(chosen.map(\.app) == [event.app], "\(random)")
        #expect(decision?.trigger == event.cause, "\(random)")
        #expect((chosen.first?.state == .suspended) == (event.kind == .purge), "\(random)")
      }
    }
    // Cases in which nobody is killed prove nothing.
    #expect(victims > 100)
  }

  @Test("Candidates have values, and those of equal rights the highest goes", arguments: models)
  func order(model: PressureModelKind) throws {
    for seed in Self.seeds {
      let random = Self.make(seed, model)
      for decision in try Self.run(random).1.decisions {
        let bands = decision.candidates.compactMap(\.band)
        #expect(bands.count == decision.candidates.count, "\(random)")
        #expect(bands.allSatisfy { (-1000...999).contains($0) }, "\(random)")
        if random.modifiers.isEmpty { #expect(bands == bands.sorted(by: >), "\(random)") }
        let fronts = decision.candidates.filter { $0.state == .active || $0.state == .inactive }
        #expect(fronts.allSatisfy { $0.band == 0 }, "\(random)")
      }
    }
  }

  @Test("Totals are sums of rows, and suspended apps hear nothing", arguments: models)
  func totals(model: PressureModelKind) throws {
    for seed in Self.seeds {
      let random = Self.make(seed, model)
      let (_, outcome) = try Self.run(random)
      func count(_ kind: RecordedKind) -> Int64 {
        Int64(outcome.events.filter { $0.kind == kind }.count)
      }
      func sum(_ counter: (AppTotals) -> Int64) -> Int64 {
        outcome.result.apps.reduce(0) { $0 + counter($1) }
      }
      let purged = outcome.events.filter { $0.kind == .purge }.reduce(0) { $0 + ($1.bytes ?? 0) }
      #expect(sum(\.purges) == count(.purge), "\(random)")
      #expect(sum(\.purgedBytes) == purged, "\(random)")
      #expect(
        sum(\.backgroundKills) + sum(\.foregroundKills) + sum(\.limitKills) == count(.kill),
        "\(random)")
      #expect(sum(\.warnings) == count(.warning), "\(random)")
      #expect(
        outcome.result.system.noVictimDecisions
          == Int64(outcome.decisions.filter { $0.candidates.isEmpty }.count), "\(random)")
      var states: [AppIndex: AppState] = [:]
      for event in outcome.events {
        if event.kind == .state { states[event.app] = event.stateAfter }
        guard event.kind == .message, states[event.app] == .suspended else { continue }
        #expect(event.message.name.contains("EnterForeground"), "\(random)")
      }
    }
  }

  @Test("A run repeats itself", arguments: models)
  func repetition(model: PressureModelKind) throws {
    for seed in Self.seeds.prefix(60) {
      let random = Self.make(seed, model)
      let first = try Self.run(random).1
      let second = try Self.run(random).1
      #expect(first.differences(from: second, comparingScores: true) == [], "\(random)")
    }
  }

  @Test("Absurd parameters trap nowhere", arguments: models)
  func absurd(model: PressureModelKind) throws {
    for (position, extreme) in [0, 1, Int.max].enumerated() {
      for seed in Self.seeds.prefix(30) {
        var random = Self.make(seed, model)
        var android = AndroidParameters()
        android.displayPixels = extreme
        android.processorCount = extreme
        android.minimumFreeBytes = Int64(extreme)
        android.extraFreeBytes = Int64(extreme)
        android.workingSetPercent = position == 0 ? 0 : 100
        android.touchesPerSecond = Double(extreme)
        android.readNanoseconds = Int64(extreme)
        android.reclaimNanoseconds = Int64(extreme)
        android.swapInNanoseconds = Int64(extreme)
        android.swapBytes = Int64(extreme)
        android.deathNanoseconds = Int64(extreme)
        android.cachedLimit = extreme
        android.emptyNanoseconds = Int64(extreme)
        android.minfreeAbsoluteBytes = Int64(extreme)
        android.minfreeAdjustmentBytes = Int64(extreme)
        android.usesNewStrategy = seed % 2 == 0
        android.stallWindowMilliseconds = extreme
        android.partialStallMilliseconds = extreme
        android.completeStallMilliseconds = extreme
        android.killTimeoutMilliseconds = extreme
        android.swapFreeLowPercent = extreme
        android.thrashingLimit = extreme
        android.thrashingLimitDecay = extreme
        android.thrashingLimitCritical = extreme
        android.fileCacheMinKiB = extreme
        android.swapCompressionRatio = extreme
        random.configuration.device.pressureParameters.android = android
        // A run that failed has no footprints.
        let (trace, outcome) = try Self.run(random)
        #expect(outcome.result.footprints.count == trace.apps.count, "\(random)")
      }
    }
  }
}
