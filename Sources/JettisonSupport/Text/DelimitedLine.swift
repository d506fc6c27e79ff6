/// One line of a table, split into fields (RFC 4180 quoting).
///
/// Reused from line to line, so that splitting allocates nothing in the long run. A quoted field
/// must end on its own line.
package struct DelimitedLine {
  /// Unquoted bytes of all fields, one after the other.
  private var bytes: [UInt8] = []
  /// Where each field ends in `bytes`.
  private var ends: [Int] = []

  private static let quote = UInt8(ascii: "\"")

  /// A line without fields.
  package init() {}

  /// Number of fields.
  package var count: Int { ends.count }

  /// Bytes of one field, without quotes.
  ///
  /// - Precondition: `position` is below ``count``.
  package subscript(position: Int) -> ArraySlice<UInt8> {
    bytes[(position == 0 ? 0 : ends[position - 1])..<ends[position]]
  }

  /// One field as text with surrounding blanks removed; damaged UTF-8 is repaired.
  package func text(_ position: Int) -> String {
    String(decoding: trimmed(position), as: UTF8.self)
  }

  /// One field without surrounding spaces and tabs.
  package func trimmed(_ position: Int) -> ArraySlice<UInt8> {
    var field = self[position]
    while let first = field.first, first == 0x20 || first == 0x09 { field = field.dropFirst() }
    while let last = field.last, last == 0x20 || last == 0x09 { field = field.dropLast() }
    return field
  }

  /// Splits a line; false if a quoted field does not end, or goes on after its end.
  ///
  /// Complexity: O(line).
  package mutating func split(_ line: Span<UInt8>, by delimiter: UInt8) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    var position = 0
    while true {
      if position < line.count, line[position] == Self.quote {
        guard takeQuoted(line, &position) else { return false }
        guard position == line.count || line[position] == delimiter else { return false }
      } else {
        while position < line.count, line[position] != delimiter {
          bytes.append(line[position])
          position += 1
        }
      }
      ends.append(bytes.count)
      if position == line.count { return true }
      position += 1
    }
  }

  private mutating func takeQuoted(_ line: Span<UInt8>, _ position: inout Int) -> Bool {
    position += 1
    while position < line.count {
      let byte = line[position]
      position += 1
      if byte != Self.quote {
        bytes.append(byte)
      } else if position < line.count, line[position] == Self.quote {
        bytes.append(byte)
        position += 1
      } else {
        return true
      }
    }
    return false
  }

  /// The most frequent of `, ; tab |` outside quotes; comma if there is none.
  package static func sniffDelimiter(_ line: Span<UInt8>) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09, UInt8(ascii: "|")]
    var counts = [0, 0, 0, 0]
    var quoted = false
    for position in 0..<line.count {
      if line[position] == quote { quoted.toggle() }
      if !quoted, let found = candidates.firstIndex(of: line[position]) { counts[found] += 1 }
    }
    var best = 0
    for found in 1..<4 where counts[found] > counts[best] { best = found }
    return candidates[best]
  }
}
