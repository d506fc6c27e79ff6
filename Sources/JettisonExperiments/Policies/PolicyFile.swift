package import JettisonCore
package import JettisonPolicies
internal import JettisonSupport
internal import JettisonTraces

/// A policy of your own, written down as an order of keys.
///
/// ```yaml
/// name: drafts-last
/// order:                                      # the first key decides, later keys break ties
///   - unsaved_work > 0                        # ascending unless "desc"
///   - idle_time desc
///   - footprint / (launch_cost + 100ms) desc
/// ```
///
/// See <doc:/JettisonCore/YourOwnPolicy> for the names and operators that keys may use.
package struct PolicyFile: Sendable {
  /// The policy.
  package let descriptor: PolicyDescriptor
  /// The keys, compiled.
  package let keys: [OrderKey]
  /// What the file asks for beyond the order, as written after a policy's name: `+saved+recent=2`.
  package let modifiers: String

  /// Most keys of an order.
  private static let maximumKeys = 32
  private static let known = ["name", "description", "order", "modifiers"]

  /// The path in a policy as people write it, and what follows it (`+saved`); nil if it names no
  /// policy file.
  package static func split(_ text: String) -> (path: String, rest: String)? {
    let end = text.firstIndex { $0 == "+" || $0 == ":" }
    // What a policy of Jettison is asked for may end like a file too.
    let head = text[..<(end ?? text.endIndex)]
    if PolicySources.all.contains(where: { $0.name == head }) { return nil }
    for place in [end, text.endIndex] {
      guard let place else { continue }
      let path = String(text[..<place])
      if YAMLFile.isOne(path) { return (path, String(text[place...])) }
    }
    // A folder may have a plus or a colon in its name.
    for suffix in [".yaml", ".yml"] {
      for mark in ["+", ":"] {
        guard let range = text.firstRange(of: suffix + mark) else { continue }
        let path = String(text[..<range.lowerBound]) + suffix
        return (path, String(text.dropFirst(path.count)))
      }
    }
    return nil
  }

  /// Reads a policy file.
  ///
  /// - Throws: ``ExperimentError/input(_:)`` with line and column of the first mistake.
  package init(_ path: String) throws(ExperimentError) {
    let text: String
    let entries: [YAMLEntry]
    do throws(TraceError) {
      let document = try BoundedYAML.read(path)
      text = document.text
      guard let mapping = document.root?.mapping else {
        throw document.root?.place.error("is not a mapping", "write 'key: value' lines")
          ?? TraceError(file: path, what: "is empty", remedy: "write 'name:' and 'order:'")
      }
      entries = mapping
    } catch {
      throw .input(error)
    }
    for entry in entries where !Self.known.contains(entry.key) {
      let error = ConfigurationError.unknown(what: "key", name: entry.key, known: Self.known)
      throw .input(entry.place.error("\(error)"))
    }
    func entry(_ key: String) -> YAMLEntry? { entries.first { $0.key == key } }
    let name = try Self.name(entry("name"), path: path)
    guard let order = entry("order") else {
      throw .input(
        TraceError(
          file: path, what: "key 'order' is missing", remedy: "write 'order: [idle_time desc]'"))
    }
    keys = try Self.keys(order, text: text)
    let description = try entry("description").map { (entry) throws(ExperimentError) in
      try YAMLFile.text(of: entry)
    }
    let plain = PolicyDescriptor.order(
      named: name, summary: description, source: path, keys: keys)
    modifiers = try Self.modifiers(entry("modifiers"), plain)
    descriptor = .order(
      named: name, summary: description, source: path, keys: keys, modifiers: modifiers)
  }

  /// The policy as a run names it; `rest` is what was written after the path.
  package func spec(_ rest: String) throws(ConfigurationError) -> PolicySpec {
    let spec = try PolicySpec(parsing: descriptor.name + modifiers + rest, among: [descriptor])
    return spec.renamed(descriptor.name + rest)
  }

  private static func name(
    _ entry: YAMLEntry?, path: String
  ) throws(ExperimentError) -> String {
    guard let entry else {
      throw .input(
        TraceError(file: path, what: "key 'name' is missing", remedy: "write 'name: my-policy'"))
    }
    let name = try YAMLFile.text(of: entry)
    let place = entry.value.place
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      }
    }
    guard isPlain, !name.isEmpty, !YAMLFile.isOne(name) else {
      throw .input(
        place.error(
          "'\(name)' cannot name a policy", "use letters, digits and - _ . such as my-policy"))
    }
    guard name != "all", !PolicySources.all.contains(where: { $0.name == name }) else {
      throw .input(
        place.error("the name '\(name)' is taken by a policy of Jettison", "choose another"))
    }
    return name
  }

  private static func keys(
    _ entry: YAMLEntry, text: String
  ) throws(ExperimentError) -> [OrderKey] {
    let nodes = entry.value.sequence ?? [entry.value]
    guard !nodes.isEmpty, nodes.count <= maximumKeys else {
      throw .input(
        entry.place.error(
          "an order of \(nodes.count) keys", "write 1 to \(maximumKeys) expressions"))
    }
    var keys: [OrderKey] = []
    for node in nodes {
      let hint = "write one such as 'idle_time desc'"
      guard let content = node.scalar else {
        throw .input(node.place.error("a key that is not an expression", hint))
      }
      guard content.contains(where: { !$0.isWhitespace }) else {
        throw .input(node.place.error("an expression that is empty", hint))
      }
      do {
        keys.append(try OrderKey(content))
      } catch {
        let source = YAMLSource(text)
        let place = source.place(of: error.offset, in: content, at: node.place)
        throw .input(
          TraceError(
            file: place.file, line: place.line, position: place.position, what: error.what,
            remedy: error.remedy, excerpt: source.excerpt(place)))
      }
    }
    return keys
  }

  private static func modifiers(
    _ entry: YAMLEntry?, _ descriptor: PolicyDescriptor
  ) throws(ExperimentError) -> String {
    guard let entry else { return "" }
    var all = ""
    for node in entry.value.sequence ?? [entry.value] {
      guard let text = node.scalar else {
        throw .input(node.place.error("a modifier that is not a word", "write [saved]"))
      }
      do {
        _ = try PolicySpec(parsing: "\(descriptor.name)\(all)+\(text)", among: [descriptor])
      } catch {
        throw .input(node.place.error("\(error)"))
      }
      all += "+\(text)"
    }
    return all
  }
}

