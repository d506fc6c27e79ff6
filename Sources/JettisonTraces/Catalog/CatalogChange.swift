internal import JettisonSupport

/// One key of an app's catalog entry with another value, as a setting writes it:
/// `com.example.notes.save.when=background`.
package struct CatalogChange: Sendable {
  /// The app's decoded name.
  package let app: String
  /// The key of the entry, and the one below it if it has any.
  private let path: [String]
  private let value: YAMLNode

  /// Takes a key apart; nil if no key of an entry stands at its end.
  ///
  /// - Parameters:
  ///   - key: The app's name and the key, joined by a dot.
  ///   - text: The value as a catalog writes it.
  /// - Throws: ``TraceError`` if the value is none of the key's.
  package init?(key: String, text: String) throws(TraceError) {
    guard let path = Self.paths.first(where: { key.hasSuffix(".\($0)") }),
      key.utf8.count > path.utf8.count + 1
    else { return nil }
    app = String(key.dropLast(path.count + 1))
    self.path = path.split(separator: ".").map(String.init)
    let place = YAMLPlace(file: "setting", line: 1, position: 1)
    value =
      try BoundedYAML.load(text, file: "setting") ?? YAMLNode(content: .scalar(""), place: place)
    _ = try CatalogEntry(applied(to: nil))
  }

  /// What may follow the name of an app: `save.when`; longer paths first, so that the name of the
  /// app is as short as it can be.
  package static let paths: [String] =
    CatalogEntry.keys.flatMap { key in key.below.map { "\(key.name).\($0)" } }
    + CatalogEntry.keys.map(\.name)

  /// The entry of the app with the change in it; a new one if there is none.
  func applied(to entry: CatalogEntry?) throws(TraceError) -> YAMLEntry {
    let written = try entry.map { (entry) throws(TraceError) in
      try BoundedYAML.load(entry.canonicalText, file: "setting")
    }
    let root = replacing(path[...], in: (written ?? nil)?.mapping ?? [])
    return YAMLEntry(key: app, place: value.place, value: root)
  }

  private func replacing(_ path: ArraySlice<String>, in entries: [YAMLEntry]) -> YAMLNode {
    guard let key = path.first else { return value }
    let position = entries.firstIndex { $0.key == key }
    let inner = position.map { Self.mapping(of: entries[$0]) } ?? []
    let changed = YAMLEntry(
      key: key, place: value.place, value: replacing(path.dropFirst(), in: inner))
    var entries = entries
    if let position { entries[position] = changed } else { entries.append(changed) }
    return YAMLNode(content: .mapping(entries), place: value.place)
  }

  /// What an entry says as a mapping, where a single word stands for one.
  private static func mapping(of entry: YAMLEntry) -> [YAMLEntry] {
    func only(_ key: String) -> [YAMLEntry] {
      [YAMLEntry(key: key, place: entry.place, value: entry.value)]
    }
    switch (entry.key, entry.value.scalar) {
    case ("save", "none"): return only("when")
    case ("limit", let text?) where !text.isEmpty: return only("active")
    default: return entry.value.mapping ?? []
    }
  }
}

extension Catalog {
  /// The catalog with changes in the entries of apps, one after the other.
  package func applying(_ changes: [CatalogChange]) throws(TraceError) -> Catalog {
    var catalog = self
    for change in changes { catalog.add(try CatalogEntry(change.applied(to: catalog[change.app]))) }
    return catalog
  }
}
