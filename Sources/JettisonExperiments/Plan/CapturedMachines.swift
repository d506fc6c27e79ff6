internal import JettisonCore

/// Machines that traces describe, which may share a name and be different ones.
///
/// Users are compared on one device. A phone and a server that both are `captured` must not be taken for
/// it because they have as much memory.
struct CapturedMachines {
  /// What decides how apps end on a machine, whatever memory it has.
  private struct Killer: Hashable {
    let era: Era?
    let apiLevel: Int?

    init(_ device: Device) {
      era = device.era
      apiLevel = device.apiLevel
    }
  }

  /// What the user should know.
  private(set) var notes: [String] = []
  private let names: [String: [Killer]]

  /// Looks at the devices that traces name.
  init(_ devices: [Device]) {
    var names: [String: [Killer]] = [:]
    for device in devices where names[device.name]?.contains(Killer(device)) != true {
      names[device.name, default: []].append(Killer(device))
    }
    self.names = names.filter { $1.count > 1 }
    for name in self.names.keys.sorted() {
      notes.append(
        "traces describe different machines as '\(name)': their names say which killer they have")
    }
    let pooled = Dictionary(grouping: devices) { nameOfItsOwn($0) }
    for (name, devices) in pooled.sorted(by: { $0.key < $1.key })
    where devices.contains(where: { Self.settings($0) != Self.settings(devices[0]) }) {
      notes.append(
        "traces describe '\(name)' with different settings, and are compared as one device: "
          + "give each machine a name ('# device: {name: …}')")
    }
  }

  /// The name of a device, with its killer where others of that name have another; a device of the table
  /// keeps its own.
  func nameOfItsOwn(_ device: Device) -> String {
    guard let killers = names[device.name], let era = device.era,
      !DeviceTable.all.contains(device)
    else { return device.name }
    let isOneOfEra = killers.count { $0.era == era } == 1
    let level = isOneOfEra ? nil : device.apiLevel
    return "\(device.name)-\(era.rawValue)" + (level.map { "-api\($0)" } ?? "")
  }

  /// A device but for its name and its memory, which reports have in columns of their own.
  private static func settings(_ device: Device) -> Device {
    var device = device
    device.name = ""
    device.model = nil
    device.source = ""
    device.ramBytes = 0
    device.tableRAMBytes = 0
    device.reserveBytes = 0
    return device
  }
}
