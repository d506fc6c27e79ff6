import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

/// Whatever is written for a parameter of a killer, a run comes to its end.
@Suite("Extremes of the killers' parameters") struct ParameterExtremesTests {
  private static let models = PressureModelKind.allCases.filter {
    !PressureParameters.parameters(of: $0.family).isEmpty
  }
  private static let seeds: ClosedRange<UInt64> = 1...4
  private static let texts = ["", "*", "/,/,a/b,[", String(repeating: "a/", count: 200)]

  private static let limits: [MemoryLimits] =
    [MemoryLimits.none]
    + [0, 1, Int64.max].map { bytes in
      let limit = MemoryLimit(memoryBytes: bytes, swapBytes: bytes)
      return .sets([MemoryLimitSet(minimumRAMBytes: 0, visible: limit, notVisible: limit)])
    }

  /// How many extremes a parameter can take.
  private static func count(_ place: ModelParameter.Place) -> Int {
    switch place {
    case .flag, .optionalFlag: 2
    case .limits: limits.count
    case .text: texts.count
    default: 3
    }
  }

  private static func store(
    _ extreme: Int, at place: ModelParameter.Place, in parameters: inout PressureParameters
  ) {
    let percent = [0, Double.leastNonzeroMagnitude, 100]
    let number = [0, Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude]
    let whole = [0, 1, Int64.max]
    switch place {
    case .percent(let path): parameters[keyPath: path] = percent[extreme]
    case .optionalPercent(let path): parameters[keyPath: path] = percent[extreme]
    case .number(let path): parameters[keyPath: path] = number[extreme]
    case .count(let path): parameters[keyPath: path] = Int(whole[extreme])
    case .optionalCount(let path): parameters[keyPath: path] = Int(whole[extreme])
    case .duration(let path): parameters[keyPath: path] = whole[extreme]
    case .optionalDuration(let path): parameters[keyPath: path] = whole[extreme]
    case .bytes(let path): parameters[keyPath: path] = whole[extreme]
    case .optionalBytes(let path): parameters[keyPath: path] = whole[extreme]
    case .flag(let path): parameters[keyPath: path] = extreme == 1
    case .optionalFlag(let path): parameters[keyPath: path] = extreme == 1
    case .limits(let path): parameters[keyPath: path] = limits[extreme]
    case .text(let path): parameters[keyPath: path] = texts[extreme]
    }
  }

  private static func run(
    _ model: PressureModelKind, _ seed: UInt64, _ change: (inout PressureParameters) -> Void
  ) throws {
    var random = RandomTrace.make(seed: seed)
    random.configuration.pressure = model
    random.configuration.capacityApps = nil
    random.configuration.device.compression = .init(ratio: 2, suspendedShare: 0.5)
    random.configuration.device.pressureParameters.jetsam.freezes = true
    for (position, name) in random.profiles.keys.sorted().enumerated() where position % 2 == 0 {
      random.profiles[name]?.processKind = .daemon
    }
    change(&random.configuration.device.pressureParameters)
    var (trace, configuration) = try random.inputs()
    // Of a trace that lasts hours, 100 000 ticks are enough: at 1 ms, the least, one that is under
    // pressure to its end has millions.
    let interval = configuration.device.pressureParameters.linux.oomdIntervalNanoseconds
    configuration.device.pressureParameters.linux.oomdIntervalNanoseconds =
      max(interval, trace.index.endNanoseconds / 100_000)
    let name = model.family == .linux ? "linux-oom" : "lru"
    let result = try PolicySpec(parsing: name).run(trace, configuration)
    #expect(result.apps.count == trace.apps.count, "\(random)")
  }

  @Test("Each parameter alone", arguments: models)
  func alone(model: PressureModelKind) throws {
    for parameter in PressureParameters.parameters(of: model.family) {
      for extreme in 0..<Self.count(parameter.place) {
        for seed in Self.seeds {
          try Self.run(model, seed) { Self.store(extreme, at: parameter.place, in: &$0) }
        }
      }
    }
  }

  @Test("All parameters of a family, each at an extreme of its own", arguments: models)
  func together(model: PressureModelKind) throws {
    for seed in 1...60 as ClosedRange<UInt64> {
      var generator = SplitMix64(seed: KeyedRandom.mix(seed))
      try Self.run(model, seed) { parameters in
        for parameter in PressureParameters.parameters(of: model.family) {
          let count = Self.count(parameter.place)
          Self.store(
            Int.random(in: 0..<count, using: &generator), at: parameter.place, in: &parameters)
        }
      }
    }
  }
}
