package import JettisonCore

/// Which pressure model serves a device.
package enum PressureChoice {
  /// Names that `--pressure` takes.
  package static let known: [String] = PressureModelKind.allCases.map(\.rawValue)

  /// The model of a name.
  package static func model(named name: String) throws(ConfigurationError) -> PressureModelKind {
    guard let model = PressureModelKind(rawValue: name) else {
      throw .unknown(what: "pressure model", name: name, known: known)
    }
    return model
  }

  /// The model of a device, or of `--pressure` if it is given.
  package static func choose(
    for device: Device, option: String?
  ) throws(ConfigurationError) -> PressureModelKind {
    if let option { return try model(named: option) }
    if device.isIdealCache { return .idealCache }
    return device.era?.pressureModel ?? .thresholds
  }
}
