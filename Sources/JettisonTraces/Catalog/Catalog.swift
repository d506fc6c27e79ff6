package import JettisonModel
package import JettisonSupport

/// What captures cannot know, app by app.
///
/// Put together from the side file that a trace's header names, its `apps:` block and a file
/// named on the command line; a later one replaces the entry of an app as a whole. `--set` changes
/// single keys of an entry: see ``CatalogChange``.
package struct Catalog: Sendable {
  private var names = ByteTable()
  private var entries: [CatalogEntry] = []

  /// Knows no app.
  package init() {}

  /// Reads the mapping from apps to entries.
  package init(_ node: YAMLNode) throws(TraceError) {
    guard let mapping = node.mapping else {
      throw node.place.error("the catalog is not a mapping", "write 'app: {category: notes}'")
    }
    for entry in mapping {
      guard !entry.key.isEmpty else {
        throw entry.place.error("an app without a name", "name the app")
      }
      add(try CatalogEntry(entry))
    }
  }

  /// Reads a catalog file: the mapping from apps to entries at top level.
  package init(contentsOf path: String) throws(TraceError) {
    try self.init(document: try BoundedYAML.load(contentsOf: path))
  }

  /// Reads the text of a catalog file.
  package init(yaml text: String, file: String) throws(TraceError) {
    try self.init(document: try BoundedYAML.load(text, file: file))
  }

  private init(document: YAMLNode?) throws(TraceError) {
    guard let document else {
      self.init()
      return
    }
    try self.init(document)
  }

  /// The catalog that holds for a trace: the header's side file, then its `apps:` block.
  ///
  /// - Parameters:
  ///   - trace: The trace.
  ///   - path: Where the trace was read from; the side file is relative to it.
  package init(for trace: Trace, at path: String) throws(TraceError) {
    self.init()
    if let side = Self.sidePath(for: trace, at: path) { merge(try Catalog(contentsOf: side)) }
    if let block = try Self.block(of: trace.header, file: "\(path) (apps)") { merge(block) }
  }

  /// The `apps:` block of a header; nil: it has none.
  package static func block(
    of header: TraceHeader, file: String
  ) throws(TraceError) -> Catalog? {
    if let read = header.appsAsRead.form as? Catalog { return read }
    return try header.appsYAML.map { (yaml) throws(TraceError) in
      try Catalog(yaml: yaml, file: file)
    }
  }

  /// Where the side file of a trace lies that was read from a path; nil: it has none.
  package static func sidePath(for trace: Trace, at path: String) -> String? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return trace.header.catalog.map { folder + $0 }
  }

  /// Number of apps.
  package var count: Int { entries.count }

  /// The entry of an app, by its decoded name.
  package subscript(name: String) -> CatalogEntry? {
    names.find(Array(name.utf8).span).map { entries[Int($0)] }
  }

  /// Takes the entries of another catalog, which win.
  package mutating func merge(_ other: Catalog) {
    guard !entries.isEmpty else {
      self = other
      return
    }
    for entry in other.entries { add(entry) }
  }

  /// The catalog without the entries of apps that others do not know.
  package func sharing(appsOf others: [Catalog]) -> Catalog {
    var shared = Catalog()
    for entry in entries where others.allSatisfy({ $0[entry.name] != nil }) { shared.add(entry) }
    return shared
  }

  mutating func add(_ entry: CatalogEntry) {
    let name = Array(entry.name.utf8)
    if let number = names.find(name.span) {
      entries[Int(number)] = entry
    } else {
      _ = names.insert(name.span)
      entries.append(entry)
    }
  }

  /// The entries by the bytes of their names.
  package var sortedEntries: [CatalogEntry] {
    entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The catalog as YAML, one line per app by the bytes of the names; nil if it is empty.
  package var canonicalYAML: String? {
    if entries.isEmpty { return nil }
    return sortedEntries.map { "\(YAMLNode.quoted($0.name)): \($0.canonicalText)" }
      .joined(separator: "\n")
  }

  /// A hash of what the catalog says, whatever files it came from and however they are written.
  package var contentHash: UInt64 {
    var hash = ContentHash()
    for entry in sortedEntries {
      hash.add(entry.name)
      hash.add(entry.canonicalText)
    }
    return hash.value
  }
}
