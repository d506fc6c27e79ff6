/// A 64-bit check against accidental damage, of files of version 1.
///
/// Not cryptographic.
///
/// Words of eight bytes are mixed in one by one; each step is a bijection of the state, so a
/// change within one word always changes the result.
struct Checksum {
  private var state: UInt64 = 0x9AE1_6A3B_2F90_404F

  /// Adds all bytes that the check is of.
  mutating func add(_ bytes: Span<UInt8>) {
    let whole = bytes.count & ~7
    let raw = unsafe bytes.bytes
    for position in stride(from: 0, to: whole, by: 8) {
      // Any eight bytes are a number, and the loop's bound keeps the load inside.
      mix(unsafe raw.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian)
    }
    mix(bytes.number(at: whole, bytes: bytes.count - whole))
    mix(UInt64(bytes.count))
  }

  var value: UInt64 { state }

  private mutating func mix(_ word: UInt64) { state = mixed(state, word) }
}

/// A 64-bit check against accidental damage that four chains share, so that none of them has to be
/// waited for.
///
/// Not cryptographic. The words of a lane are mixed in one by one as in ``Checksum``, and in the end
/// the lanes into each other: a change within one word always changes the result.
struct LaneChecksum {
  private static let laneBytes = 32

  private var lanes: (UInt64, UInt64, UInt64, UInt64) = (
    0x9AE1_6A3B_2F90_404F, 0xC949_D7C7_509E_6557, 0xFF51_AFD7_ED55_8CCD, 0xC4CE_B9FE_1A85_EC53
  )
  private var pending: [UInt8] = []
  private var length: UInt64 = 0

  /// Adds the next bytes of what the check is of.
  mutating func add(_ bytes: Span<UInt8>) {
    length += UInt64(bytes.count)
    var position = 0
    if !pending.isEmpty {
      position = min(Self.laneBytes - pending.count, bytes.count)
      for index in 0..<position { pending.append(bytes[index]) }
      guard pending.count == Self.laneBytes else { return }
      let full = pending
      pending = []
      mix(full.span)
    }
    let end = position + (bytes.count - position) / Self.laneBytes * Self.laneBytes
    mix(bytes.extracting(position..<end))
    for index in end..<bytes.count { pending.append(bytes[index]) }
  }

  /// The check of what was added so far.
  var value: UInt64 {
    var copy = self
    let zeros = [UInt8](repeating: 0, count: Self.laneBytes - pending.count)
    copy.mix((pending + zeros).span)
    var state = mixed(copy.lanes.0, copy.lanes.1)
    state = mixed(state, copy.lanes.2)
    state = mixed(state, copy.lanes.3)
    return mixed(state, length)
  }

  /// Mixes a multiple of ``laneBytes`` in.
  private mutating func mix(_ bytes: Span<UInt8>) {
    let raw = unsafe bytes.bytes
    var (a, b, c, d) = lanes
    var position = 0
    while position + Self.laneBytes <= bytes.count {
      // Any eight bytes are a number, and the loop's condition keeps the loads inside.
      func word(_ lane: Int) -> UInt64 {
        unsafe raw.unsafeLoadUnaligned(
          fromByteOffset: position + 8 * lane, as: UInt64.self
        ).littleEndian
      }
      a = mixed(a, word(0))
      b = mixed(b, word(1))
      c = mixed(c, word(2))
      d = mixed(d, word(3))
      position += Self.laneBytes
    }
    lanes = (a, b, c, d)
  }
}

/// Mixes a word into a state: a bijection of either.
@inline(__always)
private func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
  // Wrapping on purpose: multiplication by an odd number is a bijection modulo 2^64.
  let product = (state ^ word) &* 0x9DDF_EA08_EB38_2D69
  return product ^ (product >> 29)
}
