internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonSupport

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Lists devices, or describes one.",
    discussion: """
      What is printed about one device is a device file: save it, change it, and name it with \
      --device FILE.yaml.
      """)

  @Argument(help: "A device, or a device file, to describe.", completion: .devices)
  var name: String?

  func run() throws {
    guard let name else { return try Console.print(table().rendered(Console.style)) }
    let device =
      YAMLFile.isOne(name)
      ? try DeviceFile.read(name) : try DeviceTable.device(named: name)
    var lines = ["# \(device.source)"]
    if device.isIdealCache { lines.append("# in a file of its own: with --pressure ideal-cache") }
    lines += DeviceFile.text(of: device)
    try Console.print(lines.joined(separator: "\n"))
  }

  private func table() throws -> TextTable {
    var table = TextTable([
      .init("device", .left), .init("RAM", .right), .init("reserve", .right),
      .init("limit per app", .right), .init("era", .left), .init("pressure model", .left),
    ])
    for device in DeviceTable.all {
      table.add([
        .init(device.name), .init(HumanText.size(bytes: device.ramBytes)),
        .init(HumanText.size(bytes: device.reserveBytes)),
        .init(device.limitBytes.map { HumanText.size(bytes: $0) } ?? "–"),
        .init(device.era?.rawValue ?? "–"), .init(device.ownPressureModel.rawValue),
      ])
    }
    return table
  }
}
