public import JettisonCore
internal import JettisonTraces

/// Something about devices, runs or apps that an experiment changes, with the values to try.
///
/// The keys are the same as for `--set`: of a ``Setting``, such as `thresholds.purge`, and of an app's
/// catalog entry, such as `com.example.notes.save.when`.
public struct SettingSweep: Sendable {
  /// What a value changes.
  enum Change: Sendable {
    case setting(Setting)
    case app(CatalogChange)
  }

  /// What is changed.
  public let key: String
  /// The values as texts; several are compared.
  public let values: [String]
  /// What each of ``values`` changes.
  let changes: [Change]
  /// Place in the table of settings; behind it for a key of an app.
  let place: Int

  /// Tries values of a key.
  ///
  /// - Throws: `ConfigurationError` for an unknown key and for a value that cannot be used.
  public init(_ key: String, _ values: [String]) throws(ConfigurationError) {
    self.key = key
    self.values = values
    guard !values.isEmpty else {
      throw .invalid(what: "setting", text: key, remedy: "give it at least one value")
    }
    if let place = Setting.all.firstIndex(where: { $0.key == key }) {
      let setting = Setting.all[place]
      self.place = place
      var blank = ExperimentSpecification.blankRun
      for text in values { try setting.apply(text, to: &blank) }
      changes = values.map { _ in .setting(setting) }
    } else {
      place = Setting.all.count
      changes = try values.map { (text) throws(ConfigurationError) in
        .app(try Self.change(key, text))
      }
    }
  }

  /// Reads `key=value[,value…]`.
  init(parsing text: String) throws(ConfigurationError) {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
      throw .invalid(what: "setting", text: text, remedy: "write key=value[,value]")
    }
    let key = String(text[..<sign])
    let values = String(text[text.index(after: sign)...])
    let isSetting = Setting.all.contains { $0.key == key }
    try self.init(key, isSetting ? ListText.parts(of: values) : Self.split(values))
  }

  /// The sweep as ``init(parsing:)`` reads it.
  var text: String { "\(key)=\(values.joined(separator: ","))" }

  private static func change(
    _ key: String, _ text: String
  ) throws(ConfigurationError) -> CatalogChange {
    let change: CatalogChange?
    do {
      change = try CatalogChange(key: key, text: text)
    } catch {
      throw .invalid(what: key, text: text, remedy: "\(error.what) (\(error.remedy))")
    }
    guard let change else { throw unknown(key) }
    return change
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
