internal import JettisonCore
internal import JettisonTraces

/// One combination of `--set` values.
struct SettingVariant: Sendable {
  /// Settings and their values, in the order of ``Setting/all``.
  private(set) var values: [(setting: Setting, text: String)] = []
  /// Keys of apps' catalog entries, in the order in which they were given.
  private(set) var changes: [CatalogChange] = []
  /// The keys that are swept, as `key=value;key=value`; empty if none is.
  private(set) var label = ""

  /// Every combination of the values of `key=value[,value…]` texts.
  ///
  /// Complexity: O(product of the numbers of values).
  static func all(_ options: ExperimentOptions) throws(ExperimentError) -> [SettingVariant] {
    var keys: [SweptKey] = []
    var known: Set<String> = []
    for text in options.texts(.set) ?? [] {
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
        throw options.error(
          .set, .invalid(what: "setting", text: text, remedy: "write key=value[,value]"))
      }
      let key = String(text[..<sign])
      guard known.insert(key).inserted else {
        throw options.error(
          .set,
          .invalid(what: "setting", text: text, remedy: "'\(key)' is set twice; give it once"))
      }
      do {
        keys.append(try SweptKey(key, String(text[text.index(after: sign)...])))
      } catch {
        throw options.error(.set, error)
      }
    }
    var variants = [SettingVariant()]
    // Settings in the order of their table, then what belongs to apps.
    let places = keys.indices.sorted { (keys[$0].place, $0) < (keys[$1].place, $1) }
    for key in places.map({ keys[$0] }) {
      guard variants.count * key.values.count <= limit else {
        throw options.error(
          .set,
          .invalid(what: "setting", text: key.key, remedy: "sweep at most \(limit) combinations"))
      }
      variants = variants.flatMap { variant in
        key.values.map { variant.adding($0, of: key) }
      }
    }
    return variants
  }

  private static let limit = 10_000

  private func adding(_ value: SweptKey.Value, of key: SweptKey) -> SettingVariant {
    var variant = self
    switch value.part {
    case .setting(let setting): variant.values.append((setting, value.text))
    case .change(let change): variant.changes.append(change)
    }
    if key.values.count > 1 {
      variant.label += "\(label.isEmpty ? "" : ";")\(key.key)=\(value.text)"
    }
    return variant
  }
}

/// A key of `--set` with all its values.
private struct SweptKey {
  /// What a value changes.
  enum Part {
    case setting(Setting)
    case change(CatalogChange)
  }

  typealias Value = (text: String, part: Part)

  let key: String
  let values: [Value]
  /// Place in the table of settings; behind it for a key of an app.
  let place: Int

  init(_ key: String, _ text: String) throws(ConfigurationError) {
    self.key = key
    if let place = Setting.all.firstIndex(where: { $0.key == key }) {
      let setting = Setting.all[place]
      self.place = place
      values = ExperimentOptions.split(text).map { ($0, .setting(setting)) }
    } else {
      place = Setting.all.count
      values = try Self.changes(key, text)
    }
  }

  private static func changes(
    _ key: String, _ text: String
  ) throws(ConfigurationError) -> [Value] {
    var values: [Value] = []
    for text in split(text) {
      let change: CatalogChange?
      do {
        change = try CatalogChange(key: key, text: text)
      } catch {
        throw .invalid(what: key, text: text, remedy: "\(error.what) (\(error.remedy))")
      }
      guard let change else { throw unknown(key) }
      values.append((text, .change(change)))
    }
    return values
  }

  /// A key that is neither a setting nor a key of an app; which of them it was meant to be shows in
  /// how it begins.
  private static func unknown(_ key: String) -> ConfigurationError {
    let parts = key.split(separator: ".")
    let isSetting = Setting.all.contains { $0.key.split(separator: ".").first == parts.first }
    guard parts.count > 2, !isSetting else {
      return .unknown(what: "setting", name: key, known: Setting.all.map(\.key))
    }
    return .unknown(
      what: "key of an app's catalog entry", name: parts.suffix(2).joined(separator: "."),
      known: CatalogChange.paths)
  }

  /// Values joined by commas, of which each may be a list in brackets that has commas of its own.
  private static func split(_ text: String) -> [String] {
    var values = [""]
    var depth = 0
    for character in text {
      depth += "[{".contains(character) ? 1 : "]}".contains(character) ? -1 : 0
      if character == ",", depth <= 0 {
        values.append("")
      } else {
        values[values.count - 1].append(character)
      }
    }
    return values
  }
}
