package import JettisonModel
internal import JettisonSupport

extension TraceHeader {
  /// The keys a header may have.
  package static let keys = ["device", "user", "start", "source", "privacy", "apps", "catalog"]

  /// Reads a header: one YAML mapping.
  ///
  /// `x-` keys are ignored and counted.
  ///
  /// - Parameters:
  ///   - text: The YAML, without the signs that begin its lines.
  ///   - traceName: The user's name where the header gives none.
  ///   - file: The file as the user named it.
  ///   - linesBefore: Lines of the file before the YAML.
  ///   - charactersBefore: Characters taken off the start of each line.
  init(
    yaml text: String, traceName: String, file: String, linesBefore: Int, charactersBefore: Int,
    issues: inout ImportIssues
  ) throws(TraceError) {
    self.init(user: traceName)
    let root = try BoundedYAML.load(
      text, file: file, linesBefore: linesBefore, charactersBefore: charactersBefore)
    guard let root else { return }
    guard let entries = root.mapping else {
      throw root.place.error("the header is not a mapping", "write 'key: value' lines")
    }
    for entry in entries {
      switch entry.key {
      case "device":
        if entry.value.mapping?.isEmpty == false {
          deviceYAML = entry.value.canonicalText
        } else {
          device = try Self.text(entry)
        }
      case "user": user = try Self.text(entry)
      case "source": source = try Self.text(entry)
      case "privacy": privacy = try Self.text(entry)
      case "start": start = try Self.start(entry)
      case "catalog": catalog = try Self.sideFile(entry)
      case "apps":
        if let catalog = try Self.apps(entry, issues: &issues) { setApps(catalog) }
      case let key where key.hasPrefix("x-"):
        issues.add(.info, "header key '\(key)' ignored", line: entry.place.line)
      default:
        throw entry.place.error(
          "unknown header key '\(entry.key)'", "known: \(Self.keys.joined(separator: ", "))")
      }
    }
  }

  /// The header with its `apps:` block in canonical form, or the reason why a trace with it could
  /// not be read back: for headers that an importer made.
  func checked(file: String) throws(TraceError) -> TraceHeader {
    var header = self
    let texts = [device, source, privacy, catalog]
    guard texts.allSatisfy({ $0 != "" }), start.map(CivilTime.isStart) ?? true else {
      throw TraceError(
        file: file, what: "a header with an empty text or a start that is not a date and time",
        remedy: "leave the key out")
    }
    if let catalog, catalog.hasPrefix("/") {
      throw TraceError(
        file: file, what: "the side file '\(catalog.prefix(200))' is not relative",
        remedy: "name it from the trace's folder")
    }
    if let deviceYAML {
      let node = try BoundedYAML.load(deviceYAML, file: "\(file) (device)")
      header.deviceYAML = node?.mapping?.isEmpty == false ? node?.canonicalText : nil
    }
    if let appsYAML, appsAsRead.form == nil {
      header.setApps(try Catalog(yaml: appsYAML, file: "\(file) (apps)"))
    }
    try header.checkLength(file: file)
    return header
  }

  /// Refuses a header that readers would not take for its length.
  private func checkLength(file: String) throws(TraceError) {
    var byteCount = 0
    for line in yamlLines {
      let length = line.utf8.count
      // In a text two more bytes make the line a comment.
      guard length + 2 <= TextTraceReader.maximumLineBytes else {
        throw TraceError(
          file: file,
          what: "a header with a line of more than \(TextTraceReader.maximumLineBytes) bytes",
          remedy: "shorten '\(line.prefix { $0 != ":" }.prefix(40))'")
      }
      byteCount += length + 1
    }
    guard byteCount <= BoundedYAML.maximumBytes else {
      throw TraceError(
        file: file, what: "a header of \(byteCount) bytes",
        remedy: "at most \(BoundedYAML.maximumBytes) bytes are read; apps may be in a side file")
    }
  }

  /// The header as the YAML of a trace, one line per key, without signs before the lines.
  var yamlLines: [String] {
    var lines: [String] = []
    func add(_ key: String, _ value: String?) {
      guard let value else { return }
      lines.append("\(key): \(YAMLNode.quoted(value, allowsSpaces: true))")
    }
    add("device", device)
    if device == nil, let deviceYAML { lines.append("device: \(deviceYAML)") }
    add("user", user.isEmpty ? nil : user)
    if let start { lines.append("start: \"\(start)\"") }
    add("source", source)
    add("privacy", privacy)
    add("catalog", catalog)
    if let appsYAML {
      lines.append("apps:")
      lines += appsYAML.split(separator: "\n").map { "  \($0)" }
    }
    return lines
  }

  /// Takes a catalog as the `apps:` block.
  private mutating func setApps(_ catalog: Catalog) {
    appsYAML = catalog.canonicalYAML
    appsAsRead = AppsAsRead(catalog)
  }

  private static func text(_ entry: YAMLEntry) throws(TraceError) -> String {
    guard let text = entry.value.scalar, !text.isEmpty else {
      throw entry.value.place.error("'\(entry.key)' is not a text", "write '\(entry.key): text'")
    }
    return text
  }

  private static func start(_ entry: YAMLEntry) throws(TraceError) -> String {
    let text = try text(entry)
    guard CivilTime.isStart(text) else {
      throw entry.value.place.error(
        "'\(text)' is not a date and time with an offset",
        "write it like \"2011-04-18T11:00:00+02:00\"")
    }
    return text
  }

  private static func sideFile(_ entry: YAMLEntry) throws(TraceError) -> String {
    let text = try text(entry)
    guard !text.hasPrefix("/") else {
      throw entry.value.place.error(
        "the side file '\(text)' is not relative", "name it from the trace's folder")
    }
    return text
  }

  /// The `apps:` block, checked entry by entry, one canonical line per app; nil if it is empty.
  private static func apps(
    _ entry: YAMLEntry, issues: inout ImportIssues
  ) throws(TraceError) -> Catalog? {
    if entry.value.scalar == "" { return nil }
    let catalog = try Catalog(entry.value)
    if catalog.count > 100 {
      issues.add(
        .info, "more than 100 apps in the header: they belong in a side file (catalog:)",
        line: entry.place.line)
    }
    return catalog
  }
}
