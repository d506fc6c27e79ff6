import JettisonCore

/// What apps do when they leave the front: ask for time, let go of things, or do not.
extension SyntheticLife {
  mutating func tellLeaving(_ app: Int) {
    guard app < SyntheticCast.firstDaemon else { return }
    var random = draws("leave")
    let chance = random.uniform()
    switch cast.category(app) {
    case .messaging, .photo:
      beginTask(app, chance, &random)
      shareResource(app, &random)
    case .social, .shopping: beginTask(app, chance, &random)
    case .notes: shareResource(app, &random)
    case .utility:
      if chance < population.rate(.exits), !SyntheticApps.comeWithThePhone.contains(app) {
        tell(.exit, at: clock + Self.milliseconds(random.uniform(0.2, 0.8)), app: app)
      }
    default: break
    }
  }

  private mutating func beginTask(_ app: Int, _ chance: Double, _ random: inout SplitMix64) {
    guard chance < population.rate(.tasks) else { return }
    let seconds = random.logNormal(median: population.rate(.taskSeconds), sigma: 1.6)
    tellTask(app, from: clock + 20_000_000, seconds: seconds)
  }

  private mutating func shareResource(_ app: Int, _ random: inout SplitMix64) {
  }
}
