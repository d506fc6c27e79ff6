import JettisonCore
import JettisonReports
import JettisonSupport

/// What the page says of a run as a whole.
struct SkylineTally: Sendable, Equatable {
  /// Decisions, with a victim or without.
  var decisions = 0
  /// Ends by the system.
  var systemEnds = 0
  /// Least available memory, in bytes; nil: it was never told.
  var leastAvailableBytes: Int64?
}

/// What is kept of one run for its skyline.
struct SkylineRun: Sendable {
  let key: RunKey
  /// Place among all runs.
  let position: Int
  /// What was replayed, and who decided.
  let trace: Trace
  let policy: PolicySpec
  let days: [SkylineDay]
  /// Days that others were preferred to.
  let droppedDays: Int
  /// Of all days, those that are not shown, too.
  let tally: SkylineTally
  let marks: CaptureMarks

  /// Decoded names of the apps, by ``AppIndex``.
  var apps: [String] { trace.apps }

  /// The bin of the day that is drawn in full.
  var finestBinNanoseconds: Int64 { days.map(\.binNanoseconds).min() ?? 0 }

  /// Whether a run cost its user less than another.
  static func isCheaper(_ a: SkylineRun, _ b: SkylineRun) -> Bool {
    let (first, second) = (a.cost, b.cost)
    return first == second ? a.position > b.position : first < second
  }

  private var cost: (Int64, Int64, Int) {
    days.reduce(into: (0, 0, 0)) { cost, day in
      let loss = day.noticedLoss
      cost.0 += loss.workNanoseconds
      cost.1 += loss.bytes
      cost.2 += day.systemEnds
    }
  }

  /// Nanoseconds since 1970 at the start of the trace, in the time of the place.
  private var localStart: Int64? {
    trace.header.start.flatMap { CivilTime.moment($0.utf8.span)?.localNanoseconds }
  }

  /// The date of a day, or its number from 1.
  func title(of day: SkylineDay) -> String {
    guard let localStart, localStart >= 0 else { return "Day \(day.number + 1)" }
    let nanoseconds = localStart + max(0, day.frame.lowerBound)
    let seconds = nanoseconds / 1_000_000_000
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let weekday = weekdays[Int(CivilTime.weekday(ofDay: seconds / 86_400))]
    return "\(weekday) \(CivilTime.iso8601(seconds: seconds).prefix(10))"
  }

  /// The scene in which all days of the run are drawn.
  ///
  /// - Parameter prefix: Begins the ids of this run.
  func scene(_ configuration: RunConfiguration, prefix: String) -> SkylineScene {
    let losses = days.flatMap(\.allLosses).map(\.workNanoseconds)
    let isLong = days.contains { $0.range.upperBound - $0.range.lowerBound > 1_800_000_000_000 }
    return SkylineScene(
      names: SkylineNames(apps), marks: marks,
      memoryBytes: configuration.capacity,
      reserveBytes: configuration.pressure.isTextbook ? 0 : configuration.device.reserveBytes,
      countsApps: configuration.capacityApps != nil,
      thresholds: thresholds(configuration),
      startSecondsOfDay: isLong ? localStart.map { $0 / 1_000_000_000 % 86_400 } : nil,
      greatestLossNanoseconds: losses.max() ?? 0, prefix: prefix)
  }

  /// Where the model acts, if it goes by available memory; else where its decisions stopped.
  private func thresholds(_ configuration: RunConfiguration) -> [SkylineThreshold] {
    var lines = configuration.thresholdBytes.filter { $0.bytes > 0 }.map { threshold in
      SkylineThreshold(
        name: threshold.key.split(separator: ".").last.map(String.init) ?? threshold.key,
        bytes: threshold.bytes)
    }
    if lines.isEmpty {
      let targets = Set(days.flatMap(\.decisions).map(\.targetBytes)).sorted()
      if targets.count <= 4 { lines = targets.map { SkylineThreshold(name: "enough", bytes: $0) } }
    }
    return lines.sorted { ($0.bytes, $0.name) < ($1.bytes, $1.name) }
  }
}
