import JettisonCore

/// Lets a synthetic user live for some days and tells what happens.
///
/// Steps 2 to 5 of the recipe. Days have their own keys: a shorter run is a prefix of a longer one.
struct SyntheticDays {
  /// One thing that happens: `app` is a position in ``SyntheticApps/all``.
  struct Happening: Equatable {
    let timeNanoseconds: Int64
    let kind: EventKind
    var app: Int?
    var value: Int64?
  }

  private typealias Recipe = SyntheticProfile.Recipe
  private static let dayNanoseconds: Int64 = 86_400_000_000_000

  /// Relative frequency of sessions by hour of the day; low from 1 to 6.
  private static let hours: [Double] = [
    0.45, 0.15, 0.08, 0.05, 0.05, 0.12, 0.45, 0.90, 1.10, 1.10, 1.10, 1.15,
    1.30, 1.25, 1.15, 1.10, 1.15, 1.25, 1.40, 1.50, 1.55, 1.50, 1.30, 0.90,
  ]

  private var profile: SyntheticProfile
  private let streams: SyntheticStreams
  private let endNanoseconds: Int64
  /// Apps by recency of use, newest first.
  private var stack: [Int] = []
  private var front: Int?
  /// When the last session ended.
  private var busyUntil: Int64 = 0
  private var week = 0
  private var told: [Happening] = []

  /// A user who is about to live for `days` days.
  init(streams: SyntheticStreams, days: Int) {
    self.streams = streams
    profile = SyntheticProfile(streams: streams)
    endNanoseconds = Int64(days) * Self.dayNanoseconds
  }

  /// Lives one day and tells what happens in its sessions, in order of time.
  ///
  /// Days come in order from 0; what would happen after the last one is left out.
  mutating func next(day: Int) -> [Happening] {
    told.removeAll(keepingCapacity: true)
    live(day: day)
    return told
  }

  /// Step 2: sessions of one day as a Poisson process whose rate follows the hours.
  private mutating func live(day: Int) {
    var random = streams.stream("day", day)
    var total = 0.0
    for weight in Self.hours { total += weight }
    var passed = random.exponential() / profile.sessionsPerDay * total
    var session = 0
    var hour = 0
    var before = 0.0
    while passed < total {
      while passed >= before + Self.hours[hour], hour < 23 {
        before += Self.hours[hour]
        hour += 1
      }
      let inHour = min((passed - before) / Self.hours[hour], 1)
      let start = Int64(day) * Self.dayNanoseconds + milliseconds((Double(hour) + inHour) * 3600)
      var draws = streams.stream("session", day * 100_000 + session)
      liveSession(from: max(start, busyUntil + 5_000_000_000), &draws)
      session += 1
      passed += random.exponential() / profile.sessionsPerDay * total
    }
  }

  /// Step 3: one session, from screen on to screen off.
  private mutating func liveSession(from start: Int64, _ random: inout SplitMix64) {
    var time = start
    tell(time, .screen, value: 1)
    driftIfDue(at: time)
    time += milliseconds(random.uniform(0.5, 2))
    let episodes = 1 + random.geometric(mean: Recipe.furtherEpisodes)
    for episode in 0..<episodes {
      let app = episode == 0 ? firstApp(at: time, &random) : nextApp(at: time, &random)
      guard let app else { break }
      tell(time, .launch, app: app)
      use(app)
      time += episodeLength(&random)
      // Half of all changes go by way of the home screen, and so do most endings.
      guard random.uniform() < 0.5 else { continue }
      tell(time, .home)
      front = nil
      time += milliseconds(random.uniform(0.5, 2))
    }
    tell(time, .screen, value: 0)
    busyUntil = time
  }

  /// Step 6, at the first session of each new week.
  private mutating func driftIfDue(at time: Int64) {
    while Int64(week) < time / (7 * Self.dayNanoseconds) {
      week += 1
      guard let removed = profile.drift(week: week, front: front) else { continue }
      guard let position = stack.firstIndex(of: removed) else { continue }
      stack.remove(at: position)
      tell(time, .update, app: removed)
    }
  }

  /// Half of all sessions begin with communication.
  private mutating func firstApp(at time: Int64, _ random: inout SplitMix64) -> Int? {
    if random.uniform() < Recipe.communicationFirst {
      var weights = profile.popularity
      for app in weights.indices
      where SyntheticApps.all[app].category != SyntheticApps.communication { weights[app] = 0 }
      if let app = random.pick(weights) { return app }
    }
    return nextApp(at: time, &random)
  }

  /// Step 4: back to a recent app, on by habit, or by popularity at this hour; never the same.
  private mutating func nextApp(at time: Int64, _ random: inout SplitMix64) -> Int? {
    let choice = random.uniform()
    if choice < Recipe.stackShare, stack.count > 1 {
      return stack[min(1 + random.geometric(mean: 1), stack.count - 1)]
    }
    if choice < Recipe.stackShare + Recipe.markovShare, let last = stack.first,
      let app = random.pick(profile.habits(after: last))
    {
      return app
    }
    let hour = Double(time % Self.dayNanoseconds) / 3_600_000_000_000
    var weights = profile.popularity(atHour: hour)
    if let last = stack.first { weights[last] = 0 }
    return random.pick(weights)
  }

  /// Step 5: 30 % glances, 70 % log-normal.
  private func episodeLength(_ random: inout SplitMix64) -> Int64 {
    random.uniform() < 0.3
      ? milliseconds(random.uniform(2, 15))
      : milliseconds(random.logNormal(median: 48, sigma: 1.2))
  }

  private mutating func use(_ app: Int) {
    if let position = stack.firstIndex(of: app) { stack.remove(at: position) }
    stack.insert(app, at: 0)
    front = app
  }

  /// A time span in nanoseconds, rounded to milliseconds.
  private func milliseconds(_ seconds: Double) -> Int64 {
    Int64((min(seconds, 86_400) * 1_000).rounded()) * 1_000_000
  }

  private mutating func tell(_ time: Int64, _ kind: EventKind, app: Int? = nil, value: Int64? = nil)
  {
    guard time < endNanoseconds else { return }
    told.append(Happening(timeNanoseconds: time, kind: kind, app: app, value: value))
  }
}