/// The text of a YAML document, to point into.
private struct YAMLSource {
  private let scalars: [Unicode.Scalar]
  /// Where each line begins.
  private let lineStarts: [Int]
  /// Characters of a line that are shown on either side of the place.
  private static let window = 60

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var starts = [0]
    for position in scalars.indices where Self.endsLine(scalars, at: position) {
      starts.append(position + 1)
    }
    lineStarts = starts
  }

  /// Whether a line ends here, as YAML counts lines.
  private static func endsLine(_ scalars: [Unicode.Scalar], at position: Int) -> Bool {
    switch scalars[position] {
    case "\n", "\u{85}", "\u{2028}", "\u{2029}": true
    case "\r": position + 1 >= scalars.count || scalars[position + 1] != "\n"
    default: false
    }
  }

  /// Where a character of a scalar stands, which may be quoted, folded over lines or escaped.
  func place(of offset: Int, in content: String, at start: YAMLPlace) -> YAMLPlace {
    let wanted = Array(content.unicodeScalars)
    guard start.line <= lineStarts.count else { return start }
    var position = lineStarts[start.line - 1] + start.position - 1
    if position < scalars.count, scalars[position] == "\"" || scalars[position] == "'",
      wanted.first != scalars[position]
    {
      position += 1
    }
    for scalar in wanted.prefix(offset) {
      if Self.isBlank(scalar) {
        // A line break and the blanks around it are read as one blank.
        position = isFold(position) ? skipBlanks(position) : position + 1
      } else {
        position = find(scalar, from: position).map { $0 + 1 } ?? position
      }
    }
    if offset < wanted.count, !Self.isBlank(wanted[offset]) {
      position = find(wanted[offset], from: position) ?? position
    }
    let line = lineStarts.lastIndex { $0 <= position } ?? 0
    return YAMLPlace(file: start.file, line: line + 1, position: position - lineStarts[line] + 1)
  }

  /// The line of a place and a mark under it.
  func excerpt(_ place: YAMLPlace) -> String {
    guard place.line <= lineStarts.count else { return "" }
    let start = lineStarts[place.line - 1]
    let line = scalars[start...].prefix {
      $0 != "\n" && $0 != "\r" && $0 != "\u{85}" && $0 != "\u{2028}" && $0 != "\u{2029}"
    }
    let mark = place.position - 1
    let first = max(0, mark - Self.window)
    let last = min(line.count, mark + Self.window)
    var shown = first > 0 ? "…" : ""
    for scalar in line.dropFirst(first).prefix(max(0, last - first)) {
      let isShown = scalar.properties.generalCategory != .control
      shown.unicodeScalars.append(isShown ? scalar : scalar == "\t" ? " " : "\u{FFFD}")
    }
    if last < line.count { shown += "…" }
    let indent = String(repeating: " ", count: mark - first + (first > 0 ? 1 : 0))
    return "  \(shown)\n  \(indent)^"
  }

  private func find(_ scalar: Unicode.Scalar, from position: Int) -> Int? {
    guard position < scalars.count else { return nil }
    return scalars[position...].firstIndex(of: scalar)
  }

  private func isFold(_ position: Int) -> Bool {
    let end = skipBlanks(position)
    return position < end && scalars[position..<end].contains("\n")
  }

  private func skipBlanks(_ position: Int) -> Int {
    var end = position
    while end < scalars.count, Self.isBlank(scalars[end]) { end += 1 }
    return end
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }
}
