import JettisonModel
internal import JettisonTraces

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
    case .casualGame, .largeGame:
      if chance < population.rate(.gpuWork) {
        tell(.gpuWork, at: clock + Self.milliseconds(random.uniform(0.1, 0.6)), app: app)
      }
    default: break
    }
  }

  private mutating func beginTask(_ app: Int, _ chance: Double, _ random: inout SplitMix64) {
    guard chance < population.rate(.tasks) else { return }
    let seconds = random.logNormal(median: population.rate(.taskSeconds), sigma: 1.6)
    tellTask(app, from: clock + 20_000_000, seconds: seconds)
  }

  /// Held while the app is in front; let go at once, or only after the app has been suspended.
  private mutating func shareResource(_ app: Int, _ random: inout SplitMix64) {
    let holds = random.uniform() < population.rate(.sharedResources)
    let isLeft = random.uniform() < population.rate(.leftResources)
    guard holds else { return }
    let resource = cast.category(app) == .messaging ? "contacts" : "file-lock"
    let end = clock + Self.milliseconds(isLeft ? random.uniform(5, 60) : 0.1)
    tell(
      .sharedResource, at: clock - 500_000_000, app: app, value: 1,
      detail: "resource=\(resource)")
    tell(.sharedResource, at: end, app: app, value: 0, detail: "resource=\(resource)")
  }
}
