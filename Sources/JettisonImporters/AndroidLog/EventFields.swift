internal import JettisonSupport

/// The fields of one event: `[0,1879,com.example.notes,999,empty #24]`, or a single one without
/// brackets.
///
/// A comma inside a field is not escaped: fields are counted from the left, and what follows the
/// last one that is wanted is joined.
struct EventFields {
  /// Where the fields stand; those of a line before it follow.
  private var fields: [Range<Int>] = []
  /// How many fields there are.
  private(set) var count = 0

  /// Splits a message; the ranges are of the line.
  mutating func split(_ line: Span<UInt8>, _ message: Range<Int>) {
    count = 0
    var start = message.lowerBound
    var end = message.upperBound
    guard start < end else { return }
    if line[start] == UInt8(ascii: "[") {
      start += 1
      if end > start, line[end - 1] == UInt8(ascii: "]") { end -= 1 }
    }
    while let comma = line.firstIndex(of: UInt8(ascii: ","), from: start), comma < end {
      add(start..<comma)
      start = comma + 1
    }
    add(start..<end)
  }

  private mutating func add(_ field: Range<Int>) {
    if count < fields.count { fields[count] = field } else { fields.append(field) }
    count += 1
  }

  /// Where a field stands.
  func range(_ field: Int) -> Range<Int>? {
    field < count ? fields[field] : nil
  }

  /// The fields from one on, up to another, with the commas between them.
  func joined(from field: Int, upTo last: Int) -> Range<Int>? {
    field < last && last <= count
      ? fields[field].lowerBound..<fields[last - 1].upperBound : nil
  }

  /// A field that is an integer.
  func integer(_ line: Span<UInt8>, _ field: Int) -> Int64? {
    guard let range = range(field) else { return nil }
    var position = range.lowerBound
    let piece = line.extracting(first: range.upperBound)
    guard let value = piece.signedNumber(&position), position == range.upperBound else {
      return nil
    }
    return value
  }

  /// A field that is a process id.
  func pid(_ line: Span<UInt8>, _ field: Int) -> Int32? {
    guard let value = integer(line, field), value >= 0 else { return nil }
    return Int32(exactly: value)
  }
}
