import JettisonModel

/// Lets a synthetic user live for some days and records what happens.
///
/// Each part of a life has a file of its own; this one has the person, the day and the hand on the
/// phone. Days, sessions and everything that happens in them have their own keys: a shorter life is
/// a prefix of a longer one.
struct SyntheticLife {
  let population: SyntheticPopulation
  let streams: SyntheticStreams
  let cast: SyntheticCast
  let rhythm: SyntheticRhythm
  var profile: SyntheticProfile

  /// How far the person has come.
  var clock: Int64 = 0
  /// The app in front, also behind a dark screen.
  var front: Int?
  /// Apps by recency of use, newest first, without those of one's own.
  var stack: [Int] = []
  /// What reaches the person today, at ascending times: it may interrupt.
  var arrivals: ArraySlice<SyntheticArrival> = []
  /// What the person sets out to do today, when the phone is free.
  var outings: ArraySlice<SyntheticArrival> = []
  /// Apps that a crash or a restart ended: they come back cold.
  var ended: Set<Int> = []
  var daemons: [SyntheticDaemon] = []
  /// How often things have happened so far: the keys of their draws.
  var counts: [String: Int] = [:]
  private var week = 0
  private var timeline = SyntheticTimeline()

  /// A user who is about to live.
  init(_ population: SyntheticPopulation, streams: SyntheticStreams, cast: SyntheticCast) {
    self.population = population
    self.streams = streams
    self.cast = cast
    rhythm = SyntheticRhythm(streams: streams)
    profile = SyntheticProfile(population, streams: streams)
    startDaemons()
  }

  /// Lives one day and tells its rows, in order of time.
  ///
  /// Days come in order from 0.
  mutating func next(day: Int) -> [SyntheticRow] {
    arrivals = arrivals(on: day)[...]
    outings = outings(on: day)[...]
    tellBackground(day)
    tellDevice(day)
    tellUpdates(day)
    var random = streams.stream("day", day)
    let sessions = rhythm.times(profile.sessionsPerDay, on: day, &random)
    for (number, start) in sessions.enumerated() {
      waitThrough(until: start)
      let start = max(start, clock + Self.pause)
      guard !rhythm.isAsleep(start) else { continue }
      driftIfDue(at: start)
      clock = start
      var draws = streams.stream("session", day * 100_000 + number)
      liveSession(&draws)
    }
    let midnight = Int64(day + 1) * SyntheticRhythm.dayNanoseconds
    waitThrough(until: midnight)
    return timeline.take(before: midnight)
  }

  /// Step 6 of the recipe, at the first session of each new week.
  private mutating func driftIfDue(at time: Int64) {
    while Int64(week) < time / (7 * SyntheticRhythm.dayNanoseconds) {
      week += 1
      guard let removed = profile.drift(week: week, front: front) else { continue }
      stack.removeAll { $0 == removed }
      tell(.update, at: time, app: removed)
    }
  }
}

// MARK: - The hand on the phone

extension SyntheticLife {
  /// Between two uses of the phone.
  static var pause: Int64 { 5_000_000_000 }

  /// A time span in nanoseconds, rounded to milliseconds.
  static func milliseconds(_ seconds: Double) -> Int64 {
    Int64((min(seconds, 86_400) * 1_000).rounded()) * 1_000_000
  }

  /// Draws for one more of its kind.
  mutating func draws(_ purpose: String) -> SplitMix64 {
    let number = counts[purpose, default: 0]
    counts[purpose] = number + 1
    return streams.stream(purpose, number)
  }

  mutating func tell(
    _ kind: EventKind, at time: Int64? = nil, app: Int? = nil, value: Int64? = nil,
    id: Int64? = nil, detail: String? = nil
  ) {
    timeline.add(
      SyntheticRow(
        timeNanoseconds: time ?? clock, kind: kind, app: app, value: value, id: id,
        detail: detail))
  }

  mutating func wait(_ seconds: Double) { clock += Self.milliseconds(seconds) }

  mutating func wake() { tell(.screen, value: 1) }

  /// Locks the phone.
  ///
  /// Today the app in front leaves it, and is in front again after the unlock.
  mutating func lock() {
    tell(.screen, value: 0)
    if population == .today, let front { tellLeaving(front) }
  }

  mutating func goHome() {
    guard let app = front else { return }
    tell(.home)
    front = nil
    tellLeaving(app)
  }

  /// Brings an app to the front; the one that was there leaves.
  mutating func open(_ app: Int) {
    if let front, front != app { tellLeaving(front) }
    tell(.launch, app: app)
    front = app
    if app < SyntheticCast.firstDaemon {
      stack.removeAll { $0 == app }
      stack.insert(app, at: 0)
    }
    if ended.remove(app) != nil { tellRestore(app) }
  }
}
