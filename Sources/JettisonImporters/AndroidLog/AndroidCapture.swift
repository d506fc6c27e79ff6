internal import JettisonModel
internal import JettisonTraces

/// What the readers of Android's texts share: records on their way to facts, the clock, the names.
struct AndroidCapture: ~Copyable {
  /// Where the records become facts.
  var lives: AndroidLives
  /// Makes moments of stamps.
  var clock: LogcatClock
  /// The newest moment of any line, in the zone of the log.
  private(set) var latest = Int64.min

  /// The phone, as far as the texts tell it.
  private var device = CaptureDevice()
  private var queue = AndroidRecordQueue()
  private let isZoneGiven: Bool
  private let isAPILevelGiven: Bool
  /// The zone with which records were handed out: it cannot change any more.
  private var settledZone: Int64??
  /// The lines since the moments jumped.
  private var stretch: Stretch?
  /// The moment of the line before, in the same buffer.
  private var previous: Int64?
  /// The last moment before that stretch.
  private var beforeStretch = Int64.min
  /// The newest moment of all before that stretch.
  private var latestBefore = Int64.min

  /// Lines between whose moments there is no jump.
  private struct Stretch {
    let first: Int64
    var last: Int64
    /// The order of the record before it.
    let order: Int
    /// Whether it begins with a date without a year.
    let isYearless: Bool
    /// Whether it begins on the day on which a clock stands that was never set.
    let isOnFirstDay: Bool
    /// Whether the device starts in it.
    var hasStart = false
  }

  /// An empty capture.
  init(_ input: TraceInput, _ options: ImportOptions) throws(TraceError) {
    lives = AndroidLives(try CaptureTimeline(input, options))
    lives.apiLevel = options.apiLevel
    device.era = .androidLMKD
    device.apiLevel = options.apiLevel
    isAPILevelGiven = options.apiLevel != nil
    isZoneGiven = options.zoneOffsetSeconds != nil
    clock = LogcatClock(year: options.year, offsetSeconds: options.zoneOffsetSeconds)
  }

  /// Takes a record; the oldest are handed on once very many wait.
  mutating func add(_ record: AndroidRecord) throws(TraceError) {
    guard queue.add(record) else {
      note(
        .dataLoss, "a line far out of time order is ignored",
        line: Int(record.line))
      return
    }
    if record.kind == .boot { stretch?.hasStart = true }
    latest = max(latest, record.nanoseconds)
    if queue.isFull { try handOut(all: false) }
  }

  /// The zone, where the capture tells it; an option wins.
  mutating func noteZone(offsetSeconds: Int64) {
    guard !isZoneGiven, settledZone == nil, ImportOptions.zoneOffsets.contains(offsetSeconds) else {
      return
    }
    clock.offsetSeconds = offsetSeconds
  }

  /// The API level, where the capture tells it; an option wins.
  mutating func noteAPILevel(_ level: Int) {
    guard !isAPILevelGiven else { return }
    lives.apiLevel = level
    device.apiLevel = level
  }

  /// What the phone is called, and its memory, where the capture has them.
  mutating func note(model: String?, ramKilobytes: Int64?) {
    device.model = model
    device.ramBytes = ramKilobytes.map { $0 * 1024 }
  }

  /// The API level that the tags of a log speak of, where nothing better is known.
  mutating func guessAPILevel(_ level: Int) {
    if !isAPILevelGiven { lives.apiLevel = max(lives.apiLevel ?? 0, level) }
  }

  /// Counts something that reading came across.
  mutating func note(_ severity: IssueSeverity, _ text: String, line: Int? = nil) {
    lives.timeline.issues.add(severity, text, line: line)
  }

  /// Makes the trace of what was added.
  ///
  /// - Parameter source: What the capture is; what is said about its footprints is added.
  consuming func finish(source: String) throws(TraceError) -> Trace {
    try handOut(all: true)
    try lives.finish()
    var source = source
    if lives.hasResidentSets {
      source += "; footprints marked as derived are resident sets, the others PSS"
    }
    if !lives.wasAnyInFront { source += "; nothing in it shows which app is in front: no launches" }
    let hasDates = clock.isYearKnown && !clock.isMonotonic
    if !clock.isYearKnown, !clock.isMonotonic {
      note(.info, "the log has no year (set `ImportOptions.year`)")
    }
    let end = latest == .min ? nil : lives.utc(latest)
    return try lives.timeline.finish(
      clock: hasDates ? .epoch(offsetSeconds: settledZone ?? nil) : .unknown, source: source,
      endsAt: end, deviceYAML: device.yaml)
  }

  private mutating func handOut(all: Bool) throws(TraceError) {
    if settledZone == nil {
      settledZone = .some(clock.offsetSeconds)
      lives.offsetSeconds = clock.offsetSeconds ?? 0
    }
    for record in queue.take(all: all) { try lives.take(record) }
  }
}

