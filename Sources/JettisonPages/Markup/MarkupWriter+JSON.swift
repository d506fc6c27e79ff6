import JettisonSupport

/// The same for JSON.
extension MarkupWriter {
  /// Appends numbers with commas between them.
  mutating func numbers(_ values: Int64...) {
    for (place, value) in values.enumerated() {
      if place > 0 { command(",") }
      number(value)
    }
  }

  /// Appends a real number as JSON knows them; what is none becomes a text.
  mutating func real(_ value: Double) {
    if value.isFinite { raw(NumberText.real(value)) } else { quoted(NumberText.real(value)) }
  }

  /// Appends a text in quotes, safe within a script element.
  mutating func quoted(_ text: String) {
    command("\"")
    defer { command("\"") }
    guard !text.utf8.allSatisfy(Self.isPlain) else { return raw(text) }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\", "<", ">", "&", "\u{2028}", "\u{2029}": escape(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: escape(scalar)
      default: raw(String(scalar))
      }
    }
  }

  /// Whether a byte stands for itself in quotes: a letter, a digit or a sign between words.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    let digits = String(scalar.value, radix: 16)
    raw("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
  }

  /// Appends texts in quotes, each after a comma.
  mutating func quotedAfterCommas(_ texts: String...) {
    for text in texts {
      command(",")
      quoted(text)
    }
  }

  /// Appends an array of arrays: what opens it, and what stands in each.
  mutating func list<Elements: Collection>(
    _ opening: Literal, _ elements: Elements,
    _ write: (Elements.Element, inout MarkupWriter) -> Void
  ) {
    array(opening, elements) { element, out in
      out.command("[")
      write(element, &out)
      out.command("]")
    }
  }

  /// Appends an array: what opens it, and how each element is written.
  mutating func array<Elements: Collection>(
    _ opening: Literal, _ elements: Elements,
    _ write: (Elements.Element, inout MarkupWriter) -> Void
  ) {
    markup(opening)
    var isFirst = true
    for element in elements {
      if !isFirst { command(",") }
      isFirst = false
      write(element, &self)
    }
    command("]")
  }
}
