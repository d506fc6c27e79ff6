package import JettisonCore

/// Parameters of a platform's killer as text.
package enum ModelParameterText {
  /// All that decide something in a run, `key=value` joined by `;`.
  package static func list(_ configuration: RunConfiguration) -> String {
    PressureParameters.parameters(of: configuration.pressure.family)
      .map { "\($0.key)=\(value(of: $0, in: configuration.device.pressureParameters))" }
      .joined(separator: ";")
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
    case .duration(let path): "\(parameters[keyPath: path])ns"
    case .optionalDuration(let path): parameters[keyPath: path].map { "\($0)ns" } ?? "auto"
    case .bytes(let path): "\(parameters[keyPath: path])"
    case .optionalBytes(let path): parameters[keyPath: path].map { "\($0)" } ?? "auto"
    case .flag(let path): parameters[keyPath: path] ? "on" : "off"
    case .optionalFlag(let path): parameters[keyPath: path].map { $0 ? "on" : "off" } ?? "auto"
    case .text(let path): parameters[keyPath: path]
    }
  }
}
