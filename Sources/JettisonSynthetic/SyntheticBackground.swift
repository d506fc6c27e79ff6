import JettisonModel

/// A process of the system: where it is in the cast, and its usual footprint in bytes.
struct SyntheticDaemon {
  let app: Int
  let footprintBytes: Int64
}

/// What goes on out of sight: pushes, fetches, places, services and daemons.
extension SyntheticLife {
  /// The daemons run when the trace begins.
  mutating func startDaemons() {
    let count = Int(population.rate(.daemons))
    for number in 0..<min(count, SyntheticApps.daemons.count) {
      var random = streams.stream("daemon", number)
      let bytes = Int64(random.logNormal(median: 18, sigma: 0.5) * 1000) * 1000
      let app = SyntheticCast.firstDaemon + number
      daemons.append(SyntheticDaemon(app: app, footprintBytes: bytes))
      tell(.present, app: app, value: bytes, detail: "state=background")
    }
  }

  /// Tells what the system starts and wakes on a day.
  mutating func tellBackground(_ day: Int) {
    var random = streams.stream("background", day)
    wakes(.pushes, day, "push", ["messaging": 3, "social": 1.5, "shopping": 0.5], &random)
    wakes(
      .fetches, day, "fetch",
      ["social": 2, "messaging": 1, "browser": 1, "short-video": 1, "music": 0.5, "utility": 0.5],
      &random)
    wakes(.locations, day, "location", ["maps": 3, "utility": 1, "social": 0.5], &random)
    wakes(.voip, day, "voip", ["messaging": 1], &random)
    for daemon in daemons {
      for time in Self.anyTimes(population.rate(.daemonWakes), on: day, &random) {
        tell(.backgroundLaunch, at: time, app: daemon.app, detail: "reason=fetch")
      }
    }
    // Two of them go through everything new at night, on the charger.
    for daemon in daemons.prefix(2) {
      let start = rhythm.bedtime(day) + Self.milliseconds(random.uniform(1_800, 7_200))
      let end = start + Self.milliseconds(random.uniform(600, 3_000))
      let growth = Int64(random.uniform(3, 8) * 1000)
      tell(.footprint, at: start, app: daemon.app, value: daemon.footprintBytes / 1000 * growth)
      tell(.footprint, at: end, app: daemon.app, value: daemon.footprintBytes)
    }
  }

  /// Background launches for one reason; a third of fetches and pushes hold a task.
  private mutating func wakes(
    _ rate: SyntheticRates.Name, _ day: Int, _ reason: String, _ shares: [String: Double],
    _ random: inout SplitMix64
  ) {
    let rate = population.rate(rate)
    let weights = weights(shares)
    let times =
      reason == "push"
      ? rhythm.times(rate, on: day, &random) : Self.anyTimes(rate, on: day, &random)
    for time in times {
      guard let app = random.pick(weights) else { continue }
      tell(.backgroundLaunch, at: time, app: app, detail: "reason=\(reason)")
      let holds = random.uniform() < 1.0 / 3
      let length = random.logNormal(median: population.rate(.taskSeconds) / 2, sigma: 1)
      if holds, reason == "push" || reason == "fetch" {
        tellTask(app, from: time + 50_000_000, seconds: length)
      }
    }
  }

  /// Times of a day at which something happens whatever the hour.
  static func anyTimes(
    _ rate: Double, on day: Int, _ random: inout SplitMix64
  ) -> [Int64] {
    guard rate > 0 else { return [] }
    var times: [Int64] = []
    var passed = random.exponential() / rate
    while passed < 1 {
      let start = Int64(day) * SyntheticRhythm.dayNanoseconds
      times.append(start + Int64((passed * 86_400_000).rounded(.down)) * 1_000_000)
      passed += random.exponential() / rate
    }
    return times
  }

  /// A background task from its begin to its end.
  mutating func tellTask(_ app: Int, from time: Int64, seconds: Double) {
    counts["task", default: 0] += 1
    let id = Int64(counts["task", default: 0])
    tell(.taskBegin, at: time, app: app, id: id)
    tell(.taskEnd, at: time + Self.milliseconds(max(seconds, 0.2)), app: app, id: id)
  }
}
