internal import JettisonCore

/// The killers of Linux.
enum LinuxText: PressureText {
  /// The kernel's points, where its own order alone gave the scores.
  static func scores(
    _ decision: DecisionRecord, by policy: PolicySpec, _ configuration: RunConfiguration,
    apps: [String], _ style: TextStyle
  ) -> String {
    guard policy.descriptor.name == "linux-oom", policy.modifiers.isEmpty else { return "" }
    return BadnessText(decision, configuration, apps: apps, style).rendered
  }
}
