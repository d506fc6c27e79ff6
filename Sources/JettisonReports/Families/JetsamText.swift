internal import JettisonCore
internal import JettisonSupport

/// Priority bands of iOS from 6 on.
enum JetsamText: PressureText {
  /// The thresholds in force, whether set or worked out from RAM and era, and the other parameters.
  static func rule(_ configuration: RunConfiguration) -> String {
    let ram = Double(configuration.device.ramBytes)
    let thresholds = configuration.thresholdBytes
    let figures = thresholds.map { threshold in
      guard threshold.bytes > 0 else { return "\(threshold.key)\u{A0}never" }
      let percent = NumberText.real((1000 * Double(threshold.bytes) / ram).rounded() / 10)
      return "\(threshold.key)\u{A0}\(threshold.bytes)\u{A0}B\u{A0}(\(percent)\u{A0}%)"
    }
    let others = ModelParameterText.inForce(configuration).filter { parameter in
      !thresholds.contains { $0.key == parameter.key }
    }
    return "available memory below which its rules begin: " + figures.joined(separator: ", ") + ". "
      + parameters(others)
  }
}
