/// HTML or SVG in which everything that came as text is escaped.
///
/// Names of elements and attributes are literals of the program; only texts and values come from
/// captures, and no way leads from one of those into markup but through an escape.
package struct Markup: Sendable {
  /// The markup as it stands in the page.
  package private(set) var bytes: [UInt8] = []

  /// The same as text.
  package var source: String { String(decoding: bytes, as: UTF8.self) }

  /// Attributes of an element in order; those without a value are omitted.
  package typealias Attributes = KeyValuePairs<StaticString, String?>

  /// Nothing.
  package init() {}

  /// What a writer wrote.
  init(_ writer: MarkupWriter) {
    bytes = writer.bytes
  }

  /// A text.
  package init(_ text: String) {
    append(text, isAttribute: false)
  }

  /// An element with what is in it.
  package init(_ name: StaticString, _ attributes: Attributes = [:], _ content: Markup = Markup()) {
    open(name, attributes)
    add(">")
    bytes.append(contentsOf: content.bytes)
    add("</")
    add(name)
    add(">")
  }

  /// An element with a text in it.
  package init(_ name: StaticString, _ attributes: Attributes = [:], text: String) {
    self.init(name, attributes, Markup(text))
  }

  /// An element of SVG with nothing in it.
  package static func shape(_ name: StaticString, _ attributes: Attributes) -> Markup {
    var markup = Markup()
    markup.open(name, attributes)
    markup.add("/>")
    return markup
  }

  /// One after the other.
  package static func + (first: Markup, second: Markup) -> Markup {
    var markup = first
    markup += second
    return markup
  }

  /// Adds what follows.
  package static func += (first: inout Markup, second: Markup) {
    first.bytes.append(contentsOf: second.bytes)
  }

  private mutating func add(_ markup: StaticString) {
    bytes.append(literal: markup)
  }

  private mutating func open(_ name: StaticString, _ attributes: Attributes) {
    add("<")
    add(name)
    for (name, value) in attributes {
      guard let value else { continue }
      add(" ")
      add(name)
      add("=\"")
      append(value, isAttribute: true)
      add("\"")
    }
  }

  private mutating func append(_ text: String, isAttribute: Bool) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): add("&amp;")
      case UInt8(ascii: "<"): add("&lt;")
      case UInt8(ascii: ">"): add("&gt;")
      case UInt8(ascii: "\"") where isAttribute: add("&quot;")
      default: bytes.append(byte)
      }
    }
  }
}

extension Sequence<Markup> {
  /// All, one after the other.
  package func joined() -> Markup {
    reduce(into: Markup()) { $0 += $1 }
  }
}

extension [UInt8] {
  /// Adds a text that stands in the program, as it is.
  mutating func append(literal text: StaticString) {
    text.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }
}
