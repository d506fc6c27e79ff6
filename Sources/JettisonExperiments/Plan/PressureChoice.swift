package import JettisonCore

/// Which pressure model serves a device.
package enum PressureChoice {
  /// Names that `--pressure` takes.
  package static let known: [String] = PressureModelKind.allCases.map(\.rawValue)

  /// The model of a device, or of `--pressure` if it is given.
  package static func choose(
    for device: Device, option: String?
  ) throws(ConfigurationError) -> PressureModelKind {
    if let option {
      guard let model = PressureModelKind(rawValue: option) else {
        throw .unknown(what: "pressure model", name: option, known: known)
      }
      return model
    }
    if device.isIdealCache { return .idealCache }
    return device.era?.pressureModel ?? .thresholds
  }
}
