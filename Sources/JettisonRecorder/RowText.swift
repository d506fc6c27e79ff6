/// The bytes of one row of trace format 1, built in a buffer that is used again.
struct RowText {
  /// The row so far.
  private(set) var bytes: [UInt8] = []

  /// Begins a row that any event may have; the detail follows.
  mutating func begin(
    time: Int64, app: [UInt8], event: StaticString, value: Int64? = nil
  ) {
    bytes.removeAll(keepingCapacity: true)
    add(time)
    comma()
    bytes += app
    comma()
    add(event)
    comma()
    if let value { add(value) }
    comma()
    comma()
  }

  /// Ends the row.
  mutating func end() { bytes.append(0x0A) }

  /// Adds a word that needs no encoding.
  mutating func add(_ word: StaticString) {
    word.withUTF8Buffer { unsafe bytes += $0 }
  }

  /// Adds a whole number.
  mutating func add(_ number: Int64) { bytes += "\(number)".utf8 }

  /// Adds a text that may be anything.
  mutating func addEncoded(_ text: String, atMost limit: Int) {
    bytes += Self.encoded(text, atMost: limit)
  }

  /// Adds milliseconds of a length that is not negative, with as many decimals as it takes.
  mutating func add(milliseconds nanoseconds: Int64) {
    add(nanoseconds / 1_000_000)
    let rest = nanoseconds % 1_000_000
    guard rest > 0 else { return }
    // A seventh digit in front keeps the zeros that a fraction may begin with.
    var digits = "\(1_000_000 + rest)".utf8.dropFirst()
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    bytes.append(UInt8(ascii: "."))
    bytes += digits
  }

  /// Adds milliseconds, always with as many digits, so that they can be written over.
  mutating func add(fixedMilliseconds nanoseconds: Int64) {
    let microseconds = min(max(0, nanoseconds), Self.longestSave) / 1000
    let whole = "\(microseconds / 1000)"
    let fraction = "\(microseconds % 1000)"
    bytes += String(repeating: "0", count: 11 - whole.utf8.count).utf8
    bytes += whole.utf8
    bytes.append(UInt8(ascii: "."))
    bytes += String(repeating: "0", count: 3 - fraction.utf8.count).utf8
    bytes += fraction.utf8
  }

  /// The longest save that a trace may hold, 366 days: one that did not end while it was recorded.
  static let longestSave: Int64 = 366 * 86_400 * 1_000_000_000

  /// A text as a field has it: `# ; = % , "` and controls as `%XX`; cut between characters.
  static func encoded(_ text: String, atMost limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in prefix(of: text, atMost: limit).utf8 { append(byte, to: &bytes) }
    return bytes
  }

  /// The beginning of a text, in at most so many bytes of UTF-8.
  static func prefix(of text: String, atMost limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text[..<end])
  }

  private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case 0..<0x20, 0x7F, UInt8(ascii: "#"), UInt8(ascii: ";"), UInt8(ascii: "="),
      UInt8(ascii: "%"), UInt8(ascii: ","), UInt8(ascii: "\""):
      let digits = Array("0123456789ABCDEF".utf8)
      bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    default: bytes.append(byte)
    }
  }

  private mutating func comma() { bytes.append(UInt8(ascii: ",")) }
}
