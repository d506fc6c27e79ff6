/// The killers of Linux.
enum LinuxFamily: PressureFamily {
  static let parameters = LinuxParameters.parameters + ReclaimParameters.parameters
  static let readers: [String: [PressureModelKind]] = [
    "oomd": [.oomd], "systemd-oomd": [.systemdOOMD], "earlyoom": [.earlyoom],
    "psi": [.oomd, .systemdOOMD],
  ]
  static var inputs: PressureInputs { [.page, .ranks] }
  static var catalogRank: CatalogRank? { .adjAlone }
  /// The killers of Linux and their orders have the same names.
  static func platformPolicy(of model: PressureModelKind) -> String { model.rawValue }

  static func swapBytes(of device: Device) -> Int64 {
    device.pressureParameters.reclaim.swapBytes(ramBytes: device.ramBytes)
  }
}
