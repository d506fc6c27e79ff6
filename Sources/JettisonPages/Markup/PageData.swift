package import JettisonReports
import JettisonSupport

/// What a page holds for its script, as JSON.
package enum PageData: Sendable {
  case object([(String, PageData)])
  case array([PageData])
  case cell(ReportCell)
  case flag(Bool)
  /// What is JSON already, its texts escaped for a script.
  case json([UInt8])

  /// Names and whatever else is no number.
  package static func text(_ text: String) -> PageData { .cell(.text(text)) }

  /// A count.
  package static func count(_ value: Int) -> PageData { .cell(.integer(Int64(value))) }

  /// A figure, exactly; none where there is none.
  package static func real(_ value: Double?) -> PageData { .cell(ReportCell(real: value)) }

  /// The text between the tags of a script: no text in it ends the script or a line of it.
  package var scriptText: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A text in quotes, without the signs that mean something to a script or to the page around it.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    let start = bytes.count
    JSONText.append(text, to: &bytes)
    var place = start
    while place < bytes.count, bytes[place] != UInt8(ascii: "<"), bytes[place] != 0xE2 {
      place += 1
    }
    guard place < bytes.count else { return }
    let quoted = Array(bytes[place...])
    bytes.removeSubrange(place...)
    place = 0
    while place < quoted.count {
      let isLineEnd =
        place + 2 < quoted.count && quoted[place] == 0xE2 && quoted[place + 1] == 0x80
        && (quoted[place + 2] == 0xA8 || quoted[place + 2] == 0xA9)
      if isLineEnd {
        bytes.append(contentsOf: (quoted[place + 2] == 0xA8 ? "\\u2028" : "\\u2029").utf8)
      } else if quoted[place] == UInt8(ascii: "<") {
        bytes.append(contentsOf: "\\u003c".utf8)
      } else {
        bytes.append(quoted[place])
      }
      place += isLineEnd ? 3 : 1
    }
  }

  /// Adds the text between the tags of a script.
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (place, member) in members.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.append(member.0, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.1.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (place, value) in values.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .cell(.text(let text)): Self.append(text, to: &bytes)
    case .cell(let cell): bytes.append(contentsOf: JSONText.value(cell).utf8)
    case .json(let json): bytes.append(contentsOf: json)
    case .flag(let isSet): bytes.append(contentsOf: (isSet ? "true" : "false").utf8)
    }
  }
}
