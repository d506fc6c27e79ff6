import JettisonSupport

extension ReportTable {
  /// Rows as a JSON array with an object per row, in lines each ended.
  ///
  /// Names are the columns', in their order; what is empty in a CSV file is `null`.
  package func json(_ rows: [Row]) -> String {
    guard !rows.isEmpty else { return "[]\n" }
    let lines = rows.map { row in
      let members = fields.map { field in
        "\(JSONText.string(field.column.name)): \(JSONText.value(field.cell(row)))"
      }
      return "  {\(members.joined(separator: ", "))}"
    }
    return "[\n\(lines.joined(separator: ",\n"))\n]\n"
  }
}

/// Values as JSON writes them.
package enum JSONText {
  /// A field of a report; what is no number is `null`.
  package static func value(_ cell: ReportCell) -> String {
    switch cell {
    case .empty: "null"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .seconds(let value): NumberText.seconds(nanoseconds: value)
    case .real(let value): value.isFinite ? NumberText.real(value) : "null"
    case .text(let text): string(text)
    }
  }

  /// A text in quotes.
  package static func string(_ text: String) -> String {
    var quoted: [UInt8] = []
    append(text, to: &quoted)
    return String(decoding: quoted, as: UTF8.self)
  }

  /// Adds a text in quotes.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case ..<0x20:
        let digits = String(byte, radix: 16)
        bytes.append(contentsOf: (byte < 0x10 ? "\\u000\(digits)" : "\\u00\(digits)").utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
