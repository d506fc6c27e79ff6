import Foundation
import JettisonCore

/// The policies of the ship-first list, each as one plain formula.
package enum ModelPolicyName: String, CaseIterable, Sendable {
  case lru, fifo, mru, random, size
  case lfuDecay = "lfu-decay"
  case gdsf
  case landlordLoss = "landlord-loss"
}

/// One policy with what it remembers about each app.
struct ModelPolicy {
  /// What is remembered about one app.
  private struct Memory {
    /// `lfu-decay`: weight at the newest use.
    var weight = 0.0
    var weighedAt: Int64 = 0
    /// `gdsf`: uses since it was last purged.
    var uses = 0.0
    /// `gdsf`, `landlord-loss`: the age of the cache at the newest use.
    var age = 0.0
  }

  let name: ModelPolicyName
  private let isIdealCache: Bool
  private let lambda: Double
  private let random: KeyedRandom
  private var memories: [Memory]
  /// Highest score of a victim so far (`L`).
  private var age = 0.0

  init(
    _ name: ModelPolicyName, configuration: RunConfiguration,
    random: KeyedRandom, appCount: Int
  ) {
    self.name = name
    self.isIdealCache = configuration.pressure == .idealCache
    self.lambda = configuration.lambda
    self.random = random
    self.memories = Array(repeating: Memory(), count: appCount)
  }

  private static let halfLife = 86_400e9

  /// The user brought the app to the front.
  mutating func launched(_ app: ModelApp, at now: Int64) {
    let i = app.index.position
    memories[i].weight = weight(of: app, at: now) + 1
    memories[i].weighedAt = now
    memories[i].uses += 1
    if name == .gdsf || isIdealCache { memories[i].age = age }
  }

  mutating func suspended(_ app: ModelApp) {
    if name == .landlordLoss && !isIdealCache { memories[app.index.position].age = age }
  }

  mutating func purged(_ app: ModelApp, score: Double) {
    age = max(age, score)
    if name == .gdsf { memories[app.index.position] = Memory() }
  }

  private func weight(of app: ModelApp, at now: Int64) -> Double {
    let memory = memories[app.index.position]
    return memory.weight * exp2(Double(memory.weighedAt - now) / Self.halfLife)
  }

  /// Lower goes first.
  func score(_ app: ModelApp, footprint: Int64, decision: Int, at now: Int64) -> Double {
    guard let life = app.life else { return 0 }
    let memory = memories[app.index.position]
    let size = Double(max(1, footprint))
    let gap = app.profile.coldLaunchNanoseconds - app.profile.hotLaunchNanoseconds
    let cost = Double(gap) / 1e9
    switch name {
    case .lru: return Double(life.lastUsed)
    case .mru: return -Double(life.lastUsed)
    case .fifo: return Double(life.startedAt)
    case .size: return -Double(footprint)
    case .random:
      return random.uniform(
        entity: app.entity, episode: UInt64(decision), purpose: .randomVictim)
    case .lfuDecay: return weight(of: app, at: now)
    case .gdsf: return memory.age + memory.uses * cost / size
    case .landlordLoss:
      let loss = Double(app.ledger.figures(at: now).unsavedWork) / 1e9
      return memory.age + (cost + lambda * loss) / size
    }
  }
}
