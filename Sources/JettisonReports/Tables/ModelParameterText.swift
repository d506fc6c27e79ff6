package import JettisonCore
internal import JettisonSupport

/// Parameters of a platform's killer as text.
package enum ModelParameterText {
  /// Those that the killer of a run reads, each with its value.
  package static func inForce(
    _ configuration: RunConfiguration
  ) -> [(key: String, value: String)] {
    PressureParameters.parameters(of: configuration.pressure).map {
      ($0.key, value(of: $0, in: configuration.device.pressureParameters))
    }
  }

  /// A value as `--set` takes it; `auto` where it follows from the device.
  package static func value(
    of parameter: ModelParameter, in parameters: PressureParameters
  ) -> String {
    switch parameter.place {
    case .percent(let path): "\(NumberText.real(parameters[keyPath: path]))%"
    case .optionalPercent(let path):
      parameters[keyPath: path].map { "\(NumberText.real($0))%" } ?? "auto"
    case .number(let path): NumberText.real(parameters[keyPath: path])
    case .count(let path): "\(parameters[keyPath: path])"
    case .optionalCount(let path): parameters[keyPath: path].map { "\($0)" } ?? "auto"
    case .duration(let path): duration(parameters[keyPath: path])
    case .optionalDuration(let path): parameters[keyPath: path].map(duration) ?? "auto"
    case .bytes(let path): size(parameters[keyPath: path])
    case .optionalBytes(let path): parameters[keyPath: path].map(size) ?? "auto"
    case .flag(let path): parameters[keyPath: path] ? "on" : "off"
    case .optionalFlag(let path): parameters[keyPath: path].map { $0 ? "on" : "off" } ?? "auto"
    case .limits(let path): limits(parameters[keyPath: path])
    case .text(let path): parameters[keyPath: path]
    }
  }

  /// Limits of Android's Memory Limiter: RAM, visible processes, others, and swap of both.
  private static func limits(_ limits: MemoryLimits) -> String {
    switch limits {
    case .automatic: "auto"
    case .none: "none"
    case .sets(let sets):
      sets.map { set in
        let figures = [
          set.visible.memoryBytes, set.notVisible.memoryBytes, set.visible.swapBytes,
          set.notVisible.swapBytes,
        ]
        return "\(size(set.minimumRAMBytes)):" + figures.map(size).joined(separator: "/")
      }
      .joined(separator: "+")
    }
  }

  /// Nanoseconds in the largest unit up to seconds that leaves a whole number.
  private static func duration(_ nanoseconds: Int64) -> String {
    let units: [(name: String, nanoseconds: Int64)] = [
      ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000),
    ]
    let unit = units.first { nanoseconds % $0.nanoseconds == 0 }
    return "\(nanoseconds / (unit?.nanoseconds ?? 1))\(unit?.name ?? "ns")"
  }

  /// Bytes in the largest unit up to MiB that leaves a whole number.
  private static func size(_ bytes: Int64) -> String {
    let units: [(name: String, bytes: Int64)] = [("MiB", 1 << 20), ("KiB", 1 << 10)]
    let unit = units.first { bytes > 0 && bytes % $0.bytes == 0 }
    return "\(bytes / (unit?.bytes ?? 1))\(unit?.name ?? "")"
  }
}
