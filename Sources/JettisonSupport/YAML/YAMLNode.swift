/// A piece of a YAML document with its place: plain values only, no anchors, no tags.
package struct YAMLNode: Sendable {
  /// What the piece is.
  package indirect enum Content: Sendable {
    /// A text, quoted or not; empty where nothing was written.
    case scalar(String)
    /// A list.
    case sequence([YAMLNode])
    /// A mapping, in the order of the document; keys are unique.
    case mapping([YAMLEntry])
  }

  /// What the piece is.
  package let content: Content
  /// The place.
  package let place: YAMLPlace

  /// Makes a piece.
  package init(content: Content, place: YAMLPlace) {
    self.content = content
    self.place = place
  }

  /// The text of a scalar.
  package var scalar: String? {
    if case .scalar(let text) = content { text } else { nil }
  }

  /// The entries of a mapping.
  package var mapping: [YAMLEntry]? {
    if case .mapping(let entries) = content { entries } else { nil }
  }

  /// The elements of a list.
  package var sequence: [YAMLNode]? {
    if case .sequence(let nodes) = content { nodes } else { nil }
  }
}

/// One key of a mapping and its value.
package struct YAMLEntry: Sendable {
  /// The key.
  package let key: String
  /// Where the key stands.
  package let place: YAMLPlace
  /// The value.
  package let value: YAMLNode

  /// Makes an entry.
  package init(key: String, place: YAMLPlace, value: YAMLNode) {
    self.key = key
    self.place = place
    self.value = value
  }

  fileprivate var canonicalText: String { "\(YAMLNode.quoted(key)): \(value.canonicalText)" }
}

/// A place in a YAML document.
package struct YAMLPlace: Sendable, Equatable {
  /// The file as the user named it.
  package let file: String
  /// Line in the file, from 1.
  package let line: Int
  /// Character in the line, from 1.
  package let position: Int

  /// Makes a place.
  package init(file: String, line: Int, position: Int) {
    self.file = file
    self.line = line
    self.position = position
  }

  func error(_ what: String, _ remedy: String = "") -> YAMLError {
    YAMLError(place: self, what: what, remedy: remedy)
  }
}

/// Why a text is not YAML that may be read.
package struct YAMLError: Error {
  /// Where.
  package let place: YAMLPlace
  /// What is wrong.
  package let what: String
  /// What to do about it; empty if nothing helps.
  package let remedy: String
}

extension YAMLNode {
  /// The piece as YAML on one line, the same for every way of writing it.
  ///
  /// Reading the result gives the same piece, and writing that gives the same text.
  package var canonicalText: String {
    switch content {
    case .scalar(let text): Self.quoted(text)
    case .sequence(let nodes): "[\(nodes.map(\.canonicalText).joined(separator: ", "))]"
    case .mapping(let entries):
      "{\(entries.map(\.canonicalText).joined(separator: ", "))}"
    }
  }

  /// A text as a YAML scalar: as it stands if it is harmless, else in double quotes.
  ///
  /// - Parameter allowsSpaces: for values that stand alone on their line.
  package static func quoted(_ text: String, allowsSpaces: Bool = false) -> String {
    if isHarmless(text, allowsSpaces: allowsSpaces) { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case " "..."~": result.unicodeScalars.append(scalar)
      case "\u{A0}"..."\u{2027}", "\u{202A}"..."\u{D7FF}", "\u{E000}"..."\u{FEFE}",
        "\u{FF00}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
        result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
    }
    return result + "\""
  }

  private static func isHarmless(_ text: String, allowsSpaces: Bool) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last else { return false }
    func isWord(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: false
      }
    }
    guard isWord(first), last != 0x20 else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "/"), UInt8(ascii: "%"),
        UInt8(ascii: "+"), UInt8(ascii: "-"):
        true
      case UInt8(ascii: " "), UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "("),
        UInt8(ascii: ")"):
        allowsSpaces
      default: isWord(byte)
      }
    }
  }
}
