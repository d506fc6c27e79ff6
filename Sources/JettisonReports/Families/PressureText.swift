package import JettisonCore
internal import JettisonSupport

/// What a family of pressure models is said to do, with the figures of a run.
///
/// One type serves one family. It is a namespace, not a value; what suits most families is the
/// default of a sentence.
package protocol PressureText {
  /// By which values decisions open, after the name of the model.
  static func rule(_ configuration: RunConfiguration) -> String

  /// Why a run made no decision; `least`: the least memory that was available.
  static func noDecision(_ configuration: RunConfiguration, least: String) -> String

  /// Available memory up to which the models go on purging by themselves, in percent of RAM; nil:
  /// they do not stop at a share.
  static func untilPercent(_ thresholds: Device.Thresholds) -> Double?

  /// What follows where more than a share of RAM is never available, by setting.
  static func effects(
    of thresholds: Device.Thresholds, above reachablePercent: Double
  ) -> [ThresholdEffect]

  /// The most cached apps that the models keep on a device; nil: they do not count them.
  static func cachedLimit(of device: Device) -> Int?

  /// What the scores of a decision say under a policy, as lines each ended.
  static func scores(
    _ decision: DecisionRecord, by policy: PolicySpec, _ configuration: RunConfiguration,
    apps: [String], _ style: TextStyle
  ) -> String
}

/// What a threshold does that lies above all memory that can ever be available.
package struct ThresholdEffect {
  /// The setting.
  package let key: String
  /// Its value, in percent of RAM.
  package let percent: Double
  /// What always or never happens.
  package let effect: String
}

extension PressureText {
  package static func rule(_ configuration: RunConfiguration) -> String {
    parameters(ModelParameterText.inForce(configuration))
  }

  package static func noDecision(_ configuration: RunConfiguration, least: String) -> String {
    "'\(configuration.pressure.rawValue)' never asked for a victim (available memory: \(least))"
  }

  package static func untilPercent(_ thresholds: Device.Thresholds) -> Double? { nil }

  package static func effects(
    of thresholds: Device.Thresholds, above reachablePercent: Double
  ) -> [ThresholdEffect] { [] }

  package static func cachedLimit(of device: Device) -> Int? { nil }

  package static func scores(
    _ decision: DecisionRecord, by policy: PolicySpec, _ configuration: RunConfiguration,
    apps: [String], _ style: TextStyle
  ) -> String { "" }

  /// Parameters with their values.
  static func parameters(_ list: [(key: String, value: String)]) -> String {
    let values = list.map { "\($0.key)=\($0.value.isEmpty ? "none" : $0.value)" }
    return values.isEmpty ? "no parameters." : values.joined(separator: ", ") + "."
  }
}

extension PressureModelKind {
  /// Sentences of the model's family: a new one is a line here.
  package var text: any PressureText.Type {
    switch family {
    case .thresholds: ThresholdsText.self
    case .ios4: KillListText.self
    case .jetsam: JetsamText.self
    case .android: AndroidText.self
    case .linux: LinuxText.self
    case .idealCache: TextbookCacheText.self
    }
  }
}

extension Device {
  /// `10 % (53687091.2 B)`: a share of RAM, with blanks at which no line breaks.
  func share(_ percent: Double) -> String {
    let bytes = Double(ramBytes) * percent / 100
    return "\(NumberText.real(percent))\u{A0}% (\(NumberText.real(bytes))\u{A0}B)"
  }
}
