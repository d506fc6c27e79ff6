/// Byte strings with dense numbers in order of first insertion.
///
/// Compares bytes, not characters: Swift's own string equality would merge names that differ
/// in their normalisation. Finding allocates nothing.
package struct ByteTable {
  /// The ends of a string, which are all of it up to 16 bytes, its length and its tag.
  private struct Key: BitwiseCopyable, Equatable {
    var first: UInt64
    var last: UInt64
    var count: Int
    var tag: UInt8
  }

  private struct Entry: BitwiseCopyable {
    var key: Key
    var hash: UInt64
    var start: Int
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// Number plus one; 0 marks a vacant bucket.
  private var buckets: [UInt32] = []

  /// An empty table.
  package init() {}

  /// How many strings there are.
  package var count: Int { entries.count }

  /// The number of a string, if it was inserted.
  ///
  /// Strings of different tags are different. Budget: 40 instructions for a short string.
  package func find(_ text: Span<UInt8>, tag: UInt8 = 0) -> UInt32? {
    guard !buckets.isEmpty else { return nil }
    let key = Self.key(text, tag)
    let mask = buckets.count - 1
    var position = Int(truncatingIfNeeded: Self.hash(text, key)) & mask
    while true {
      let mark = buckets[position]
      if mark == 0 { return nil }
      if entries[Int(mark - 1)].key == key, key.count <= 16 || matches(Int(mark - 1), text) {
        return mark - 1
      }
      position = (position + 1) & mask
    }
  }

  /// Adds a string that ``find(_:tag:)`` does not know, and returns its number.
  package mutating func insert(_ text: Span<UInt8>, tag: UInt8 = 0) -> UInt32 {
    if (count + 1) * 4 > buckets.count * 3 { grow() }
    let number = UInt32(count)
    let key = Self.key(text, tag)
    entries.append(Entry(key: key, hash: Self.hash(text, key), start: bytes.count))
    for position in 0..<text.count { bytes.append(text[position]) }
    place(number)
    return number
  }

  /// The number of a string, which is added if it is new.
  package mutating func number(of text: Span<UInt8>) -> UInt32 { find(text) ?? insert(text) }

  /// A string by its number; what is no UTF-8 becomes replacement characters.
  package func text(_ number: UInt32) -> String {
    number < count ? String(decoding: self[number], as: UTF8.self) : ""
  }

  /// The bytes of a number.
  package subscript(number: UInt32) -> ArraySlice<UInt8> {
    let entry = entries[Int(number)]
    return bytes[entry.start..<entry.start + entry.key.count]
  }

  /// The tag of a number.
  package func tag(of number: UInt32) -> UInt8 { entries[Int(number)].key.tag }

  /// Whether a string of more than 16 bytes is a text of the same key.
  private func matches(_ number: Int, _ text: Span<UInt8>) -> Bool {
    let start = entries[number].start
    let known = bytes.span.extracting(start..<start + text.count)
    var position = 8
    while position < text.count - 8 {
      if Self.word(of: known, at: position) != Self.word(of: text, at: position) { return false }
      position += 8
    }
    return true
  }

  private mutating func grow() {
    buckets = Array(repeating: 0, count: max(64, buckets.count * 2))
    for number in 0..<count { place(UInt32(number)) }
  }

  private mutating func place(_ number: UInt32) {
    let mask = buckets.count - 1
    var position = Int(truncatingIfNeeded: entries[Int(number)].hash) & mask
    while buckets[position] != 0 { position = (position + 1) & mask }
    buckets[position] = number + 1
  }

  @inline(__always)
  private static func key(_ text: Span<UInt8>, _ tag: UInt8) -> Key {
    let count = text.count
    var key = Key(first: 0, last: 0, count: count, tag: tag)
    if count >= 8 {
      key.first = word(of: text, at: 0)
      key.last = word(of: text, at: count - 8)
    } else if count >= 4 {
      key.first = UInt64(unsafe text.bytes.unsafeLoadUnaligned(as: UInt32.self))
      key.last = UInt64(
        unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
    } else {
      for position in 0..<count { key.first = key.first << 8 | UInt64(text[position]) }
    }
    return key
  }

  @inline(__always)
  private static func hash(_ text: Span<UInt8>, _ key: Key) -> UInt64 {
    var hash = mixed(key.first ^ UInt64(key.count) << 8 ^ UInt64(key.tag))
    var position = 8
    while position < key.count - 8 {
      hash = mixed(hash ^ word(of: text, at: position))
      position += 8
    }
    return mixed(hash ^ key.last)
  }

  // Wrapping on purpose: a multiplicative hash is defined modulo 2^64. No result depends on it.
  @inline(__always)
  private static func mixed(_ word: UInt64) -> UInt64 {
    let product = word &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }

  /// The eight bytes that begin at a position of a text.
  @inline(__always)
  private static func word(of text: Span<UInt8>, at position: Int) -> UInt64 {
    unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
  }
}
