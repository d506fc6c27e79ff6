import JettisonReports

/// What tells runs of one page apart in headings and links.
struct RunLabel {
  private let hasDevices: Bool
  /// Whether runs differ in their traces.
  let hasTraces: Bool
  /// Whether runs differ in their seeds.
  let hasSeeds: Bool

  /// Takes the keys of all runs.
  init(_ keys: [RunKey]) {
    hasDevices = Set(keys.map { $0.block }).count > 1
    hasTraces = Set(keys.map(\.trace)).count > 1
    hasSeeds = Set(keys.map(\.seed)).count > 1
  }

  /// ` (seed 3)`, if runs differ in it.
  func seed(of key: RunKey) -> String { hasSeeds ? " (seed \(key.seed))" : "" }

  /// `user-009: `, if runs differ in it.
  func trace(of key: RunKey) -> String { hasTraces ? "\(PageText.name(key.trace)): " : "" }

  /// The trace, and the device where runs differ in it: short enough for a list of links.
  func link(to key: RunKey) -> String {
    PageText.name(key.trace, longest: 40)
      + (hasDevices
        ? ", \(PageText.name(key.device, longest: 40)), "
          + RAMFigure.exact(key.memoryBytes) : "") + seed(of: key)
  }
}
