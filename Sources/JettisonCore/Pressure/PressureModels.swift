extension PressureModelKind.Family {
  /// The model that serves the family: a new one is a line here.
  var model: any PressureModel.Type {
    switch self {
    case .thresholds: ThresholdsModel.self
    case .ios4: KillListModel.self
    case .jetsam: JetsamModel.self
    case .android: AndroidModel.self
    case .linux: LinuxModel.self
    case .idealCache: TextbookCacheModel.self
    }
  }
}

extension RunConfiguration {
  /// Where the rules of the model in force begin, in bytes of available memory; 0: never.
  package var thresholdBytes: [(key: String, bytes: Int64)] {
    pressure.family.model.thresholdBytes(self)
  }
}
