/// One line of a table, split into fields (RFC 4180 quoting).
///
/// Reused from line to line, so that splitting allocates nothing in the long run. A quoted field
/// must end on its own line.
@usableFromInline
package struct DelimitedLine {
  /// The line; within a quoted field, quotes that stand for one are one.
  ///
  /// What is left of a longer line before it follows.
  @usableFromInline var bytes: [UInt8] = []
  /// Where each field is in `bytes`; those of a line before it follow.
  @usableFromInline var fields: [Range<Int>] = []
  /// Number of fields.
  package private(set) var count = 0

  private static let quote = UInt8(ascii: "\"")

  /// A line without fields.
  package init() {}

  /// Lends the bytes of one field, without quotes.
  ///
  /// What readers call for every field of every row: nothing is counted, nothing copied.
  @inlinable package func withField<Result>(
    _ position: Int, _ body: (Span<UInt8>) -> Result
  ) -> Result {
    body(bytes.span.extracting(fields[position]))
  }

  /// Lends one field without surrounding spaces and tabs.
  @inlinable package func withTrimmed<Result>(
    _ position: Int, _ body: (Span<UInt8>) -> Result
  ) -> Result {
    body(bytes.span.extracting(trimmedRange(position)))
  }

  /// Bytes of one field, without quotes.
  ///
  /// - Precondition: `position` is below ``count``.
  package subscript(position: Int) -> ArraySlice<UInt8> {
    bytes[fields[position]]
  }

  /// One field as text with surrounding blanks removed; damaged UTF-8 is repaired.
  package func text(_ position: Int) -> String {
    String(decoding: bytes[trimmedRange(position)], as: UTF8.self)
  }

  /// Where one field is without surrounding spaces and tabs.
  @inlinable func trimmedRange(_ position: Int) -> Range<Int> {
    let field = fields[position]
    var (start, end) = (field.lowerBound, field.upperBound)
    while start < end, Self.isBlank(bytes[start]) { start += 1 }
    while end > start, Self.isBlank(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  @inlinable static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Whether a field holds nothing but spaces and tabs.
  package func isBlank(_ position: Int) -> Bool { trimmedRange(position).isEmpty }

  /// The number that a field of up to 18 digits is; nil: the field is anything else.
  @inlinable package func number(_ position: Int) -> Int64? {
    let field = bytes.span.extracting(fields[position])
    var end = 0
    guard let number = field.number(&end), end == field.count else { return nil }
    return number
  }

  /// Splits a line; false if a quoted field does not end, or goes on after its end.
  ///
  /// Complexity: O(line).
  package mutating func split(_ line: Span<UInt8>, by delimiter: UInt8) -> Bool {
    bytes.overwrite(with: line)
    count = 0
    var position = 0
    while true {
      let field: Range<Int>
      if position < line.count, line[position] == Self.quote {
        guard let content = takeQuoted(line, &position) else { return false }
        guard position == line.count || line[position] == delimiter else { return false }
        field = content
      } else {
        field = position..<(line.firstIndex(of: delimiter, from: position) ?? line.count)
        position = field.upperBound
      }
      if count < fields.count { fields[count] = field } else { fields.append(field) }
      count += 1
      if position == line.count { return true }
      position += 1
    }
  }

  /// Takes a quoted field; nil if it does not end.
  ///
  /// What follows a doubled quote moves down by one.
  private mutating func takeQuoted(_ line: Span<UInt8>, _ position: inout Int) -> Range<Int>? {
    let start = position + 1
    var end = start
    position = start
    while let quote = line.firstIndex(of: Self.quote, from: position) {
      if end < position {
        for place in position..<quote { bytes[end + place - position] = line[place] }
      }
      end += quote - position
      position = quote + 1
      guard position < line.count, line[position] == Self.quote else { return start..<end }
      bytes[end] = Self.quote
      end += 1
      position += 1
    }
    return nil
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
