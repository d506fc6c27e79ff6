import JettisonModel

/// Crashes, quits and updates.
extension SyntheticLife {
  /// A launch that ends in a crash; most people start the app again at once.
  mutating func crashIfDue(_ app: Int, _ random: inout SplitMix64) {
    let crashes = random.uniform() < population.rate(.crashes) / 1000
    let returns = random.uniform() < population.rate(.relaunchesAfterCrash)
    let length = Self.episodeLength(&random)
    guard crashes, front == app else { return }
    tell(.crash, app: app)
    front = nil
    ended.insert(app)
    wait(3)
    guard returns else { return }
    open(app)
    use(for: length)
  }

  /// An app that comes back cold, and now and then cannot read what it had saved.
  mutating func tellRestore(_ app: Int) {
    var random = draws("restore")
    guard random.uniform() < population.rate(.lostSnapshots) else { return }
    tell(.restoreFailed, at: clock + 1_000_000, app: app)
  }

  /// At the end of some sessions people quit apps in the switcher: those used last.
  mutating func quitSome() {
    var random = draws("quit")
    let number = random.geometric(mean: population.rate(.quits) / profile.sessionsPerDay)
    for app in stack.prefix(number + 1).filter({ $0 != front }).prefix(number) {
      wait(0.7)
      tell(.quit, app: app)
    }
  }

  /// Updates of a day: today at night on the charger, in 2010 by hand.
  mutating func tellUpdates(_ day: Int) {
    var random = streams.stream("updates", day)
    let rate = population.rate(.updates) / 7
    for time in rhythm.times(rate, on: day, &random) {
      let app = profile.installed[Int(random.uniform() * Double(profile.installed.count))]
      let night = rhythm.bedtime(day) + Self.milliseconds(random.uniform(600, 10_800))
      tell(.update, at: population == .today ? night : time, app: app)
    }
  }
}
