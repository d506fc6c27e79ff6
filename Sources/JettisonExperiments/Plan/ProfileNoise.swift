internal import Foundation
internal import JettisonCore
internal import JettisonTraces

/// Spread around the medians of the built-in categories (`--noise on`).
///
/// A footprint is multiplied by LogNormal(0, 0.25) and a latency by LogNormal(0, 0.35), drawn
/// once per user and app by a key, so that every policy meets the same apps. What a catalog file
/// or a capture says is exact and is left alone.
enum ProfileNoise {
  private static let footprintSigma = 0.25
  private static let latencySigma = 0.35
  private typealias Figure = WritableKeyPath<AppProfile, Int64> & Sendable
  private static let footprintFields: [(ResolvedApp.Field, any Figure)] = [
    (.footprint, \.launchFootprintBytes), (.growth, \.growthBytesPerMinute),
    (.suspended, \.suspendedCeilingBytes),
  ]
  private static let latencyFields: [(ResolvedApp.Field, any Figure)] = [
    (.coldLaunch, \.coldLaunchNanoseconds), (.warmLaunch, \.warmLaunchNanoseconds),
    (.hotLaunch, \.hotLaunchNanoseconds),
  ]

  /// Whether noise changes anything about these apps.
  static func matters(to apps: [ResolvedApp]) -> Bool {
    apps.contains { app in
      (footprintFields + latencyFields).contains { app.provenance[$0.0] == .imputed }
    }
  }

  /// The apps' profiles as one seed draws them.
  static func profiles(of apps: [ResolvedApp], key: UInt64, seed: UInt64) -> [AppProfile] {
    let random = KeyedRandom(seed: seed, key: key)
    return apps.map { app in
      let entity = KeyedRandom.entity(app.name)
      var profile = app.profile
      let footprint = factor(random, entity, .footprintNoise, footprintSigma)
      for (field, path) in footprintFields where app.provenance[field] == .imputed {
        scale(&profile[keyPath: path], footprint)
      }
      let latency = factor(random, entity, .latencyNoise, latencySigma)
      for (field, path) in latencyFields where app.provenance[field] == .imputed {
        scale(&profile[keyPath: path], latency)
      }
      return profile
    }
  }

  /// exp(σ·z) with z from two uniform draws by Box and Muller.
  private static func factor(
    _ random: KeyedRandom, _ entity: UInt64, _ purpose: KeyedRandom.Purpose, _ sigma: Double
  ) -> Double {
    // 1 − u is in (0, 1], where the logarithm is finite.
    let first = 1 - random.uniform(entity: entity, episode: 0, purpose: purpose)
    let second = random.uniform(entity: entity, episode: 1, purpose: purpose)
    let normal = (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
    return exp(sigma * normal)
  }

  private static func scale(_ value: inout Int64, _ factor: Double) {
    // A factor is at most exp(0.35 · 8.6), about 20; absurd figures are kept as they are, and so
    // is −1, which says that there is none.
    guard value >= 0, value < 1 << 58 else { return }
    value = Int64((Double(value) * factor).rounded())
  }
}
