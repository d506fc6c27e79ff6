package import JettisonCore

/// The profiles of a trace's apps on one device, with what is imputed in them.
package struct ProfileSet: Sendable {
  /// By ``AppIndex``.
  package var profiles: [AppProfile]
  /// Whether an app's footprint figures are those of a built-in category, by ``AppIndex``.
  package var imputesFootprint: [Bool]
  /// Whether an app's launch latencies are those of a built-in category, by ``AppIndex``.
  package var imputesLatency: [Bool]

  /// Makes a set; all three have one element per app.
  package init(profiles: [AppProfile], imputesFootprint: [Bool], imputesLatency: [Bool]) {
    precondition(profiles.count == imputesFootprint.count)
    precondition(profiles.count == imputesLatency.count)
    self.profiles = profiles
    self.imputesFootprint = imputesFootprint
    self.imputesLatency = imputesLatency
  }
}

/// Spread around the medians of the built-in categories (`--noise on`).
///
/// A footprint is multiplied by LogNormal(0, 0.25) and a latency by LogNormal(0, 0.35), drawn
/// once per user and app by a key, so that every policy meets the same apps. What a catalog file
/// or a capture says is exact and is left alone.
enum ProfileNoise {
  private static let footprintSigma = 0.25
  private static let latencySigma = 0.35

  static func apply(to set: ProfileSet, apps: [String], user: String, seed: UInt64) -> [AppProfile] {
    let random = KeyedRandom(seed: seed, user: user)
    var profiles = set.profiles
    for position in profiles.indices {
      let entity = KeyedRandom.entity(apps[position])
      if set.imputesFootprint[position] {
        let factor = factor(random, entity, .footprintNoise, footprintSigma)
        scale(&profiles[position].launchFootprintBytes, factor)
        scale(&profiles[position].growthBytesPerMinute, factor)
        if profiles[position].suspendedCeilingBytes >= 0 {
          scale(&profiles[position].suspendedCeilingBytes, factor)
        }
      }
      if set.imputesLatency[position] {
        let factor = factor(random, entity, .latencyNoise, latencySigma)
        scale(&profiles[position].coldLaunchNanoseconds, factor)
        scale(&profiles[position].warmLaunchNanoseconds, factor)
        scale(&profiles[position].hotLaunchNanoseconds, factor)
      }
    }
    return profiles
  }

  /// Whether noise changes anything about these apps.
  static func matters(to set: ProfileSet) -> Bool {
    set.imputesFootprint.contains(true) || set.imputesLatency.contains(true)
  }

  /// exp(σ·z) with z from two uniform draws by Box and Muller.
  private static func factor(
    _ random: KeyedRandom, _ entity: UInt64, _ purpose: KeyedRandom.Purpose, _ sigma: Double
  ) -> Double {
    // 1 − u is in (0, 1], where the logarithm is finite.
    let first = 1 - random.uniform(entity: entity, episode: 0, purpose: purpose)
    let second = random.uniform(entity: entity, episode: 1, purpose: purpose)
    let normal = (-2 * Elementary.log(first)).squareRoot() * Elementary.cos(2 * .pi * second)
    return Elementary.exp(sigma * normal)
  }

  private static func scale(_ value: inout Int64, _ factor: Double) {
    // A factor is at most exp(0.35 · 8.6), about 20; figures beyond 2^58 are kept as they are.
    guard value < 1 << 58 else { return }
    value = Int64((Double(value) * factor).rounded())
  }
}
