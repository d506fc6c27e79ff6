/// A source of repeatable numbers: SplitMix64.
struct Generator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  mutating func next() -> UInt64 {
    // Wrapping on purpose: the generator is defined modulo 2^64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number below `bound`, each nearly as likely as the other.
  mutating func next(below bound: Int) -> Int {
    Int(next() % UInt64(bound))
  }

  /// A number from 0 up to, but not including, 1.
  mutating func nextUnit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }
}

/// Numbers of which number `k` is drawn with a probability in proportion to `1 / (k + 1)`.
struct Zipf {
  /// Sums of the weights up to each number.
  private let sums: [Double]

  init(count: Int) {
    var sums: [Double] = []
    var sum = 0.0
    for number in 0..<count {
      sum += 1 / Double(number + 1)
      sums.append(sum)
    }
    self.sums = sums
  }

  func draw(_ generator: inout Generator) -> Int {
    let point = generator.nextUnit() * sums[sums.count - 1]
    var low = 0
    var high = sums.count - 1
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] <= point { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
