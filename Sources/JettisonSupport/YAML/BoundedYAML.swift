internal import Yams

/// Reads YAML that may come from anyone: bounded in size and depth, without anchors, aliases and
/// tags, and with the place of every piece.
package enum BoundedYAML {
  /// Largest document in bytes.
  package static let maximumBytes = 4 << 20
  /// Deepest nesting of lists and mappings.
  package static let maximumDepth = 64

  /// Reads one document.
  ///
  /// - Parameters:
  ///   - text: The document.
  ///   - file: The file as the user named it.
  ///   - linesBefore: Lines of the file before the document.
  ///   - charactersBefore: Characters taken off the start of each line.
  /// - Returns: The document, or nil if it is empty.
  package static func parse(
    _ text: String, file: String, linesBefore: Int = 0, charactersBefore: Int = 0
  ) throws(YAMLError) -> YAMLNode? {
    // Editors of Windows write it.
    let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    let reader = Reader(
      file: file, linesBefore: linesBefore, charactersBefore: charactersBefore)
    guard text.utf8.count <= maximumBytes else {
      throw reader.place(1, 1).error(
        "YAML of \(text.utf8.count) bytes", "at most \(maximumBytes) bytes are read")
    }
    try reader.scan(Array(text.utf8))
    let parser: Parser
    let root: Node?
    do {
      parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
      root = try parser.singleRoot()
    } catch let error as YamlError {
      throw reader.error(error, in: text)
    } catch {
      throw reader.place(1, 1).error("YAML that cannot be read")
    }
    guard let root else { return nil }
    // Nodes hold their anchors weakly; the parser keeps them until every node was checked.
    let node = try reader.convert(root, depth: 1)
    withExtendedLifetime(parser) {}
    if case .scalar("") = node.content { return nil }
    return node
  }
}

extension BoundedYAML {
  fileprivate struct Reader {
    let file: String
    let linesBefore: Int
    let charactersBefore: Int

    func place(_ line: Int, _ column: Int) -> YAMLPlace {
      YAMLPlace(
        file: file, line: max(1, line) + linesBefore,
        position: max(1, column) + charactersBefore)
    }

    private func place(_ mark: Mark?) -> YAMLPlace {
      place(mark?.line ?? 1, mark?.column ?? 1)
    }

    /// Turns a composed node into ours, and refuses what the first scan could not see.
    func convert(_ node: Node, depth: Int) throws(YAMLError) -> YAMLNode {
      let place = place(node.mark)
      guard depth <= maximumDepth else { throw tooDeep(place) }
      switch node {
      case .scalar(let scalar):
        if scalar.anchor != nil { throw anchor(place) }
        return YAMLNode(content: .scalar(scalar.string), place: place)
      case .sequence(let sequence):
        if sequence.anchor != nil { throw anchor(place) }
        var nodes: [YAMLNode] = []
        nodes.reserveCapacity(sequence.count)
        for element in sequence { nodes.append(try convert(element, depth: depth + 1)) }
        return YAMLNode(content: .sequence(nodes), place: place)
      case .mapping(let mapping):
        if mapping.anchor != nil { throw anchor(place) }
        return YAMLNode(content: .mapping(try entries(mapping, depth)), place: place)
      case .alias: throw anchor(place)
      }
    }

    private func entries(_ mapping: Node.Mapping, _ depth: Int) throws(YAMLError) -> [YAMLEntry] {
      var entries: [YAMLEntry] = []
      var known = ByteTable()
      for (key, value) in mapping {
        let place = self.place(key.mark)
        guard case .scalar(let scalar) = key else {
          throw place.error("a key that is not a word", "write 'key: value'")
        }
        if scalar.anchor != nil { throw anchor(place) }
        let bytes = Array(scalar.string.utf8)
        if known.find(bytes.span) != nil { throw repeated(scalar.string, place) }
        _ = known.insert(bytes.span)
        entries.append(
          YAMLEntry(
            key: scalar.string, place: place, value: try convert(value, depth: depth + 1)))
      }
      return entries
    }

    /// Looks for anchors, aliases, tags and deep brackets before the parser builds anything.
    ///
    /// An alias costs nothing to write and may cost exponential time to read.
    func scan(_ bytes: [UInt8]) throws(YAMLError) {
      var scanner = TokenScanner(bytes: bytes)
      while let finding = scanner.next() {
        switch finding {
        case .anchor(let line, let column): throw anchor(place(line, column))
        case .tag(let line, let column):
          throw place(line, column).error(
            "a tag", "take it off; a text that begins with '!' needs quotes")
        case .deep(let line, let column): throw tooDeep(place(line, column))
        }
      }
    }

    private func anchor(_ place: YAMLPlace) -> YAMLError {
      place.error(
        "an anchor or an alias", "write the value out; a text that begins with & or * needs quotes")
    }

    private func tooDeep(_ place: YAMLPlace) -> YAMLError {
      place.error("nesting deeper than \(maximumDepth) levels", "flatten it")
    }

    private func repeated(_ key: String, _ place: YAMLPlace) -> YAMLError {
      place.error("the key '\(key)' is there twice", "keep one of them")
    }

    func error(_ error: YamlError, in text: String) -> YAMLError {
      switch error {
      case .scanner(let context, let problem, let mark, _),
        .parser(let context, let problem, let mark, _),
        .composer(let context, let problem, let mark, _):
        let setting = context.map { "\($0.text.isEmpty ? "" : $0.text + ", ")" } ?? ""
        return place(mark).error("\(setting)\(problem)", "this is not YAML")
      case .reader(let problem, let offset, _, _):
        let before = text.unicodeScalars.prefix(max(0, offset ?? 0))
        let line = before.reduce(1) { $1 == "\n" ? $0 + 1 : $0 }
        return place(line, 1).error(problem, "this is not YAML")
      case .duplicatedKeysInMapping(let duplicates, let context):
        return repeated(duplicates.first ?? "", place(context.mark))
      default: return place(1, 1).error("YAML that cannot be read")
      }
    }
  }

