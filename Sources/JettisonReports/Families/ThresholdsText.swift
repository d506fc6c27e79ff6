internal import JettisonCore
internal import JettisonSupport

/// Levels of available memory in percent of RAM.
enum ThresholdsText: PressureText {
  static func rule(_ configuration: RunConfiguration) -> String {
    let device = configuration.device
    let values = device.thresholds
    return "purging begins below \(device.share(values.purgePercent)) and goes on until "
      + "\(device.share(values.untilPercent)); level warning is below "
      + "\(device.share(values.warnPercent)), critical below "
      + "\(device.share(values.criticalPercent)); a level ends "
      + "\(NumberText.real(values.returnPercent))\u{A0}% above where it begins."
  }

  static func noDecision(_ configuration: RunConfiguration, least: String) -> String {
    let share = NumberText.real(configuration.device.thresholds.purgePercent)
    return "available memory never fell below \(share) % of RAM (\(least))"
  }

  static func untilPercent(_ thresholds: Device.Thresholds) -> Double? { thresholds.untilPercent }

  static func effects(
    of thresholds: Device.Thresholds, above reachablePercent: Double
  ) -> [ThresholdEffect] {
    let effects = [
      ThresholdEffect(
        key: "thresholds.warn", percent: thresholds.warnPercent, effect: "the level is never normal"
      ),
      ThresholdEffect(
        key: "thresholds.critical", percent: thresholds.criticalPercent,
        effect: "the level is always critical"),
      ThresholdEffect(
        key: "thresholds.purge", percent: thresholds.purgePercent,
        effect: "every suspended app is purged at once"),
    ]
    // Where that is so, it does not matter when purging would stop.
    guard thresholds.purgePercent <= reachablePercent else { return effects }
    return effects + [
      ThresholdEffect(
        key: "thresholds.until", percent: thresholds.untilPercent,
        effect: "once begun, purging takes every app")
    ]
  }
}
