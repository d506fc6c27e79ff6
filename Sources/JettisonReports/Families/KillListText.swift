internal import JettisonCore
internal import JettisonSupport

/// The kill list of iOS 4 and 5.
enum KillListText: PressureText {
  static func rule(_ configuration: RunConfiguration) -> String {
    let device = configuration.device
    let values = device.thresholds
    return "one victim at a time, at or below \(device.share(values.criticalPercent)); apps over "
      + "their high-water mark at or below \(device.share(values.purgePercent)); level warning is "
      + "below \(device.share(values.warnPercent)), critical below "
      + "\(device.share(values.criticalPercent)), noted in steps of "
      + "\(device.share(values.stepPercent))."
  }

  static func noDecision(_ configuration: RunConfiguration, least: String) -> String {
    let share = NumberText.real(configuration.device.thresholds.criticalPercent)
    return "available memory never fell to \(share) % of RAM (\(least))"
  }

  static func untilPercent(_ thresholds: Device.Thresholds) -> Double? {
    thresholds.criticalPercent
  }

  static func effects(
    of thresholds: Device.Thresholds, above reachablePercent: Double
  ) -> [ThresholdEffect] {
    [
      ThresholdEffect(
        key: "thresholds.warn", percent: thresholds.warnPercent, effect: "the level is never normal"
      ),
      ThresholdEffect(
        key: "thresholds.critical", percent: thresholds.criticalPercent,
        effect: "every app is ended at once"),
      ThresholdEffect(
        key: "thresholds.purge", percent: thresholds.purgePercent,
        effect: "every app over its soft limit is ended at once"),
    ]
  }
}
