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
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let quoted = JSONText.string(text)
    guard quoted.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == 0xE2 }) else {
      bytes.append(contentsOf: quoted.utf8)
      return
    }
    for scalar in quoted.unicodeScalars {
      switch scalar {
      case "<": bytes.append(contentsOf: "\\u003c".utf8)
      case "\u{2028}": bytes.append(contentsOf: "\\u2028".utf8)
      case "\u{2029}": bytes.append(contentsOf: "\\u2029".utf8)
      default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
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
