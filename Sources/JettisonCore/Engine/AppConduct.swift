/// What happens to apps on a device beyond memory, as the device and the pressure model say.
struct AppConduct: BitwiseCopyable {
  /// Whether a lock sends the app in front to the background.
  let leavesAtLock: Bool
  /// Whether apps are ended that do in the background what iOS forbids there.
  let policesBackground: Bool
  /// Whether an app that the catalog says ends when it is left may do so.
  let letsAppsOptOut: Bool

  init(_ device: Device, _ traits: PressureTraits) {
    leavesAtLock = device.lock == .background && traits.locks
    policesBackground = device.policesBackground && traits.policesBackground
    letsAppsOptOut = device.letsAppsOptOut && traits.letsAppsOptOut
  }
}
