package import JettisonCore

extension Device {
  /// The pressure model that serves the device unless somebody chooses another.
  package var ownPressureModel: PressureModelKind {
    isIdealCache ? .idealCache : era?.pressureModel ?? .thresholds
  }
}

extension PressureModelKind {
  /// The model of a name.
  ///
  /// - Throws: ``ConfigurationError`` with the names that exist.
  package static func named(_ name: String) throws(ConfigurationError) -> PressureModelKind {
    guard let model = PressureModelKind(rawValue: name) else {
      throw .unknown(what: "pressure model", name: name, known: allCases.map(\.rawValue))
    }
    return model
  }
}
