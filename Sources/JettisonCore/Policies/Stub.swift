/// Parameter of a policy.
public struct PolicyParameter: Sendable {
  public let name: String
  public let summary: String
  public let defaultText: String
}

/// What the registry knows about a policy.
public struct PolicyDescriptor: Sendable {
  public let name: String
  public let family: String
  public let summary: String
  public let source: String
  public let complexity: String
  public let parameters: [PolicyParameter]
}

/// All policies.
public enum PolicyRegistry {
  public static let all: [PolicyDescriptor] = [
    PolicyDescriptor(
      name: "lru", family: "recency", summary: "Purge the app left longest ago.", source: "",
      complexity: "O(1)", parameters: []),
    PolicyDescriptor(
      name: "size", family: "size", summary: "Purge the largest app.", source: "",
      complexity: "O(1)", parameters: []),
  ]
}

/// A policy as named on the command line.
public struct PolicySpec: Sendable {
  public let name: String

  public init(parsing text: String) throws(ConfigurationError) {
    let base = text.split(separator: ":").first.map(String.init) ?? text
    let plain = base.hasSuffix("+saved") ? String(base.dropLast(6)) : base
    let known = PolicyRegistry.all.map(\.name)
    guard known.contains(plain) else {
      throw .unknown(what: "policy", name: plain, known: known)
    }
    name = text
  }

  public func run(
    _ trace: Trace, _ configuration: RunConfiguration, recorder: (any Recorder)?
  ) throws(RunError) -> RunResult {
    RunResult(
      apps: trace.apps.map { _ in AppTotals() },
      footprints: trace.apps.map { _ in FootprintStatistics() }, system: SystemTotals(),
      relaunchWaits: [], staleness: [])
  }
}

/// Why a run stopped.
public enum RunError: Error, CustomStringConvertible {
  case stub
  public var description: String { "stub" }
}

/// Known devices.
public enum DeviceTable {
  public static let all: [Device] = {
    var phone = Device(
      name: "iphone-4", ramBytes: 512 << 20, reserveBytes: 161 << 20, source: "stub")
    phone.era = .ios4
    var ideal = Device(name: "ideal-cache", ramBytes: 512 << 20, reserveBytes: 0, source: "stub")
    ideal.isIdealCache = true
    return [phone, ideal]
  }()

  public static func device(named name: String) throws(ConfigurationError) -> Device {
    guard let device = all.first(where: { $0.name == name }) else {
      throw .unknown(what: "device", name: name, known: all.map(\.name))
    }
    return device
  }
}
