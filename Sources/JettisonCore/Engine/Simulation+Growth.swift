/// Growth of footprints that only the catalog tells.
///
/// A process grows in steps of 1 MiB at the catalog's rate, at a fifth of it after five minutes.
extension Simulation {
  static let growthStepBytes: Int64 = 1 << 20
  /// One growth step in the unit of `growthProgress`: fifths of bytes·ns/min.
  static let growthStep: Int64 = growthStepBytes * 5 * 60_000_000_000
  /// Age of a process up to which it grows at the full rate.
  static let fullGrowthNanoseconds: Int64 = 300_000_000_000

  /// Growth is modelled only for apps whose memory the trace never measures.
  @inline(__always)
  mutating func startGrowth(_ app: AppIndex) {
    let rate = apps.profiles[app.position].growthBytesPerMinute
    if rate > 0 { startGrowth(app, rate: rate) }
  }

  @inline(never)
  private mutating func startGrowth(_ app: AppIndex, rate: Int64) {
    guard !index.facts[app.position].hasMemory, !traits.declaresSizes
    else { return }
    apps[app].growthSince = now
    timers.set(.growth, app.rawValue, at: nextGrowth(of: app, rate: rate))
  }

  @inline(__always)
  mutating func stopGrowth(_ app: AppIndex) {
    if apps[app].growthSince >= 0 { endGrowth(app) }
  }

  @inline(never)
  private mutating func endGrowth(_ app: AppIndex) {
    apps[app].growthProgress += growth(of: app, to: now)
    apps[app].growthSince = -1
    timers.withdraw(.growth, app.rawValue)
  }

  /// Progress since growth was last looked at; below one step, since a timer ends each step.
  private mutating func growth(of app: AppIndex, to time: Int64) -> Int64 {
    let record = apps[app]
    let rate = apps.profiles[app.position].growthBytesPerMinute
    let slowFrom = record.processStart + Self.fullGrowthNanoseconds
    let fast = max(0, min(time, slowFrom) - record.growthSince)
    let slow = max(0, time - max(slowFrom, record.growthSince))
    return (fast * 5 + slow) * rate
  }

  /// When the next step is due if growth goes on like this.
  private mutating func nextGrowth(of app: AppIndex, rate: Int64) -> Int64 {
    let record = apps[app]
    let missing = Self.growthStep - record.growthProgress
    let fastLeft = max(0, record.processStart + Self.fullGrowthNanoseconds - now)
    if fastLeft > 0 {
      let fastDuration = (missing + 5 * rate - 1) / (5 * rate)
      if fastDuration <= fastLeft { return now + fastDuration }
    }
    let rest = missing - fastLeft * 5 * rate
    return now + fastLeft + (rest + rate - 1) / rate
  }

  /// Takes the step that is due, and those after it for as long as nothing else happens and no
  /// rule has anything to check: these bypass the queue.
  mutating func grow(_ app: AppIndex) {
    let rate = apps.profiles[app.position].growthBytesPerMinute
    let mayRest = !needsSettling && !notes.wantsFootprints && !followed.isOn
    growByStep(app, rate: rate)
    var due = nextGrowth(of: app, rate: rate)
    while mayRest, isAtRest(until: due) {
      settleAtRest()
      if isAlone(until: due), let room = room(for: app) {
        due = growUnseen(app, rate: rate, room, from: due)
      }
      guard isAlone(until: due) else {
        model.rest(&self)
        break
      }
      advanceClock(to: due)
      growByStep(app, rate: rate)
      due = nextGrowth(of: app, rate: rate)
    }
    timers.set(.growth, app.rawValue, at: due)
  }

  /// Whether nothing else is due before a time, or at it.
  private mutating func isAlone(until time: Int64) -> Bool {
    time < timers.queue.nextTime && time <= instant.horizon
  }

  /// How far an app that is at rest may grow by figures alone; nil: its steps are taken one by one.
  private mutating func room(for app: AppIndex) -> GrowthRoom? {
    let record = apps[app]
    guard memory.isFigure(app), !log.wantsFootprints, record.footprintBytes > 0,
      record.chargedBytes == record.footprintBytes,
      let room = model.growthRoom(for: app, &self)
    else { return nil }
    let footprint = min(
      record.limitBytes, room.mostFootprintBytes, memory.mostFigureBytes)
    return GrowthRoom(
      leastAvailableBytes: room.leastAvailableBytes, mostFootprintBytes: footprint,
      lastNanoseconds: min(room.lastNanoseconds, instant.horizon), isFollowed: room.isFollowed)
  }