  /// Walks over the tokens of a document, well enough to know where a token begins.
  private struct TokenScanner {
    enum Finding {
      case anchor(line: Int, column: Int)
      case tag(line: Int, column: Int)
      case deep(line: Int, column: Int)
    }

    let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private var depth = 0
    private var isTokenStart = true

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func next() -> Finding? {
      while position < bytes.count {
        let byte = bytes[position]
        if isTokenStart, let finding = startToken(byte) { return finding }
        if !isTokenStart || byte == 0x0A { advance(byte) }
        position += 1
      }
      return nil
    }

    private var column: Int { position - lineStart + 1 }

    private var isBeforeSpace: Bool {
      position + 1 >= bytes.count || [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position + 1])
    }

    private mutating func startToken(_ byte: UInt8) -> Finding? {
      switch byte {
      case 0x20, 0x09, 0x0D, 0x0A, UInt8(ascii: ","): break
      case UInt8(ascii: "#"): skipLine()
      case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
        isTokenStart = isBeforeSpace
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth > maximumDepth { return .deep(line: line, column: column) }
      case UInt8(ascii: "&"), UInt8(ascii: "*"):
        if !isBeforeSpace { return .anchor(line: line, column: column) }
        isTokenStart = false
      case UInt8(ascii: "!"): return .tag(line: line, column: column)
      case UInt8(ascii: "\""), UInt8(ascii: "'"): skipQuoted(byte)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): isTokenStart = false
      default: isTokenStart = false
      }
      return nil
    }

    /// Looks for what ends a token that has begun.
    private mutating func advance(_ byte: UInt8) {
      switch byte {
      case 0x0A:
        line += 1
        lineStart = position + 1
        isTokenStart = true
      case UInt8(ascii: ":"): isTokenStart = isBeforeSpace || depth > 0
      case UInt8(ascii: ","): isTokenStart = depth > 0
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      case UInt8(ascii: "#"):
        if position > 0, bytes[position - 1] == 0x20 { skipLine() }
      default: break
      }
    }

    /// Stands on the last byte before the line break afterwards.
    private mutating func skipLine() {
      while position + 1 < bytes.count, bytes[position + 1] != 0x0A { position += 1 }
    }

    /// Stands on the closing quote afterwards, or at the end.
    private mutating func skipQuoted(_ quote: UInt8) {
      position += 1
      while position < bytes.count {
        let byte = bytes[position]
        if byte == 0x0A {
          line += 1
          lineStart = position + 1
        }
        if byte == quote {
          let isDoubled =
            quote == UInt8(ascii: "'") && position + 1 < bytes.count
            && bytes[position + 1] == quote
          if !isDoubled { break }
          position += 1
        } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
          position += 1
        }
        position += 1
      }
      isTokenStart = false
    }
  }
}
