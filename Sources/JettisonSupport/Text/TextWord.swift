/// Eight bytes of a text at once, the first of them in the lowest place.
///
/// What readers do for every byte of a line costs a few instructions for each; with words it costs
/// them for eight. Readers call this for every row: it is inlined.
@usableFromInline
package struct TextWord: BitwiseCopyable {
  @usableFromInline static var everyByte: UInt64 { 0x0101_0101_0101_0101 }
  @usableFromInline static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  @usableFromInline var bits: UInt64

  /// The bytes at a position, eight of which there must be.
  @inlinable package init(_ text: Span<UInt8>, at position: Int) {
    bits = unsafe UInt64(
      littleEndian: text.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// The bytes from a position on, with zeros for those that the text has not.
  @inlinable @inline(__always) package init(_ text: Span<UInt8>, from position: Int) {
    if position + 8 <= text.count {
      self.init(text, at: position)
    } else {
      self.init(endOf: text, from: position)
    }
  }

  /// Fewer than eight bytes.
  @inlinable init(endOf text: Span<UInt8>, from position: Int) {
    bits = 0
    var place = text.count
    while place > position {
      place -= 1
      bits = bits &<< 8 | UInt64(text[place])
    }
  }

  /// The place of the first byte of a value, from 0; 8: there is none.
  @inlinable package func place(of byte: UInt8) -> Int {
    // Wrapping on purpose: a byte that is 0 borrows, and those above it are of no interest.
    let other = bits ^ (Self.everyByte &* UInt64(byte))
    return ((other &- Self.everyByte) & ~other & Self.highBits).trailingZeroBitCount / 8
  }

  /// How many digits the text begins with, at most 8.
  @inlinable package var digitCount: Int {
    // Digits become 0 to 9, which 0x76 does not lift to 0x80. Wrapping on purpose: what a larger
    // byte carries into is above it.
    let digits = bits ^ (Self.everyByte &* 0x30)
    let others = (digits &+ (Self.everyByte &* 0x76)) | digits
    return (others & Self.highBits).trailingZeroBitCount / 8
  }

  /// The number that so many digits are, from 1 to 8.
  @inlinable package func number(digits count: Int) -> Int64 {
    // The digits end in the highest byte; those that are missing are zeros before them. Wrapping on
    // purpose: neighbours are added by multiplications, whose overflow falls off the top.
    var digits = (bits &<< UInt64(64 - 8 * count)) & (Self.everyByte &* 0x0F)
    digits = (digits &* 2561) &>> 8 & 0x00FF_00FF_00FF_00FF
    digits = (digits &* 6_553_601) &>> 16 & 0x0000_FFFF_0000_FFFF
    return Int64((digits &* 42_949_672_960_001) &>> 32)
  }

  /// The high bit of every byte that is at least so much, for bytes below 128.
  @inlinable static func atLeast(_ byte: UInt8, _ bits: UInt64) -> UInt64 {
    // Wrapping on purpose: no sum leaves its byte.
    (bits &+ everyByte &* UInt64(0x80 - byte)) & highBits
  }

  /// How many hexadecimal digits in lower case the text begins with, at most 8.
  @inlinable @inline(__always) package var hexadecimalCount: Int {
    let low = bits & ~Self.highBits
    let digits = Self.atLeast(0x30, low) & ~Self.atLeast(0x3A, low)
    let letters = Self.atLeast(0x61, low) & ~Self.atLeast(0x67, low)
    return (Self.highBits & ~((digits | letters) & ~bits)).trailingZeroBitCount / 8
  }

  /// The number that so many hexadecimal digits are, from 1 to 8.
  @inlinable @inline(__always) package func number(hexadecimal count: Int) -> UInt64 {
    // As with decimal digits; letters are those bytes that have the bit of 0x40. Wrapping on
    // purpose: every sum stays in its byte.
    let letters = bits >> 6 & Self.everyByte
    var digits = ((bits & (Self.everyByte &* 0x0F)) &+ letters &* 9) &<< UInt64(64 - 8 * count)
    digits = (digits &<< 4 | digits &>> 8) & 0x00FF_00FF_00FF_00FF
    digits = (digits &<< 8 | digits &>> 16) & 0x0000_FFFF_0000_FFFF
    return (digits &<< 16 | digits &>> 32) & 0xFFFF_FFFF
  }

  /// Ten to the power of 0 to 8.
  @inlinable package static func power(ofTen exponent: Int) -> Int64 {
    // A table, once compiled.
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    default: 100_000_000
    }
  }
}