  /// Takes steps as long as there is room and nothing else happens; the result is when the next one is
  /// due.
  ///
  /// The same as taking them one by one, where each leads to the same verdict: memory is at rest.
  private mutating func growUnseen(
    _ app: AppIndex, rate: Int64, _ room: GrowthRoom, from firstDue: Int64
  ) -> Int64 {
    let lastDue = min(room.lastNanoseconds, timers.queue.nextTime - 1)
    var pace = GrowthPace(apps[app], rate: rate, at: now, due: firstDue, through: lastDue)
    let before = apps[app].footprintBytes
    // The step that takes the last of memory is one of its own: time beyond it is told apart.
    let least = availableBytes < 0 ? room.leastAvailableBytes : max(0, room.leastAvailableBytes)
    let mostBytes = min(
      room.mostFootprintBytes, before.addingSaturated(availableBytes - least))
    let bytes =
      isEven(through: lastDue) && !room.isFollowed
      ? growEvenly(app, &pace, to: mostBytes) : growUnevenly(app, room, &pace, to: mostBytes)
    guard bytes > before else { return firstDue }
    apps[app].footprintBytes = bytes
    apps[app].chargedBytes = bytes
    apps[app].ballastBytes += bytes - before
    realise(app, total: apps[app].ballastBytes)
    apps[app].growthProgress = pace.progress
    apps[app].growthSince = now
    counters.notePeak()
    settleAtRest()
    return nextGrowth(of: app, rate: rate)
  }

  /// Takes steps during a stretch of time that need not be added up step by step; the result is the
  /// footprint after them, in bytes.
  private mutating func growEvenly(
    _ app: AppIndex, _ pace: inout GrowthPace, to mostBytes: Int64
  ) -> Int64 {
    let (begin, before) = (now, apps[app].footprintBytes)
    let lastBytes = mostBytes - Self.growthStepBytes
    var time = now
    let bytes = counters.footprintGrew(app, by: Self.growthStepBytes) { bytes in
      guard bytes <= lastBytes, pace.isEven else { return nil }
      time = pace.due
      pace.step()
      return time
    }
    counters.addTime(from: begin, to: time, level: level, availableBytes: availableBytes)
    now = time
    availableBytes -= bytes - before
    counters.footprintBytes += bytes - before
    return bytes
  }

  /// The same where something comes to its end meanwhile, or the model accounts for each step.
  private mutating func growUnevenly(
    _ app: AppIndex, _ room: GrowthRoom, _ pace: inout GrowthPace, to mostBytes: Int64
  ) -> Int64 {
    var bytes = apps[app].footprintBytes
    while bytes <= mostBytes - Self.growthStepBytes, pace.isEven {
      advanceClock(to: pace.due)
      pace.step()
      bytes += Self.growthStepBytes
      availableBytes -= Self.growthStepBytes
      counters.footprintBytes += Self.growthStepBytes
      counters.footprintChanged(app, to: bytes, at: now)
      if room.isFollowed { model.grew(by: Self.growthStepBytes, &self) }
      counters.checkPurges(availableBytes: availableBytes)
    }
    return bytes
  }

  /// Whether nothing comes to its end up to a time but a stretch of it, so that it need not be added
  /// up step by step.
  private mutating func isEven(through time: Int64) -> Bool {
    counters.firstPurgeDeadline >= time
      && (now >= configuration.warmUpNanoseconds || time < configuration.warmUpNanoseconds)
  }

  private mutating func growByStep(_ app: AppIndex, rate: Int64) {
    apps[app].growthProgress += growth(of: app, to: now) - Self.growthStep
    apps[app].growthSince = now
    setTotal(app, to: apps[app].ballastBytes + Self.growthStepBytes)
  }

  /// What settling comes to at rest.
  private mutating func settleAtRest() {
    needsSettling = false
    counters.noteAvailable(availableBytes)
    counters.checkPurges(availableBytes: availableBytes)
    warning.seenBytes = availableBytes
  }
}

/// How far an app may grow before any check is needed.
struct GrowthRoom: BitwiseCopyable {
  /// While at least so much memory is available, in bytes.
  let leastAvailableBytes: Int64
  /// Up to this footprint, in bytes.
  var mostFootprintBytes = Int64.max
  /// Up to this time, in nanoseconds.
  var lastNanoseconds = Int64.max
  /// Whether the model accounts for each step (``PressureModel/grew(by:_:)``).
  var isFollowed = false
}

/// When steps of growth are due, one after the other at the same rate, without a division for each.
private struct GrowthPace: BitwiseCopyable {
  /// When the next step is due, in nanoseconds.
  private(set) var due: Int64
  /// Progress at the newest step, in the unit of `growthProgress`.
  private(set) var progress: Int64
  /// Progress at the step that is due.
  private var nextProgress: Int64
  private let lastDue: Int64
  private let shortest: Int64
  /// What a step lacks after the shortest time, and what it has too much a nanosecond later.
  private let missing: Int64
  private let excess: Int64

  init(_ record: AppRecord, rate: Int64, at now: Int64, due: Int64, through lastDue: Int64) {
    let slowFrom = record.processStart + Simulation.fullGrowthNanoseconds
    let isFast = now < slowFrom
    // In a nanosecond.
    let speed = isFast ? 5 * rate : rate
    self.lastDue = isFast ? min(slowFrom, lastDue) : lastDue
    (shortest, missing) = Simulation.growthStep.quotientAndRemainder(dividingBy: speed)
    excess = speed - missing
    self.due = due
    progress = record.growthProgress
    nextProgress = progress + (due - now) * speed - Simulation.growthStep
  }

  /// Whether the step that is due is still one at this rate, and not too late.
  var isEven: Bool { due <= lastDue }

  /// Takes the step that is due.
  @inline(__always)
  mutating func step() {
    progress = nextProgress
    if progress < missing {
      due += shortest + 1
      nextProgress += excess
    } else {
      due += shortest
      nextProgress -= missing
    }
  }
}
