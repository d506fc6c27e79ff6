internal import JettisonCore
internal import JettisonReports

/// The values by which a pressure model opened a decision.
struct PressureText {
  private let configuration: RunConfiguration

  init(_ configuration: RunConfiguration) {
    self.configuration = configuration
  }

  /// The model's rule with its figures, as lines each ended.
  var rendered: String {
    let text =
      switch configuration.pressure.family {
      case .thresholds: thresholds
      case .ios4: ios4
      case .idealCache: "Room is made as soon as the launched app does not fit."
      case .jetsam, .android, .linux: parameters
      }
    return Prose.wrap("Pressure model \(configuration.pressure.rawValue): \(text)")
      .joined(separator: "\n").replacing("\u{A0}", with: " ") + "\n"
  }

  private var thresholds: String {
    let values = configuration.device.thresholds
    return "purging begins below \(share(values.purgePercent)) and goes on until "
      + "\(share(values.untilPercent)); level warning is below \(share(values.warnPercent)), "
      + "critical below \(share(values.criticalPercent))."
  }

  private var ios4: String {
    let values = configuration.device.thresholds
    return "one victim at a time, at or below \(share(values.criticalPercent)); apps over their "
      + "high-water mark at or below \(share(values.purgePercent)); level warning is below "
      + "\(share(values.warnPercent)), critical below \(share(values.criticalPercent))."
  }

  /// `10 % (53687091.2 B)`, with blanks at which no line breaks.
  private func share(_ percent: Double) -> String {
    let bytes = Double(configuration.device.ramBytes) * percent / 100
    return "\(NumberText.real(percent))\u{A0}% (\(NumberText.real(bytes))\u{A0}B)"
  }

  private var parameters: String {
    let list = ModelParameterText.list(configuration)
    return list.isEmpty
      ? "no parameters." : list.split(separator: ";").joined(separator: ", ") + "."
  }
}
