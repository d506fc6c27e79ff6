internal import JettisonSupport

/// What is wrong with a row of a text trace, without its place.
struct TextRowFault: Error {
  let what: String
  let remedy: String
  /// The field it is in, from 0, if it is in one.
  var field: Int?

  /// A quotation mark in a field that does not begin with one: RFC 4180 has no such field, and programs
  /// that read tables disagree about what it means.
  static func quoteInside(_ field: Int) -> TextRowFault {
    let fault = TraceFault.unencoded(.detail, UInt8(ascii: "\""))
    return TextRowFault(what: fault.what, remedy: fault.remedy, field: field)
  }
}

/// A field of a row that may have had quotes.
struct TextField {
  private(set) var bytes: [UInt8] = []
  private(set) var isQuoted = false

  /// Splits a row slowly and completely: the header row, and rows with quotes.
  static func fields(of row: Span<UInt8>) throws(TextRowFault) -> [TextField] {
    var fields: [TextField] = []
    var position = 0
    while true {
      var field = TextField()
      if position < row.count, row[position] == UInt8(ascii: "\"") {
        try field.takeQuoted(row, &position)
      } else {
        while position < row.count, row[position] != UInt8(ascii: ",") {
          let byte = row[position]
          if byte == UInt8(ascii: "\"") { throw .quoteInside(fields.count) }
          field.bytes.append(byte)
          position += 1
        }
      }
      fields.append(field)
      if position == row.count { return fields }
      position += 1
    }
  }

  /// Takes a field from its opening quote to the comma or the end of the row behind its closing one.
  private mutating func takeQuoted(
    _ row: Span<UInt8>, _ position: inout Int
  ) throws(TextRowFault) {
    isQuoted = true
    position += 1
    while true {
      guard position < row.count else {
        throw TextRowFault(
          what: "a quoted field does not end on its line", remedy: "write line breaks as %0A")
      }
      let byte = row[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        guard position < row.count, row[position] == byte else { break }
        position += 1
      }
      bytes.append(byte)
    }
    guard position == row.count || row[position] == UInt8(ascii: ",") else {
      throw TextRowFault(
        what: "text after a closing quote", remedy: "double the quotes inside a quoted field")
    }
  }
}

/// A column of the header row of a text trace.
struct HeaderColumn {
  /// What a column holds; the format's own are numbered in its order.
  enum Role: UInt8 {
    case time, app, event, value, id, detail, ignored
  }

  let name: String
  let role: Role

  /// The header row of the format.
  static let allNames = TraceColumn.allCases.map(\.rawValue).joined(separator: ",")

  /// Reads the header row.
  static func columns(of fields: [TextField]) throws(TextRowFault) -> [HeaderColumn] {
    var columns: [HeaderColumn] = []
    for field in fields {
      let name = String(decoding: field.bytes, as: UTF8.self)
      if columns.contains(where: { $0.name == name }) {
        throw TextRowFault(what: "the column '\(name)' is there twice", remedy: "keep one of them")
      }
      if let position = TraceColumn.allCases.firstIndex(where: { $0.rawValue == name }),
        let role = Role(rawValue: UInt8(position))
      {
        columns.append(HeaderColumn(name: name, role: role))
      } else if name.hasPrefix("x-") {
        columns.append(HeaderColumn(name: name, role: .ignored))
      } else {
        throw TextRowFault(
          what: "unknown column '\(name.prefix(60))'",
          remedy: "the header row names the columns \(allNames); others begin with x-")
      }
    }
    for column in TraceColumn.allCases
    where !columns.contains(where: { $0.name == column.rawValue }) {
      throw TextRowFault(
        what: "the column '\(column.rawValue)' is missing",
        remedy: "the header row is '\(allNames)'")
    }
    return columns
  }
}
