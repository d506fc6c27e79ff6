internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Lists devices, or describes one.",
    discussion: """
      What is printed about one device is also a device file: save it, change it, and name it \
      with --device FILE.yaml.
      """)

  @Argument(help: "A device, or a device file, to describe.")
  var name: String?

  func run() throws {
    guard let name else {
      var table = TextTable([.left, .right, .right, .right, .left])
      table.add(["device", "RAM", "reserve", "limit per app", "pressure model"])
      for device in DeviceTable.all {
        let choice = try PressureChoice.choose(for: device, option: nil)
        let model = choice.model.rawValue + (choice.note == nil ? "" : " (era \(eraName(device)))")
        table.add([
          device.name, HumanText.memory(device.ramBytes), HumanText.memory(device.reserveBytes),
          device.limitBytes.map(HumanText.memory) ?? "-", model,
        ])
      }
      return try Console.print(table.lines().joined(separator: "\n"))
    }
    let device =
      ExperimentFile.isOne(name)
      ? try DeviceFile.read(name) : try DeviceTable.device(named: name)
    var lines = ["# \(device.source)"]
    if let note = try PressureChoice.choose(for: device, option: nil).note {
      lines.append("# \(note)")
    }
    lines += DeviceFile.text(of: device)
    try Console.print(lines.joined(separator: "\n"))
  }

  private func eraName(_ device: Device) -> String { device.era?.rawValue ?? "none" }
}
