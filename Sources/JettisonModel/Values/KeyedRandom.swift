/// Draws that depend on what they are for, not on how many were drawn before.
///
/// A draw is a hash of (seed, key, app, episode, purpose), so two policies that replay the
/// same trace see the same world even after their first different purge: see
/// <doc:Reproducibility>. The mixer is the finaliser of SplitMix64 (Steele, Lea and Flood,
/// OOPSLA 2014).
public struct KeyedRandom: BitwiseCopyable, Sendable {
  /// What a draw decides; part of its key.
  public enum Purpose: UInt64, Sendable {
    case dirtyEpisode = 1
    case warningResponse
    case randomVictim
    case footprintNoise
    case latencyNoise
    case bootstrap
    case permutation
    case generator
    case admission
  }

  private let base: UInt64

  /// Fixes the seed and what the draws belong to: of a replay, ``Trace/drawKey``.
  public init(seed: UInt64, key: UInt64) {
    self.base = Self.mix(Self.mix(seed) ^ key)
  }

  /// Fixes the seed and the name of what the draws belong to.
  public init(seed: UInt64, name: String) {
    self.init(seed: seed, key: Self.entity(name))
  }

  /// 64 uniform bits for a key.
  ///
  /// `entity` is what the draw is about (a hash of an app's name, so that the draw does not
  /// depend on which other apps a trace holds); `episode` counts within it.
  ///
  /// Complexity: O(1).
  public func bits(entity: UInt64, episode: UInt64, purpose: Purpose) -> UInt64 {
    var x = Self.mix(base ^ Self.mix(entity))
    x = Self.mix(x ^ Self.mix(episode &+ 0x632b_e59b_d9b4_e019))
    return Self.mix(x ^ purpose.rawValue &* 0x9e37_79b9_7f4a_7c15)
  }

  /// A uniform number in [0, 1) with 53 random bits.
  public func uniform(entity: UInt64, episode: UInt64, purpose: Purpose) -> Double {
    Double(bits(entity: entity, episode: episode, purpose: purpose) >> 11) * 0x1p-53
  }

  /// A stable 64-bit identity of a name (FNV-1a).
  public static func entity(_ name: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return hash
  }

  /// The SplitMix64 finaliser: a bijection of 64-bit words that spreads every bit.
  public static func mix(_ word: UInt64) -> UInt64 {
    // Wrapping on purpose: the mixer is defined modulo 2^64.
    var z = word &+ 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// A sequence of draws for generators and resampling, where order is fixed by the caller.
public struct SplitMix64: RandomNumberGenerator, BitwiseCopyable, Sendable {
  private var state: UInt64

  /// Starts the sequence that belongs to a seed.
  public init(seed: UInt64) {
    self.state = seed
  }

  /// The next 64 uniform bits.
  public mutating func next() -> UInt64 {
    let word = KeyedRandom.mix(state)
    state &+= 0x9e37_79b9_7f4a_7c15
    return word
  }

  /// A uniform number in [0, 1) with 53 random bits.
  public mutating func uniform() -> Double {
    Double(next() >> 11) * 0x1p-53
  }
}
