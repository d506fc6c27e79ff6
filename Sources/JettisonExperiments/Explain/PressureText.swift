internal import JettisonCore
internal import JettisonReports
internal import JettisonSupport

/// The values by which a pressure model opened a decision.
struct PressureText {
  private let configuration: RunConfiguration
  private let style: TextStyle

  init(_ configuration: RunConfiguration, _ style: TextStyle) {
    self.configuration = configuration
    self.style = style
  }

  /// The model's rule with its figures, as lines each ended.
  var rendered: String {
    let text =
      switch configuration.pressure.family {
      case .thresholds: thresholds
      case .ios4: ios4
      case .idealCache: "Room is made as soon as the launched app does not fit."
      case .jetsam: "available memory below which its rules begin: " + jetsam + ". " + parameters
      case .android: limiter + parameters
      case .linux: parameters
      }
    return Prose.wrap("Pressure model \(configuration.pressure.rawValue): \(text)", style)
      .joined(separator: "\n") + "\n"
  }

  private var thresholds: String {
    let values = configuration.device.thresholds
    return "purging begins below \(share(values.purgePercent)) and goes on until "
      + "\(share(values.untilPercent)); level warning is below \(share(values.warnPercent)), "
      + "critical below \(share(values.criticalPercent)); a level ends "
      + "\(NumberText.real(values.returnPercent))\u{A0}% above where it begins."
  }

  private var ios4: String {
    let values = configuration.device.thresholds
    return "one victim at a time, at or below \(share(values.criticalPercent)); apps over their "
      + "high-water mark at or below \(share(values.purgePercent)); level warning is below "
      + "\(share(values.warnPercent)), critical below \(share(values.criticalPercent)), noted in "
      + "steps of \(share(values.stepPercent))."
  }

  /// `10 % (53687091.2 B)`, with blanks at which no line breaks.
  private func share(_ percent: Double) -> String {
    let bytes = Double(configuration.device.ramBytes) * percent / 100
    return "\(NumberText.real(percent))\u{A0}% (\(NumberText.real(bytes))\u{A0}B)"
  }

  /// What the Memory Limiter lets apps hold, where it is on; with a blank at its end.
  private var limiter: String {
    guard let limiter = configuration.memoryLimiter else { return "" }
    func text(_ limit: MemoryLimit) -> String {
      "\(HumanText.size(bytes: limit.memoryBytes)) and swap "
        + HumanText.size(bytes: limit.swapBytes)
    }
    return "beside lmkd the Memory Limiter lets a visible app hold \(text(limiter.visible)), "
      + "another that is not cached \(text(limiter.notVisible)). "
  }

  /// The thresholds in force, whether set or worked out from RAM and era.
  private var jetsam: String {
    let ram = Double(configuration.device.ramBytes)
    return configuration.jetsamThresholdBytes.map { threshold in
      guard threshold.bytes > 0 else { return "\(threshold.key)\u{A0}never" }
      let percent = NumberText.real((1000 * Double(threshold.bytes) / ram).rounded() / 10)
      return "\(threshold.key)\u{A0}\(threshold.bytes)\u{A0}B\u{A0}(\(percent)\u{A0}%)"
    }
    .joined(separator: ", ")
  }

  /// What was or can be set, less what is told in figures.
  private var parameters: String {
    let told =
      configuration.pressure.family == .jetsam
      ? configuration.jetsamThresholdBytes.map(\.key) : []
    let list = ModelParameterText.inForce(configuration)
      .filter { !told.contains($0.key) }
      .map { "\($0.key)=\($0.value.isEmpty ? "none" : $0.value)" }
    return list.isEmpty ? "no parameters." : list.joined(separator: ", ") + "."
  }
}
