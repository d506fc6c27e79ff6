/// Android's driver in the kernel, and its daemon.
enum AndroidFamily: PressureFamily {
  static var parameters: [ModelParameter] { AndroidParameters.parameters }
  static let readers: [String: [PressureModelKind]] = [
    "lmkd": [.androidLMKD], "android.memory-limiter": [.androidLMKD],
  ]
  static var inputs: PressureInputs { [.page, .apiLevel, .ranks] }
  static var catalogRank: CatalogRank? { .adj }
  static func platformPolicy(of model: PressureModelKind) -> String { "android" }

  static func swapBytes(of device: Device) -> Int64 {
    guard device.compression != nil else { return 0 }
    // What is written may be absurd; beyond this it makes no difference.
    return min(1 << 50, device.pressureParameters.android.swapBytes ?? device.ramBytes / 2)
  }
}
