internal import JettisonCore
internal import JettisonTraces

/// One combination of the values of settings.
struct SettingVariant: Sendable {
  /// Settings and their values, in the order of ``Setting/all``.
  private(set) var values: [(setting: Setting, text: String)] = []
  /// Keys of apps' catalog entries, in the order in which they were given.
  private(set) var changes: [CatalogChange] = []
  /// The keys that are swept, as `key=value;key=value`; empty if none is.
  private(set) var label = ""

  private static let limit = 10_000

  /// Every combination of the values of sweeps.
  ///
  /// Complexity: O(product of the numbers of values).
  static func all(_ sweeps: [SettingSweep]) throws(ConfigurationError) -> [SettingVariant] {
    var known: Set<String> = []
    for sweep in sweeps where !known.insert(sweep.key).inserted {
      throw .invalid(
        what: "setting", text: sweep.text, remedy: "'\(sweep.key)' is set twice; give it once")
    }
    var variants = [SettingVariant()]
    // Settings in the order of their table, then what belongs to apps.
    let places = sweeps.indices.sorted { (sweeps[$0].place, $0) < (sweeps[$1].place, $1) }
    for sweep in places.map({ sweeps[$0] }) {
      guard variants.count * sweep.values.count <= limit else {
        throw .invalid(
          what: "setting", text: sweep.key, remedy: "sweep at most \(limit) combinations")
      }
      variants = variants.flatMap { variant in
        sweep.values.indices.map { variant.adding($0, of: sweep) }
      }
    }
    return variants
  }

  private func adding(_ position: Int, of sweep: SettingSweep) -> SettingVariant {
    var variant = self
    let text = sweep.values[position]
    switch sweep.changes[position] {
    case .setting(let setting): variant.values.append((setting, text))
    case .app(let change): variant.changes.append(change)
    }
    if sweep.values.count > 1 {
      variant.label += "\(label.isEmpty ? "" : ";")\(sweep.key)=\(text)"
    }
    return variant
  }
}
