package import JettisonCore

/// Which pressure model serves a device, and what to say when it is not the one asked for.
package struct PressureChoice: Sendable, Equatable {
  /// The model in force.
  package let model: PressureModelKind
  /// Why it is not the model of the device or the option; nil if it is.
  package let note: String?

  /// Names that `--pressure` takes: the models that exist and those that are planned by era.
  package static let known: [String] = {
    var names = PressureModelKind.allCases.map(\.rawValue)
    names += Era.allCases.map(\.rawValue).filter { !names.contains($0) }
    return names
  }()

  /// The model of a device, or of `--pressure` if it is given.
  package static func choose(
    for device: Device, option: String?
  ) throws(ConfigurationError) -> PressureChoice {
    if let option {
      if let model = PressureModelKind(rawValue: option) {
        return PressureChoice(model: model, note: nil)
      }
      guard known.contains(option) else {
        throw .unknown(what: "pressure model", name: option, known: known)
      }
      return PressureChoice(
        model: .thresholds,
        note: "the pressure model '\(option)' is not built yet: 'thresholds' serves instead")
    }
    if device.isIdealCache { return PressureChoice(model: .idealCache, note: nil) }
    guard let era = device.era else { return PressureChoice(model: .thresholds, note: nil) }
    if let model = PressureModelKind(rawValue: era.rawValue) {
      return PressureChoice(model: model, note: nil)
    }
    return PressureChoice(
      model: .thresholds,
      note: "\(device.name): the pressure model of its era '\(era.rawValue)' is not built yet: "
        + "'thresholds' serves instead")
  }
}
