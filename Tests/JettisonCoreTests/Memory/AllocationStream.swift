@testable import JettisonCore

/// A random but repeatable stream of allocations, frees, reallocations and returns of pages.
struct AllocationStream: Sendable {
  private var state: UInt64
  private var blocks: [UInt] = []

  init(seed: UInt64) {
    state = seed
  }

  /// Runs more operations in an arena and returns the footprint after each, in bytes.
  mutating func run(_ count: Int, in arena: Arena) -> [Int64] {
    var footprints: [Int64] = []
    for _ in 0..<count {
      step(in: arena)
      footprints.append(arena.footprintBytes)
    }
    return footprints
  }

  private mutating func step(in arena: Arena) {
    switch next(below: 1_000) {
    case 0: arena.releaseDirtyPages()
    case 1: arena.returnDirtyPages()
    case 2..<500:
      blocks.append(arena.allocate(bytes: nextSize(), alignment: nextAlignment()))
    case 500..<900 where !blocks.isEmpty:
      let index = next(below: blocks.count)
      arena.free(blocks[index])
      blocks[index] = blocks[blocks.count - 1]
      blocks.removeLast()
    default:
      guard !blocks.isEmpty else { return }
      let index = next(below: blocks.count)
      blocks[index] = arena.reallocate(
        blocks[index], bytes: nextSize(), alignment: nextAlignment())
    }
  }

  /// Sizes of every order of magnitude up to 4 MiB, and none at all.
  private mutating func nextSize() -> Int64 {
    let magnitude = next(below: 23)
    return Int64(next(below: 1 << magnitude))
  }

  private mutating func nextAlignment() -> Int64 {
    next(below: 10) == 0 ? Int64(1) << next(below: 17) : 0
  }

  /// A number from SplitMix64, reduced.
  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Int(mixed % UInt64(bound))
  }
}

/// The first place where two series differ, with both values; nil if they are equal.
func firstDifference(_ a: [Int64], _ b: [Int64]) -> String? {
  guard a.count == b.count else { return "\(a.count) values, not \(b.count)" }
  guard let index = a.indices.first(where: { a[$0] != b[$0] }) else { return nil }
  return "value \(index) is \(a[index]), not \(b[index])"
}
