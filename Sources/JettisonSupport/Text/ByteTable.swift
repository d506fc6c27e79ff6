/// Byte strings with dense numbers in order of first insertion.
///
/// Compares bytes, not characters: Swift's own string equality would merge names that differ
/// in their normalisation. Finding allocates nothing.
package struct ByteTable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var tags: [UInt8] = []
  private var hashes: [UInt64] = []
  /// Number plus one; 0 marks a vacant bucket.
  private var buckets: [UInt32] = []

  /// An empty table.
  package init() {}

  /// How many strings there are.
  package var count: Int { ends.count }

  /// The number of a string, if it was inserted.
  ///
  /// Strings of different tags are different.
  package func find(_ text: Span<UInt8>, tag: UInt8 = 0) -> UInt32? {
    guard !buckets.isEmpty else { return nil }
    let hash = Self.hash(text, tag)
    let mask = buckets.count - 1
    var position = Int(truncatingIfNeeded: hash) & mask
    while true {
      let mark = buckets[position]
      if mark == 0 { return nil }
      if hashes[Int(mark - 1)] == hash, matches(Int(mark - 1), text, tag) { return mark - 1 }
      position = (position + 1) & mask
    }
  }

  /// Adds a string that ``find(_:tag:)`` does not know, and returns its number.
  package mutating func insert(_ text: Span<UInt8>, tag: UInt8 = 0) -> UInt32 {
    if (count + 1) * 4 > buckets.count * 3 { grow() }
    let number = UInt32(count)
    for position in 0..<text.count { bytes.append(text[position]) }
    ends.append(bytes.count)
    tags.append(tag)
    hashes.append(Self.hash(text, tag))
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
    bytes[start(Int(number))..<ends[Int(number)]]
  }

  /// The tag of a number.
  package func tag(of number: UInt32) -> UInt8 { tags[Int(number)] }

  private func start(_ number: Int) -> Int { number == 0 ? 0 : ends[number - 1] }

  private func matches(_ number: Int, _ text: Span<UInt8>, _ tag: UInt8) -> Bool {
    let start = start(number)
    let end = ends[number]
    guard tags[number] == tag, end - start == text.count else { return false }
    let known = bytes.span.extracting(start..<end)
    var position = 0
    while position < text.count {
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
    var position = Int(truncatingIfNeeded: hashes[Int(number)]) & mask
    while buckets[position] != 0 { position = (position + 1) & mask }
    buckets[position] = number + 1
  }

  private static func hash(_ text: Span<UInt8>, _ tag: UInt8) -> UInt64 {
    // Wrapping on purpose: a multiplicative hash is defined modulo 2^64. No result depends on it.
    var hash = UInt64(text.count) << 8 | UInt64(tag)
    var position = 0
    while position < text.count {
      hash = (hash ^ word(of: text, at: position)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
      position += 8
    }
    return hash
  }

  /// The eight bytes that begin at a position of a text; near its end the last eight of it, and of
  /// a short text what there is.
  @inline(__always)
  private static func word(of text: Span<UInt8>, at position: Int) -> UInt64 {
    if text.count >= 8 {
      return unsafe text.bytes.unsafeLoadUnaligned(
        fromByteOffset: min(position, text.count - 8), as: UInt64.self)
    }
    var word: UInt64 = 0
    for position in 0..<text.count { word = word << 8 | UInt64(text[position]) }
    return word
  }
}
