#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `time-of-day`: purges the app that is launched least around this hour.
///
/// Counts launches by hour of the day; the count around an hour weighs each hour by a normal curve
/// of its distance around the clock. Every app seen has `alpha` launches more. State: 24 numbers per
/// app, kept across purges. O(1) per launch, O(24) per candidate.
struct TimeOfDay: PurgePolicy {
  static var ordering: CandidateOrdering { .byPreparedScore }
  private static let hours = 24

  /// Launches that every app is given beforehand.
  let prior: Double
  /// Wall-clock time at which the trace starts, in seconds since midnight.
  let startSecondsOfDay: Int64
  private var sequence: LaunchSequence
  private var counts: [Double]
  private var totals = [Double](repeating: 0, count: hours)
  private var wasLaunched: [Bool]
  private var distinct = 0.0
  /// Weight of an hour by its distance around the clock.
  private let weights: [Double]
  /// Weight of each hour, by the hour it is.
  private var scratch = [Double](repeating: 0, count: hours)
  private var sum = 0.0

  init(appCount: Int, spreadHours: Double, prior: Double, startSecondsOfDay: Int64) {
    self.prior = prior
    self.startSecondsOfDay = startSecondsOfDay
    sequence = LaunchSequence(appCount: appCount)
    counts = Array(repeating: 0, count: appCount * Self.hours)
    wasLaunched = Array(repeating: false, count: appCount)
    weights = (0...Self.hours / 2).map { distance in
      let scaled = Double(distance) / spreadHours
      return exp(-scaled * scaled / 2)
    }
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    guard sequence.observe(event, apps: apps) else { return }
    let hour = hour(at: event.timeNanoseconds)
    counts[event.app.position * Self.hours + hour] += 1
    totals[hour] += 1
    if !wasLaunched[event.app.position] {
      wasLaunched[event.app.position] = true
      distinct += 1
    }
  }

  private func hour(at time: Int64) -> Int {
    Int((time / 1_000_000_000 % 86_400 + startSecondsOfDay) / 3600 % 24)
  }

  mutating func prepare(
    _ candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    let now = hour(at: request.timeNanoseconds)
    sum = prior * (distinct + 1)
    for hour in 0..<Self.hours {
      let apart = abs(hour - now)
      scratch[hour] = weights[min(apart, Self.hours - apart)]
      sum += scratch[hour] * totals[hour]
    }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    let start = app.position * Self.hours
    var count = prior
    for hour in 0..<Self.hours { count += scratch[hour] * counts[start + hour] }
    return count / sum
  }
}

extension PolicyDescriptor {
  package static let timeOfDay = PolicyDescriptor(
    name: "time-of-day", family: "prediction",
    summary: "Purges the app that is launched least around this hour.",
    details: """
      Score: (n(i) + alpha) / (n + alpha * (apps seen + 1)). n(i) is the sum over the 24 hours h \
      of the day of the launches of app i so far in hour h, times exp(-d^2 / (2 sigma^2)), where d \
      is the distance from h to the hour it is now, around the clock; n is the sum over apps. The \
      clock is that of the trace's start; without one, the trace starts at midnight. Changes of \
      the clock on the way are not followed. \(LaunchSequence.rule)
      """,
    source: "kernel-smoothed counts with a Dirichlet prior; Yan et al., FALCON, MobiSys 2012",
    complexity: "O(1) per launch, O(24) per score",
    parameters: [
      PolicyParameter("sigma", "Standard deviation of the weights around now.", default: "1h"),
      PolicyParameter("alpha", "Launches that every app is given beforehand.", default: "0.5"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    TimeOfDay(
      appCount: context.appCount,
      spreadHours: try arguments.duration("sigma", default: 3600) / 3600,
      prior: try arguments.positive("alpha", default: 0.5),
      startSecondsOfDay: context.startSecondsOfDay)
  }
}
