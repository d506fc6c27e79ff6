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
    timers.set(.growth, app.rawValue, at: nextGrowth(of: app, rate: rate), in: &queue)
  }

  @inline(__always)
  mutating func stopGrowth(_ app: AppIndex) {
    if apps[app].growthSince >= 0 { endGrowth(app) }
  }

  @inline(never)
  private mutating func endGrowth(_ app: AppIndex) {
    apps[app].growthProgress += growth(of: app, to: now)
    apps[app].growthSince = -1
    timers.cancel(.growth, app.rawValue)
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
    let fastDuration = (missing + 5 * rate - 1) / (5 * rate)
    guard fastDuration > fastLeft else { return now + fastDuration }
    let rest = missing - fastLeft * 5 * rate
    return now + fastLeft + (rest + rate - 1) / rate
  }

  /// Takes the step that is due, and those after it for as long as nothing else happens and nobody
  /// needs to look: these pass the queue by.
  mutating func grow(_ app: AppIndex) {
    let rate = apps.profiles[app.position].growthBytesPerMinute
    let mayRest = !needsSettling && !notesFootprints && !followed.isOn
    growByStep(app, rate: rate)
    var due = nextGrowth(of: app, rate: rate)
    while mayRest, isAtRest(until: due) {
      settleAtRest()
      guard due < queue.nextTime, due <= horizon else {
        model.rest(&self)
        break
      }
      advanceClock(to: due)
      growByStep(app, rate: rate)
      due = nextGrowth(of: app, rate: rate)
    }
    timers.set(.growth, app.rawValue, at: due, in: &queue)
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