// MARK: - The clock of a log

extension AndroidCapture {
  private static let hour: Int64 = 3_600_000_000_000
  private static let day = 24 * hour
  /// Before there was any Android (2008): a clock that shows it was never set.
  private static let firstPossible: Int64 = 1_199_145_600_000_000_000
  /// Processes write side by side, and what a log holds is out of order by less.
  private static let slackNanoseconds: Int64 = 5_000_000_000

  /// The moment of a stamp; nil, and an issue, if there is no such date.
  ///
  /// A device writes its log before its clock is set, as if it were 1970 or the day it was built.
  /// When the stamps then jump ahead by more than a day within an hour of the log's beginning (or
  /// of a jump back), and something shows that the clock was not set, what was written before is
  /// moved up to the jump. A log that was quiet for some days stays as it is.
  mutating func moment(of stamp: LogcatStamp, line: Int) -> Int64? {
    guard var moment = clock.moment(of: stamp) else {
      note(
        .error, "there is no such date in the year of the log (`ImportOptions.year` says another)",
        line: line)
      return nil
    }
    // A clock that was not set yet is mended, or counted at the next line that goes back.
    if !isOnFirstDay(stamp, moment) { noteOrder(moment, line: line) }
    defer {
      latest = max(latest, moment)
      previous = moment
    }
    guard let known = stretch else {
      stretch = newStretch(at: moment, stamp)
      return moment
    }
    if moment < known.last - Self.hour {
      begin(at: moment, after: known.last, stamp)
    } else if moment - known.last <= Self.day {
      stretch?.last = max(known.last, moment)
    } else if Self.wasClockUnset(in: known, until: moment) {
      moment = mend(moment, stamp, line)
    } else {
      begin(at: moment, after: known.last, stamp)
    }
    return moment
  }

  /// Whether something shows that the clock was not set yet before the stamps jumped ahead.
  ///
  /// A date with a year tells by itself. Without one the first day of the year may be true, and so
  /// may a start of the device: it takes both, or one of them and a jump of more than a week.
  private static func wasClockUnset(in known: Stretch, until moment: Int64) -> Bool {
    guard known.last - known.first < hour else { return false }
    guard known.isYearless else {
      return known.first < firstPossible && moment >= firstPossible
    }
    let isFar = moment - known.last > 7 * day
    return known.isOnFirstDay ? known.hasStart || isFar : known.hasStart && isFar
  }

  /// Counts a line whose clock is behind that of the line before.
  mutating func noteOrder(_ moment: Int64, line: Int) {
    if let previous, moment < previous - Self.slackNanoseconds {
      note(
        .info,
        "the clock goes back: lines are put in the order of their times, in which those before and "
          + "after it may be mixed",
        line: line)
    }
    previous = moment
  }

  /// Another buffer follows, whose times begin anew.
  mutating func beginBuffer() { previous = nil }

  private func newStretch(at moment: Int64, _ stamp: LogcatStamp) -> Stretch {
    Stretch(
      first: moment, last: moment, order: queue.lastOrder,
      isYearless: stamp.date.map { $0.year == nil } ?? false,
      isOnFirstDay: isOnFirstDay(stamp, moment))
  }

  /// Whether a date is one at which a clock stands that was never set: before 2008, or without a
  /// year January 1st, or the day before in the west.
  private func isOnFirstDay(_ stamp: LogcatStamp, _ moment: Int64) -> Bool {
    guard let date = stamp.date else { return false }
    if date.year != nil { return moment < Self.firstPossible }
    return date.month == 1 ? date.day == 1 : date.month == 12 && date.day == 31
  }

  private mutating func begin(at moment: Int64, after last: Int64, _ stamp: LogcatStamp) {
    beforeStretch = last
    latestBefore = latest
    stretch = newStretch(at: moment, stamp)
  }

  /// Forgets what came before: another section, which may be older, follows.
  mutating func beginSection() {
    stretch = nil
    previous = nil
    beforeStretch = .min
    latestBefore = latest
  }

  private mutating func mend(_ moment: Int64, _ stamp: LogcatStamp, _ line: Int) -> Int64 {
    guard let known = stretch else { return moment }
    var moment = moment
    if stamp.date?.year == nil, stamp.date?.month == 12, beforeStretch > .min {
      // January was the clock that is not set, not the next year.
      clock.turnBack()
      let earlier = clock.moment(of: stamp) ?? moment
      if earlier >= beforeStretch { moment = earlier } else { clock.turnForward() }
    }
    note(
      .info, "the clock was set: what the log wrote before is moved up to that moment",
      line: line)
    queue.shift(after: known.order, by: moment - known.last)
    latest = latestBefore
    stretch = newStretch(at: moment, stamp)
    return moment
  }
}
