import JettisonSupport

/// Writes SVG and HTML: whatever is told as text is escaped, and numbers are cut to tenths.
///
/// A page of a month holds hundreds of thousands of coordinates, so they are written digit by digit.
package struct MarkupWriter: Sendable {
  var bytes: [UInt8] = []

  /// Appends markup as it stands.
  mutating func markup(_ markup: StaticString) {
    bytes.append(literal: markup)
  }

  /// Appends a text of this program's making that needs no escapes.
  mutating func raw(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Appends a text, escaped for content and for attributes in double quotes.
  mutating func text(_ text: String) {
    // Few texts need an escape, and bytes that are here already are looked through fastest.
    let start = bytes.count
    raw(text)
    var place = start
    while place < bytes.count, !Self.isMarkup(bytes[place]) { place += 1 }
    guard place < bytes.count else { return }
    bytes.removeSubrange(start...)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
      default: bytes.append(byte)
      }
    }
  }

  private static func isMarkup(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      true
    default: false
    }
  }

  /// Appends a whole number.
  mutating func number(_ value: Int64) {
    bytes.append(number: value)
  }

  /// Appends a whole number.
  mutating func number(_ value: Int) { number(Int64(value)) }

  /// Appends a coordinate in tenths.
  mutating func tenths(_ value: Int) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, tenth) = UInt64(value.magnitude).quotientAndRemainder(dividingBy: 10)
    if whole > 0 || tenth == 0 { bytes.append(digits: whole) }
    guard tenth > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    bytes.append(UInt8(48 + tenth))
  }

  /// Appends one byte of a path's language.
  @inline(__always)
  mutating func command(_ letter: Unicode.Scalar) {
    bytes.append(UInt8(ascii: letter))
  }

  /// Appends ` name="value"`.
  mutating func attribute(_ name: StaticString, _ value: String) {
    open(name)
    text(value)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends ` name="value"`.
  mutating func attribute(_ name: StaticString, _ value: Int64) {
    open(name)
    number(value)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends ` name="value"` with a coordinate in tenths.
  mutating func attribute(_ name: StaticString, tenths value: Int) {
    open(name)
    tenths(value)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func open(_ name: StaticString) {
    bytes.append(UInt8(ascii: " "))
    markup(name)
    markup("=\"")
  }

  /// Appends what another drawing says.
  mutating func append(_ other: MarkupWriter) { bytes.append(contentsOf: other.bytes) }

  /// Appends a text of a picture.
  ///
  /// - Parameters:
  ///   - x: Tenths of a unit.
  ///   - y: Tenths of a unit, where letters stand.
  ///   - kind: Class of the text, with which its look and its anchor go.
  mutating func label(_ text: String, x: Int, y: Int, _ kind: StaticString) {
    markup("<text")
    attribute("x", tenths: x)
    attribute("y", tenths: y)
    markup(" class=\"")
    markup(kind)
    markup("\">")
    self.text(text)
    markup("</text>")
  }

  /// Appends a paragraph of text.
  mutating func paragraph(_ text: String) {
    markup("<p>")
    self.text(text)
    markup("</p>")
  }

  /// Appends a cell of a table; HTML lets its end tag be omitted.
  mutating func cell(_ text: String, _ tag: StaticString = "td") {
    markup("<")
    markup(tag)
    markup(">")
    self.text(text)
  }
}
