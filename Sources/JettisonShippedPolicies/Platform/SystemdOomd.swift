/// `systemd-oomd`: purges the app that swaps most, or whose pages are scanned most.
///
/// Under the pressure model `systemd-oomd` that is the order of the rule that fired; under any
/// other, the order of its pressure rule where nothing is known of scans: by memory. O(1) per score
/// (systemd `src/oom`).
struct SystemdOomd: PurgePolicy {
  static var observesEvents: Bool { false }
  static var followsPlatform: Bool { true }

  static func ordersFront(under model: PressureModelKind) -> Bool { true }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    let bytes = Double(apps.footprintBytes(app) - apps.swappedBytes(app))
    // Footprints are far below this, so that avoided apps come after all others.
    let avoided = 1e18
    switch apps.killPreference(app) {
    case .none, .prefer: return -bytes
    case .avoid: return avoided - bytes
    case .omit: return 2 * avoided - bytes
    }
  }
}

extension PolicyDescriptor {
  package static let systemdOomd = PolicyDescriptor(
    name: "systemd-oomd", family: "platform",
    summary: "Purges the app that swaps most, or whose pages are scanned most.",
    details: """
      Under the pressure model systemd-oomd: control groups in the order of the rule that fired \
      (apps to avoid last; then swap, or pages scanned in the last second and memory, largest \
      first). Elsewhere by memory, largest first.
      """,
    source: "systemd src/oom"
  ) { _, _ in SystemdOomd() }
}
