internal import JettisonSupport

/// One line of a heaptrack data file, as far as it says what was allocated when.
///
/// A line is a letter, a space and hexadecimal numbers:
///
/// ```
/// v 10400 3              version of heaptrack, version of the format
/// X ./editor notes.txt   the command
/// a 48 9                 a kind of allocation: its size and where it was made
/// + 0                    an allocation of the kind with this number, from 0 (interpreted)
/// + 48 9 5581a0          an allocation: size, where, address (raw)
/// - 0                    the end of an allocation of this kind (interpreted)
/// - 5581a0               the end of the block at an address (raw)
/// c a                    milliseconds since the start
/// ```
enum HeaptrackLine: Equatable {
  /// The size of the next kind of allocation; nil if it cannot be read, so that the kinds after it
  /// keep their numbers.
  case kind(bytes: Int64?)
  /// An allocation, by the number of its kind.
  case allocationOfKind(UInt64)
  /// An allocation with its address.
  case allocation(bytes: Int64, address: UInt64)
  /// The end of an allocation: the number of its kind, or its address.
  case end(UInt64)
  /// Milliseconds since the start.
  case time(milliseconds: UInt64)
  /// A sample of the resident set.
  case residentSet
  /// The recorder was attached to a process that ran already.
  case attached
  /// The command.
  case command
  /// A text, and how many of its bytes stand on later lines.
  case text(missingBytes: Int)
  /// What changes nothing: instruction pointers, call paths, modules, suppressions, comments.
  case other
  /// A line of an unknown kind.
  case unknown
  /// A line whose numbers cannot be read.
  case malformed

  /// Sizes above are damage, not requests.
  static let largestBytes: UInt64 = 1 << 40
  /// Texts above are damage: paths and names of functions are shorter.
  private static let longestText: UInt64 = 1 << 20

  /// Reads one line without its end.
  ///
  /// Complexity: O(line).
  init(_ line: Span<UInt8>) {
    guard line.count > 0 else {
      self = .other
      return
    }
    guard line.count > 1, line[1] == 0x20 else {
      self =
        switch line[0] {
        case UInt8(ascii: "#"): .other
        case UInt8(ascii: "A") where line.count == 1: .attached
        case UInt8(ascii: "X") where line.count == 1: .command
        default: .unknown
        }
      return
    }
    self =
      switch line[0] {
      case UInt8(ascii: "+"): Self.allocation(line)
      case UInt8(ascii: "-"): Self.end(line)
      case UInt8(ascii: "a"): Self.kind(line)
      case UInt8(ascii: "c"): Self.time(line)
      case UInt8(ascii: "R"): .residentSet
      case UInt8(ascii: "A"): .attached
      case UInt8(ascii: "X"): .command
      case UInt8(ascii: "s"): Self.text(line)
      case UInt8(ascii: "v"), UInt8(ascii: "x"), UInt8(ascii: "I"), UInt8(ascii: "i"),
        UInt8(ascii: "t"), UInt8(ascii: "m"), UInt8(ascii: "S"), UInt8(ascii: "#"):
        .other
      default: .unknown
      }
  }

  private static func allocation(_ line: Span<UInt8>) -> HeaptrackLine {
    var position = 2
    guard let first = hexadecimal(line, &position) else { return .malformed }
    if position == line.count { return .allocationOfKind(first) }
    guard hexadecimal(line, &position) != nil, let address = hexadecimal(line, &position),
      position == line.count, first <= largestBytes
    else { return .malformed }
    return .allocation(bytes: Int64(first), address: address)
  }

  private static func end(_ line: Span<UInt8>) -> HeaptrackLine {
    var position = 2
    guard let number = hexadecimal(line, &position), position == line.count else {
      return .malformed
    }
    return .end(number)
  }

  private static func kind(_ line: Span<UInt8>) -> HeaptrackLine {
    var position = 2
    guard let bytes = hexadecimal(line, &position), bytes <= largestBytes,
      hexadecimal(line, &position) != nil, position == line.count
    else { return .kind(bytes: nil) }
    return .kind(bytes: Int64(bytes))
  }

  private static func time(_ line: Span<UInt8>) -> HeaptrackLine {
    var position = 2
    guard let milliseconds = hexadecimal(line, &position), position == line.count else {
      return .malformed
    }
    return .time(milliseconds: milliseconds)
  }

  /// From version 3 on the length of a text comes before it, and a text may hold line ends.
  ///
  /// In older files a text that looks so is counted short; then nothing is missing.
  private static func text(_ line: Span<UInt8>) -> HeaptrackLine {
    var position = 2
    guard let length = hexadecimal(line, &position), length <= longestText,
      position < line.count || length == 0
    else { return .text(missingBytes: 0) }
    return .text(missingBytes: max(0, Int(length) - (line.count - position)))
  }

  /// The number at a position, which moves behind it and the space after it.
  static func hexadecimal(_ line: Span<UInt8>, _ position: inout Int) -> UInt64? {
    guard let value = line.hexadecimal(&position) else { return nil }
    if position == line.count { return value }
    return line.take(" ", &position) ? value : nil
  }
}
