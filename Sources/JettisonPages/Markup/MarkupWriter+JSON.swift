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
  mutating func quoted(_ text: String) { PageData.append(text, to: &bytes) }

  /// Appends texts in quotes, each after a comma.
  mutating func quotedAfterCommas(_ texts: String...) {
    for text in texts {
      command(",")
      quoted(text)
    }
  }

  /// Appends an array of arrays: what opens it, and what stands in each.
  mutating func list<Elements: Collection>(
    _ opening: StaticString, _ elements: Elements,
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
    _ opening: StaticString, _ elements: Elements,
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
