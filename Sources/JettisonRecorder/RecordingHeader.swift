/// The lines before the rows of a recording.
struct RecordingHeader {
  let settings: RecorderSettings
  let app: AppName
  /// Footprint at which the system ends the app; nil: not known.
  let limitBytes: Int64?
  let startSeconds: Int64
  let zoneOffset: Int64

  /// Everything up to the header row, that included.
  var text: String {
    // What tells a recording from other traces is within its first bytes: see ``RecordingFile``.
    // The quotation mark that ends them moves to the end of what the app adds.
    let more = settings.source.map { Self.quoted(": \($0)").dropFirst() }
    var text = RecordingFile.firstLine + RecordingFile.ownSource + (more ?? "\"") + "\n"
    if let device = settings.device, !device.isEmpty {
      text += "# device: \(Self.quoted(device))\n"
    }
    if let user = settings.user, !user.isEmpty { text += "# user: \(Self.quoted(user))\n" }
    let start = RecorderDate.text(seconds: startSeconds, offset: zoneOffset)
    text += "# start: \"\(start)\"\n"
    var entries: [String] = []
    if let category = settings.category { entries.append("category: \(category.rawValue)") }
    if let limitBytes, limitBytes > 0 { entries.append("limit: \(limitBytes)") }
    if !entries.isEmpty {
      text += "# apps:\n\(Self.entry(of: app)){\(entries.joined(separator: ", "))}\n"
    }
    return text + RecordingFile.headerRow
  }

  /// How the line begins that says what kind of app it is.
  static func entry(of app: AppName) -> String { "\(entryIndent)\(app.key): " }

  /// How such a line begins for any app.
  static let entryIndent = "#   "

  /// A text in double quotes, as YAML reads it back; of a long one, the first 1024 characters.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars.prefix(1024) {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      // YAML refuses controls and what is no character, and takes the others for ends of lines.
      case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}": result += "\\x" + hex(scalar, digits: 2)
      case "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
        result += "\\u" + hex(scalar, digits: 4)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func hex(_ scalar: Unicode.Scalar, digits: Int) -> String {
    let text = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }
}
