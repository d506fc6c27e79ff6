import JettisonModel

/// Sessions and what is done in them: steps 3 to 5 of the recipe.
extension SyntheticLife {
  private typealias Recipe = SyntheticProfile.Recipe

  /// Step 3: one session, from screen on to screen off.
  mutating func liveSession(_ random: inout SplitMix64) {
    wake()
    wait(random.uniform(0.5, 2))
    let episodes = 1 + random.geometric(mean: Recipe.furtherEpisodes)
    for episode in 0..<episodes {
      let app = episode == 0 ? firstApp(&random) : nextApp(&random)
      guard let app else { break }
      spend(Self.episodeLength(&random), in: app)
      // Half of all changes go by way of the home screen, and so do most endings.
      guard random.uniform() < 0.5 else { continue }
      goHome()
      wait(random.uniform(0.5, 2))
    }
    quitSome()
    lock()
  }

  /// Brings an app to the front and uses it, whatever comes between.
  mutating func spend(_ length: Int64, in app: Int) {
    open(app)
    let start = clock
    use(for: length)
    guard clock > start else { return }
    var random = draws("episode")
    tellEdits(app, from: start, &random)
    tellOrientation(from: start, &random)
    crashIfDue(app, &random)
  }

  /// Goes on with the app in front; what arrives meanwhile interrupts.
  mutating func use(for length: Int64) {
    var rest = length
    while let app = front, let arrival = arrivals.first,
      arrival.timeNanoseconds < clock + rest
    {
      arrivals.removeFirst()
      let now = max(arrival.timeNanoseconds, clock)
      rest -= now - clock
      clock = now
      guard interrupt(app, by: arrival.kind) else { return }
    }
    clock += rest
  }

  /// Half of all sessions begin with communication.
  private mutating func firstApp(_ random: inout SplitMix64) -> Int? {
    if random.uniform() < Recipe.communicationFirst {
      var weights = profile.popularity
      for app in weights.indices
      where SyntheticApps.all[app].category != SyntheticApps.communication { weights[app] = 0 }
      if let app = random.pick(weights) { return app }
    }
    return nextApp(&random)
  }

  /// Step 4: back to a recent app, on by habit, or by popularity at this hour; never the same.
  mutating func nextApp(_ random: inout SplitMix64) -> Int? {
    let choice = random.uniform()
    if choice < Recipe.stackShare, stack.count > 1 {
      return stack[min(1 + random.geometric(mean: 1), stack.count - 1)]
    }
    if choice < Recipe.stackShare + Recipe.markovShare, let last = stack.first,
      let app = random.pick(profile.habits(after: last))
    {
      return app
    }
    let hour =
      Double(clock % SyntheticRhythm.dayNanoseconds) / Double(SyntheticRhythm.hourNanoseconds)
    var weights = profile.popularity(atHour: hour)
    if let last = stack.first { weights[last] = 0 }
    return random.pick(weights)
  }

  /// Step 5: 30 % glances, 70 % log-normal.
  static func episodeLength(_ random: inout SplitMix64) -> Int64 {
    random.uniform() < 0.3
      ? milliseconds(random.uniform(2, 15))
      : milliseconds(random.logNormal(median: 48, sigma: 1.2))
  }
}
