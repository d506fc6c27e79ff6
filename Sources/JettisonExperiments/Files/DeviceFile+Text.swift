package import JettisonCore
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

extension DeviceFile {
  /// The lines of a file that describes a device; reading them gives the same device.
  package static func text(of device: Device) -> [String] {
    var lines = [
      "name: \(YAMLNode.quoted(device.name))",
      device.model.map { "model: \(YAMLNode.quoted($0))" } ?? "",
      "ram: \(size(device.ramBytes))",
      "reserve: \(size(device.reserveBytes))",
      "page: \(device.pageBytes)",
    ].filter { !$0.isEmpty }
    if let limit = device.limitBytes { lines.append("limit: \(size(limit))") }
    lines.append("multitasking: \(device.multitasks ? "on" : "off")")
    if let era = device.era { lines.append("era: \(era.rawValue)") }
    lines.append("lock: \(device.lock.rawValue)")
    if let level = device.apiLevel { lines.append("api-level: \(level)") }
    let budgets = device.budgets
    lines += [
      "budgets:",
      "  handler: \(time(budgets.handlerNanoseconds))",
      "  task: \(time(budgets.taskNanoseconds))",
      "  background-launch: \(time(budgets.backgroundLaunchNanoseconds))",
      "suspension-delay: \(time(device.suspensionDelayNanoseconds))",
    ]
    if let compression = device.compression {
      lines += [
        "compression:",
        "  ratio: \(NumberText.real(compression.ratio))",
        "  suspended-share: \(NumberText.real(compression.suspendedShare))",
      ]
    }
    let thresholds = device.thresholds
    lines += [
      "thresholds:",
      "  warn: \(NumberText.real(thresholds.warnPercent))%",
      "  purge: \(NumberText.real(thresholds.purgePercent))%",
      "  until: \(NumberText.real(thresholds.untilPercent))%",
      "  critical: \(NumberText.real(thresholds.criticalPercent))%",
      "  return: \(NumberText.real(thresholds.returnPercent))%",
      "  step: \(NumberText.real(thresholds.stepPercent))%",
    ]
    let family = device.ownPressureModel.family
    return lines + parameters(PressureParameters.parameters(of: family), of: device)
  }

  /// Parameters of the device's killer, as mappings of mappings.
  private static func parameters(_ parameters: [ModelParameter], of device: Device) -> [String] {
    var lines: [String] = []
    var mapping: Substring = ""
    for parameter in parameters {
      let parts = parameter.key.split(separator: ".", maxSplits: 1)
      if parts[0] != mapping {
        mapping = parts[0]
        lines.append("\(mapping):")
      }
      var value = ModelParameterText.value(of: parameter, in: device.pressureParameters)
      if case .text = parameter.place { value = YAMLNode.quoted(value) }
      lines.append("  \(parts[1]): \(value)")
    }
    return lines
  }

  private static func size(_ bytes: Int64) -> String {
    bytes > 0 && bytes % (1 << 20) == 0 ? "\(bytes >> 20)MiB" : "\(bytes)"
  }

  private static func time(_ nanoseconds: Int64) -> String {
    "\(NumberText.seconds(nanoseconds: nanoseconds))s"
  }
}
