internal import JettisonCore

extension Setting {
  /// The setting of a parameter of a platform's killer.
  init(_ parameter: ModelParameter) {
    let models = PressureModelKind.allCases.filter { model in
      PressureParameters.parameters(of: model).contains { $0.key == parameter.key }
    }
    self.init(
      parameter.key, .device, parameter.summary, Self.form(of: parameter.place),
      acts: .under(models)
    ) { text, run in
      Self.store(text, at: parameter.place, in: &run.device.pressureParameters)
    }
  }

  private static func form(of place: ModelParameter.Place) -> String {
    switch place {
    case .percent: "a percentage such as 5%"
    case .optionalPercent: "a percentage such as 5%, or auto"
    case .number: "a number such as 0.5"
    case .count: "a whole number such as 5"
    case .optionalCount: "a whole number such as 5, or auto"
    case .duration: "a duration such as 5s"
    case .optionalDuration: "a duration such as 5s, or auto"
    case .bytes: "a size such as 512MiB"
    case .optionalBytes: "a size such as 512MiB, or auto"
    case .flag: "on or off"
    case .optionalFlag: "on, off or auto"
    case .limits: "auto, none, or RAM:VISIBLE/OTHERS/SWAP/SWAP such as 10GiB:6GiB/3GiB/3GiB/3GiB"
    case .text: "a text"
    }
  }

  private static func store(
    _ text: String, at place: ModelParameter.Place, in parameters: inout PressureParameters
  ) -> Bool {
    switch place {
    case .percent(let path): put(SettingText.percent(text), &parameters[keyPath: path])
    case .optionalPercent(let path): put(text, SettingText.percent, &parameters[keyPath: path])
    case .number(let path): put(SettingText.number(text), &parameters[keyPath: path])
    case .count(let path): put(SettingText.count(text), &parameters[keyPath: path])
    case .optionalCount(let path): put(text, SettingText.count, &parameters[keyPath: path])
    case .duration(let path): put(SettingText.nanoseconds(text), &parameters[keyPath: path])
    case .optionalDuration(let path):
      put(text, SettingText.nanoseconds, &parameters[keyPath: path])
    case .bytes(let path): put(SettingText.bytes(text), &parameters[keyPath: path])
    case .optionalBytes(let path): put(text, SettingText.bytes, &parameters[keyPath: path])
    case .flag(let path): put(SettingText.flag(text), &parameters[keyPath: path])
    case .optionalFlag(let path): put(text, SettingText.flag, &parameters[keyPath: path])
    case .limits(let path): put(SettingText.limits(text), &parameters[keyPath: path])
    case .text(let path): put(text, &parameters[keyPath: path])
    }
  }

  private static func put<Value>(_ value: Value?, _ place: inout Value) -> Bool {
    guard let value else { return false }
    place = value
    return true
  }

  /// `auto` lets a value follow from the device again.
  private static func put<Value>(
    _ text: String, _ read: (String) -> Value?, _ place: inout Value?
  ) -> Bool {
    place = read(text)
    return place != nil || text == "auto"
  }
}
