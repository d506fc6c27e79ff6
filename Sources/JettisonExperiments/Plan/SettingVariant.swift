internal import JettisonCore

/// One combination of `--set` values.
struct SettingVariant: Sendable {
  /// Settings and their values, in the order of ``Setting/all``.
  let values: [(setting: Setting, text: String)]
  /// The settings that are swept, as `key=value;key=value`; empty if none is.
  let label: String

  /// Every combination of the values of `key=value[,value…]` texts.
  ///
  /// Complexity: O(product of the numbers of values).
  static func all(_ options: ExperimentOptions) throws(ExperimentError) -> [SettingVariant] {
    var swept: [String: [String]] = [:]
    for text in options.texts(.set) ?? [] {
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
        throw options.error(
          .set, .invalid(what: "setting", text: text, remedy: "write key=value[,value]"))
      }
      let key = String(text[..<sign])
      do {
        _ = try Setting.named(key, in: [.device, .run])
      } catch {
        throw options.error(.set, error)
      }
      guard swept[key] == nil else {
        throw options.error(
          .set,
          .invalid(what: "setting", text: text, remedy: "'\(key)' is set twice; give it once"))
      }
      swept[key] = ExperimentOptions.split(String(text[text.index(after: sign)...]))
    }
    var variants = [SettingVariant(values: [], label: "")]
    for setting in Setting.all {
      guard let texts = swept[setting.key] else { continue }
      guard variants.count * texts.count <= limit else {
        throw options.error(
          .set,
          .invalid(
            what: "setting", text: setting.key, remedy: "sweep at most \(limit) combinations"))
      }
      variants = variants.flatMap { variant in
        texts.map { variant.adding(setting, $0, isSwept: texts.count > 1) }
      }
    }
    return variants
  }

  private static let limit = 10_000

  private func adding(_ setting: Setting, _ text: String, isSwept: Bool) -> SettingVariant {
    let part = isSwept ? "\(setting.key)=\(text)" : ""
    let both = [label, part].filter { !$0.isEmpty }.joined(separator: ";")
    return SettingVariant(values: values + [(setting, text)], label: both)
  }
}
