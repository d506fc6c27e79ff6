import Mustache

/// HTML or SVG in which everything that came as text is escaped.
///
/// Names of elements and attributes are literals of the program; only texts and values come from
/// captures, and no way leads from one of those into markup but through an escape.
package struct Markup: Sendable {
  /// The markup as it stands in the page.
  package private(set) var source = ""

  /// Attributes of an element in order; those without a value are left out.
  package typealias Attributes = KeyValuePairs<StaticString, String?>

  /// Nothing.
  package init() {}

  /// What a writer wrote.
  init(_ writer: MarkupWriter) {
    source = writer.text
  }

  /// A text.
  package init(_ text: String) {
    append(text, isAttribute: false)
  }

  /// An element with what is in it.
  package init(_ name: StaticString, _ attributes: Attributes = [:], _ content: Markup = Markup()) {
    open(name, attributes)
    source += ">\(content.source)</\(name)>"
  }

  /// An element with a text in it.
  package init(_ name: StaticString, _ attributes: Attributes = [:], text: String) {
    self.init(name, attributes, Markup(text))
  }

  /// An element of SVG with nothing in it.
  package static func shape(_ name: StaticString, _ attributes: Attributes) -> Markup {
    var markup = Markup()
    markup.open(name, attributes)
    markup.source += "/>"
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
    first.source += second.source
  }

  private mutating func open(_ name: StaticString, _ attributes: Attributes) {
    source += "<\(name)"
    for (name, value) in attributes {
      guard let value else { continue }
      source += " \(name)=\""
      append(value, isAttribute: true)
      source += "\""
    }
  }

  private mutating func append(_ text: String, isAttribute: Bool) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": source += "&amp;"
      case "<": source += "&lt;"
      case ">": source += "&gt;"
      case "\"" where isAttribute: source += "&quot;"
      default: source.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Markup: MustacheCustomRenderable {
  package var renderText: String { source }
  package var isNull: Bool { source.isEmpty }
}

extension Sequence<Markup> {
  /// All, one after the other.
  package func joined() -> Markup {
    reduce(into: Markup()) { $0 += $1 }
  }
}
