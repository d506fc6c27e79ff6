public import JettisonCore
import JettisonPolicies
import JettisonTraces

/// A replay whose speed is watched: a decoded trace, a policy and everything that is in force.
public struct ReplayCase: Sendable {
  /// Kebab-case name.
  public let name: String
  /// What its events are called.
  public let unit: String
  private let policy: String
  private let makeTrace: @Sendable (Int) throws -> Trace
  private let makeConfiguration: @Sendable (Trace) throws -> RunConfiguration

  /// Every case.
  public static let all: [ReplayCase] = [
    launches(apps: 20, residents: 8),
    launches(apps: 60, residents: 25),
    launches(apps: 200, residents: 60),
    launches(apps: 100, residents: 29),
    launches(apps: 100, residents: 29, policy: "sieve"),
    launches(apps: 100, residents: 29, policy: "gdsf"),
    launches(apps: 60, residents: 25, policy: "lru+saved"),
    launches(apps: 200, residents: 60, policy: "lru+saved"),
    launches(apps: 60, residents: 25, policy: "landlord-loss"),
    allocations("allocations") { try AllocationWorkload.configuration(footprints: .arena) },
    allocations("allocations-uncached") {
      try AllocationWorkload.configuration(footprints: .arena, usesThreadCache: false)
    },
    allocations("allocations-declared") {
      try AllocationWorkload.configuration(footprints: .declared)
    },
    usage("usage", footprints: .arena),
    usage("usage-declared", footprints: .declared),
  ]

  /// Launches on the textbook cache.
  public static func launches(
    apps: Int, residents: Int, policy: String = "lru"
  ) -> ReplayCase {
    let workload = LaunchWorkload(apps: apps, residents: residents)
    return ReplayCase(
      name: "launches-\(apps)-\(residents)-\(policy)", unit: "launches", policy: policy,
      makeTrace: { workload.trace(launches: $0) },
      makeConfiguration: { _ in try workload.configuration() })
  }

  private static func allocations(
    _ name: String, _ configuration: @escaping @Sendable () throws -> RunConfiguration
  ) -> ReplayCase {
    ReplayCase(
      name: name, unit: "operations", policy: "lru",
      makeTrace: { AllocationWorkload.trace(operations: $0) },
      makeConfiguration: { _ in try configuration() })
  }

  /// Days of a user on a phone with all its rules: warnings, saves, purges of suspended apps.
  private static func usage(_ name: String, footprints: FootprintSource) -> ReplayCase {
    ReplayCase(
      name: name, unit: "events", policy: "lru+saved",
      makeTrace: { rows in
        try TraceLoader.read(text: TextWorkload.usage(rows: rows).span, name: "usage")
      },
      makeConfiguration: { trace in
        let device = try DeviceTable.device(named: "iphone-4")
        var configuration = RunConfiguration(
          device: device, pressure: .thresholds,
          profiles: try TraceLoader.profiles(of: trace, at: "usage.csv", on: device))
        configuration.footprints = footprints
        return configuration
      })
  }

  /// The trace, of `size` events and an `end`.
  public func trace(size: Int) throws -> Trace { try makeTrace(size) }

  /// A replay of a trace of this case that is ready to go.
  public func replay(_ trace: Trace) throws -> () throws -> RunResult {
    let configuration = try makeConfiguration(trace)
    let policy = try PolicySpec(parsing: policy)
    return { try policy.run(trace, configuration) }
  }
}

extension RunResult {
  /// A hash of every figure: equal for equal results.
  public var hash: UInt64 {
    var hash = ContentHash()
    for app in apps { hash.add("\(app)") }
    for footprint in footprints { hash.add("\(footprint)") }
    hash.add("\(system)")
    for sample in relaunchWaits + staleness {
      hash.add(UInt64(sample.app.rawValue))
      hash.add(UInt64(bitPattern: sample.nanoseconds))
      hash.add(UInt64(sample.count))
    }
    return hash.value
  }
}
