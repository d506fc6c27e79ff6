internal import JettisonCore
internal import JettisonSupport
internal import JettisonTraces

extension DeviceFile {
  /// What the header of a trace says of its device, for a person: `Pixel 3; 3.6 GiB of RAM; API
  /// level 29; android-lmkd`.
  ///
  /// - Parameter yaml: The mapping, one that a device was read of.
  package static func told(_ yaml: String) -> String {
    let entries = (try? BoundedYAML.load(yaml, file: "device"))?.mapping ?? []
    func text(_ key: String) -> String? { entries.first { $0.key == key }?.value.scalar }
    var facts: [String] = []
    if let model = text("model") ?? text("name") { facts.append(model) }
    if let ram = text("ram") {
      facts.append("\(SettingText.bytes(ram).map { HumanText.size(bytes: $0) } ?? ram) of RAM")
    }
    if let level = text("api-level") { facts.append("API level \(level)") }
    if let era = text("era") { facts.append(era) }
    let said: Set<String> = ["model", "name", "ram", "api-level", "era"]
    facts += entries.filter { !said.contains($0.key) }.map {
      "\($0.key) \($0.value.canonicalText)"
    }
    return facts.joined(separator: "; ")
  }

  /// What is taken of a captured device for a replay, and what is assumed.
  static func note(on device: Device, yaml: String, of trace: Trace) -> String {
    let entries = (try? BoundedYAML.load(yaml, file: "device"))?.mapping ?? []
    let keys = Set(entries.map(\.key))
    var text = "the device is the captured one: \(told(yaml))"
    if let era = device.era, !keys.contains("ram") {
      text +=
        "; its memory is unknown: that of '\(DeviceTable.usualDevice(of: era).name)' serves "
        + "(`ExperimentSpecification.memoryBytes` says another)"
    }
    let isMeasured = trace.index.kindCounts[Int(EventKind.systemMemory.rawValue)] > 0
    if device.era != nil, !keys.contains("reserve"), !isMeasured {
      text +=
        "; what its system takes is unknown: \(HumanText.size(bytes: device.reserveBytes)) "
        + "is assumed"
    }
    return text + " (`ExperimentSpecification.devices` chooses another)"
  }
}
