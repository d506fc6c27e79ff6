/// The encoding of app names and details in trace format 1: `# ; = % ,` and controls are `%XX`,
/// so that no field of a trace ever needs quotes.
package enum PercentEncoding {
  /// Whether a byte stands for itself in a name or a detail value.
  ///
  /// The quotation mark is encoded too where text is written: a field that begins with one
  /// would be read as quoted.
  package static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x7F: false
    case UInt8(ascii: "#"), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "%"),
      UInt8(ascii: ","), UInt8(ascii: "\""):
      false
    default: true
    }
  }

  /// Encodes a name or a detail value.
  ///
  /// Complexity: O(bytes).
  package static func encode(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 16)
    for byte in text.utf8 { append(byte, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `%XX` for one byte.
  package static func escape(_ byte: UInt8) -> String {
    String(
      decoding: [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)], as: UTF8.self)
  }

  /// Appends one byte in its encoded form.
  package static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    if isPlain(byte) {
      bytes.append(byte)
    } else {
      bytes.append(UInt8(ascii: "%"))
      bytes.append(digit(byte >> 4))
      bytes.append(digit(byte & 15))
    }
  }

  /// Decodes a field, or says that a `%` lacks its digits.
  ///
  /// Complexity: O(bytes).
  package static func decode(_ bytes: Span<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "%") {
        guard position + 2 < bytes.count, let high = value(bytes[position + 1]),
          let low = value(bytes[position + 2])
        else { return nil }
        decoded.append(high << 4 | low)
        position += 3
      } else {
        decoded.append(byte)
        position += 1
      }
    }
    return decoded
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
