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
  /// Since when the moments did not jump: first and last moment, and the order of the record before.
  private var stretch: (first: Int64, last: Int64, order: Int)?
  /// The last moment before that stretch.
  private var beforeStretch = Int64.min
  /// The newest moment of all before that stretch.
  private var latestBefore = Int64.min

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
    latest = max(latest, record.nanoseconds)
    if queue.isFull { try handOut(all: false) }
  }

  /// The zone, where the capture tells it; an option wins.
  mutating func noteZone(offsetSeconds: Int64) {
    guard !isZoneGiven, settledZone == nil, (-86_400...86_400).contains(offsetSeconds) else {
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

  /// The moment of a stamp; nil, and an issue, if there is no such date.
  ///
  /// A device writes its log before its clock is set, as if it were 1970 or the day it was built.
  /// When the stamps then jump ahead by more than a day within an hour of the log's beginning (or
  /// of a jump back), what was written before is moved up to the jump.
  mutating func moment(of stamp: LogcatStamp, line: Int) -> Int64? {
    guard var moment = clock.moment(of: stamp) else {
      note(
        .error, "there is no such date in the year of the log (`ImportOptions.year` says another)",
        line: line)
      return nil
    }
    defer { latest = max(latest, moment) }
    guard let known = stretch else {
      stretch = (moment, moment, queue.lastOrder)
      return moment
    }
    if moment < known.last - Self.hour {
      begin(at: moment, after: known.last)
    } else if moment - known.last > 24 * Self.hour, known.last - known.first < Self.hour {
      moment = mend(moment, stamp, line)
    } else if moment - known.last > 24 * Self.hour {
      begin(at: moment, after: known.last)
    } else {
      stretch?.last = max(known.last, moment)
    }
    return moment
  }

  private mutating func begin(at moment: Int64, after last: Int64) {
    beforeStretch = last
    latestBefore = latest
    stretch = (moment, moment, queue.lastOrder)
  }

  /// Forgets what came before: another section, which may be older, follows.
  mutating func beginSection() {
    stretch = nil
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
    stretch = (moment, moment, queue.lastOrder)
    return moment
  }
}
