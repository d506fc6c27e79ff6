import JettisonSupport

extension ReportTable {
  /// Rows as a JSON array with an object per row, in lines each ended.
  ///
  /// Names are those of the columns, in their order; what is empty in a CSV file is `null`.
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
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    guard !isPlain else { return "\"\(text)\"" }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
