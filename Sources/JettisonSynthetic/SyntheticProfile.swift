import JettisonModel

/// Who a synthetic user is: apps, habits and how often the phone is picked up.
///
/// Steps 1 and 6 of the recipe. Everything is drawn by a key, so the profile of user *k* under
/// seed *s* in week *w* does not depend on how many users or days are generated.
struct SyntheticProfile {
  /// The recipe's parameters, at their documented values but for one.
  ///
  /// Calibrated so that an exact LRU over app counts hits as often as published for real users
  /// (0.7617 at five apps, 0.8900 on average over five to thirteen); a test holds that. As
  /// written, with a mean exponent of 1.5, the recipe gives 0.745 and 0.871: habits, hours and
  /// drift spread launches more than the plain mixture it was calibrated on. The means that
  /// reach the published figures are in ``SyntheticRates``.
  enum Recipe {
    static let sigmaApps = 0.35
    static let sigmaTheta = 0.2
    static let sigmaSessions = 0.7
    static let stackShare = 0.4
    static let markovShare = 0.35
    static let concentration = 5.0
    static let communicationFirst = 0.5
    static let furtherEpisodes = 2.5
    static let driftShare = 0.05
  }

  /// Positions in ``SyntheticApps/all`` of the apps on the phone, most popular first at the start.
  private(set) var installed: [Int] = []
  /// Weight by position in ``SyntheticApps/all``; 0: not on the phone.
  private(set) var popularity: [Double]
  /// Weight of going from one app to another: `from * apps + to`.
  private(set) var transitions: [Double] = []
  /// Hour of the day around which each app is used most.
  let favouriteHours: [Double]
  /// Mean number of screen sessions a day.
  let sessionsPerDay: Double

  let population: SyntheticPopulation

  private let streams: SyntheticStreams
  private static var appCount: Int { SyntheticApps.all.count }

  /// Draws the user as of week 0.
  ///
  /// Complexity: O(apps²).
  init(_ population: SyntheticPopulation, streams: SyntheticStreams) {
    self.population = population
    self.streams = streams
    var random = streams.stream("profile", 0)
    let apps = random.logNormal(median: population.rate(.apps), sigma: Recipe.sigmaApps)
    let count = Int(
      min(max(apps.rounded(), population.rate(.fewestApps)), population.rate(.mostApps)))
    let theta = population.rate(.popularity) + Recipe.sigmaTheta * random.normal()
    let exponent = min(max(theta, 0.7), 2.3)
    let sessions = random.logNormal(
      median: population.rate(.sessions), sigma: Recipe.sigmaSessions)
    sessionsPerDay = min(
      max(sessions, population.rate(.fewestSessions)), population.rate(.mostSessions))

    // Gumbel noise on the appeal: an order in which popular families come first, not always.
    let appeal = SyntheticApps.all.map {
      $0.appeal - PortableMath.ln(max(random.exponential(), .leastNormalMagnitude))
    }
    favouriteHours = SyntheticApps.all.map { _ in random.uniform(7, 24) }
    var order = appeal.indices.sorted { (appeal[$0], $1) > (appeal[$1], $0) }
    Self.moveLargeGames(in: &order)
    let chosen = Array(order.prefix(count))
    installed = chosen + SyntheticApps.comeWithThePhone.filter { !chosen.contains($0) }
    popularity = Array(repeating: 0, count: Self.appCount)
    for (rank, app) in installed.enumerated() {
      popularity[app] = PortableMath.exp(-exponent * PortableMath.ln(Double(rank + 1)))
    }
    drawTransitions(week: 0)
  }

  /// People don't glance thirty times a day at a game that needs ten seconds to start: large games
  /// come after the first four.
  private static func moveLargeGames(in order: inout [Int]) {
    let first = order.filter { SyntheticApps.all[$0].category != "large-game" }.prefix(4)
    order = first + order.filter { !first.contains($0) }
  }

  /// Moves on to a week from 1: 5 % of one app's weight goes elsewhere, one app comes or goes.
  ///
  /// Returns the position of the app that was removed, if one was. `front` is never removed.
  mutating func drift(week: Int, front: Int?) -> Int? {
    var random = streams.stream("drift", week)
    let from = installed[Int(random.uniform() * Double(installed.count))]
    let to = installed[Int(random.uniform() * Double(installed.count))]
    let moved = Recipe.driftShare * popularity[from]
    popularity[from] -= moved
    popularity[to] += moved

    var removed: Int?
    let absent = popularity.indices.filter { popularity[$0] == 0 }
    if random.uniform() < 0.5, !absent.isEmpty {
      let new = absent[Int(random.uniform() * Double(absent.count))]
      let like = installed[Int(random.uniform() * Double(installed.count))]
      popularity[new] = popularity[like]
      installed.append(new)
    } else if installed.count > 5 {
      let old = installed[Int(random.uniform() * Double(installed.count))]
      if old != front, !SyntheticApps.comeWithThePhone.contains(old) {
        popularity[old] = 0
        installed.removeAll { $0 == old }
        removed = old
      }
    }
    drawTransitions(week: week)
    return removed
  }

  /// Step 4's first-order habits: each row is Dirichlet around popularity.
  ///
  /// A pair's draw has its own key, so a small drift of popularity moves habits little.
  private mutating func drawTransitions(week: Int) {
    var total = 0.0
    for app in installed { total += popularity[app] }
    transitions = Array(repeating: 0, count: Self.appCount * Self.appCount)
    for from in installed {
      for to in installed where to != from {
        var random = streams.stream("habit", from * Self.appCount + to)
        let shape = Recipe.concentration * popularity[to] / total
        transitions[from * Self.appCount + to] = random.gamma(shape: shape)
      }
    }
  }

  /// Weights of the apps that may follow `app`.
  func habits(after app: Int) -> [Double] {
    let start = app * Self.appCount
    return Array(transitions[start..<start + Self.appCount])
  }

  /// Popularity at an hour of the day (0 to 24).
  ///
  /// An app is four times as likely at its favourite hour as twelve hours away from it.
  func popularity(atHour hour: Double) -> [Double] {
    popularity.indices.map { app in
      let apart = (hour - favouriteHours[app]).magnitude
      return popularity[app] * (1.6 - 0.1 * min(apart, 24 - apart))
    }
  }
}

/// Sequences of draws that depend on what they are for.
struct SyntheticStreams: Sendable {
  private let random: KeyedRandom

  /// Fixes the seed and the user.
  init(seed: UInt64, user: String) {
    random = KeyedRandom(seed: seed, name: user)
  }

  /// The sequence for one purpose and occasion.
  func stream(_ purpose: String, _ occasion: Int) -> SplitMix64 {
    SplitMix64(
      seed: random.bits(
        entity: KeyedRandom.entity(purpose), episode: UInt64(bitPattern: Int64(occasion)),
        purpose: .generator))
  }
}
