import JettisonCore

/// Collects what a skyline shows of one run, a day at a time.
///
/// Memory is bounded by what is shown: within a day by the width of the picture, and of the days
/// those stay that cost the user most.
final class SkylineRecorder: Recorder {
  let wantsEvents = true
  let wantsDecisions = true
  let wantsFootprints = true

  let binNanoseconds: Int64
  // A value, so that a row is one access to this object.
  private var log: SkylineLog

  /// Prepares to listen to a run.
  ///
  /// - Parameters:
  ///   - appCount: Apps of the trace.
  ///   - end: Length of the trace, in nanoseconds.
  ///   - startSecondsOfDay: Time of day at its start; nil: not known.
  init(appCount: Int, end: Int64, startSecondsOfDay: Int64?) {
    let calendar = SkylineCalendar(end: end, startSecondsOfDay: startSecondsOfDay)
    binNanoseconds = calendar.binNanoseconds
    log = SkylineLog(calendar, appCount: appCount)
  }

  func record(_ footprint: FootprintRecord) { log.add(footprint) }
  func record(_ memory: MemoryRecord) { log.add(memory) }
  func record(_ event: EventRecord) { log.add(event) }
  func record(_ decision: DecisionRecord) { log.add(decision) }

  /// Days that were let go of because others cost more.
  var droppedDays: Int { log.droppedDays }

  /// What all days came to.
  var tally: SkylineTally { log.tally }

  /// The days that are kept, in order, once the run is over.
  func finish() -> [SkylineDay] { log.finish() }
}

/// How a trace is cut into days.
struct SkylineCalendar {
  private static let dayNanoseconds: Int64 = 86_400_000_000_000

  /// Nanoseconds from midnight to the start of the trace; 0 where it is not known, or one day holds
  /// everything.
  private let offset: Int64
  private let end: Int64
  private let isOneDay: Bool
  let binNanoseconds: Int64

  init(end: Int64, startSecondsOfDay: Int64?) {
    self.end = max(1, end)
    isOneDay = end <= Self.dayNanoseconds
    offset = isOneDay ? 0 : (startSecondsOfDay ?? 0) * 1_000_000_000
    binNanoseconds = max(1, min(Self.dayNanoseconds, self.end) / SkylineDetail.binsPerDay)
  }

  /// The day of a time; the last instant belongs to the last day, however the clock stands.
  func number(at time: Int64, after number: Int) -> Int {
    let next = isOneDay ? 0 : Int((time + offset) / Self.dayNanoseconds)
    return frame(of: next).lowerBound < end ? next : number
  }

  private func frame(of number: Int) -> Range<Int64> {
    guard !isOneDay else { return 0..<end }
    let start = Int64(number) * Self.dayNanoseconds - offset
    return start..<start + Self.dayNanoseconds
  }

  func day(_ number: Int) -> SkylineDay {
    let frame = frame(of: number)
    return SkylineDay(
      number: number, range: frame.clamped(to: 0..<end), frame: frame,
      binNanoseconds: binNanoseconds)
  }
}

/// What was recorded of a run so far.
private struct SkylineLog {
  private let calendar: SkylineCalendar
  private var open: SkylineDayLog
  private var level = PressureLevel.normal
  /// Since when, in nanoseconds.
  private var levelSince: Int64 = 0
  private var states: [AppState]
  /// Where the newest end of each app is: the day, and the place in it.
  private var newestEnd: [(day: Int, place: Int)?]
  private var days: [SkylineDay] = []
  private(set) var droppedDays = 0
  private(set) var tally = SkylineTally()

  init(_ calendar: SkylineCalendar, appCount: Int) {
    self.calendar = calendar
    states = Array(repeating: .notRunning, count: appCount)
    newestEnd = Array(repeating: nil, count: appCount)
    open = SkylineDayLog(calendar.day(0), FootprintBins(appCount: appCount))
  }

  /// The days that are kept, in order.
  mutating func finish() -> [SkylineDay] {
    keep()
    return SkylineDetail.shown(
      days.sorted { $0.number < $1.number }, appCount: states.count)
  }

  // MARK: Time

  /// Closes bins, and days, that are over at a time.
  @inline(__always)
  private mutating func advance(to time: Int64) {
    if open.isOver(at: time) { turn(to: time) }
  }

  private mutating func turn(to time: Int64) {
    open.turn(to: time)
    let number = calendar.number(at: time, after: open.day.number)
    guard number != open.day.number else { return }
    keep()
    begin(number)
  }

  private mutating func begin(_ number: Int) {
    var day = calendar.day(number)
    day.firstHoldings = open.bins.holdings
    day.firstAvailableBytes =
      open.day.moments.last?.availableBytes ?? open.day.firstAvailableBytes
    day.firstLevel = level
    for position in states.indices where states[position] != .notRunning {
      day.firstStates.append(
        SkylineDay.StateChange(
          time: day.range.lowerBound, app: AppIndex(position), state: states[position]))
    }
    open = SkylineDayLog(day, open.bins)
  }

  /// Adds the open day to those that are kept, and lets go of the cheapest if there are too many.
  private mutating func keep() {
    open.add(level, from: levelSince, to: open.day.range.upperBound)
    days.append(open.finish())
    guard days.count > SkylineDetail.keptDays else { return }
    let cheapest = days.indices.min { SkylineDay.isCheaper(days[$0], days[$1]) } ?? 0
    days.remove(at: cheapest)
    droppedDays += 1
  }

  // MARK: Rows

  mutating func add(_ footprint: FootprintRecord) {
    let (app, time) = (footprint.app, footprint.timeNanoseconds)
    advance(to: time)
    let bytes = footprint.state == .notRunning ? 0 : footprint.footprintBytes
    open.hold(SkylineDay.Holding(app: app, bytes: bytes))
    // Who runs when the trace begins was never seen to start.
    if footprint.state != .notRunning, states[app.position] == .notRunning {
      enter(footprint.state, app, at: time)
    }
    add(footprint.memory)
  }

  mutating func add(_ memory: MemoryRecord) {
    advance(to: memory.timeNanoseconds)
    tally.leastAvailableBytes = min(
      tally.leastAvailableBytes ?? .max, memory.availableBytes)
    open.look(at: memory.timeNanoseconds, availableBytes: memory.availableBytes)
    guard memory.level != level else { return }
    open.add(level, from: levelSince, to: memory.timeNanoseconds)
    (level, levelSince) = (memory.level, memory.timeNanoseconds)
    open.add(SkylineDay.LevelChange(time: levelSince, level: level))
  }

  mutating func add(_ decision: DecisionRecord) {
    advance(to: decision.timeNanoseconds)
    tally.decisions += 1
    open.add(decision)
  }

  mutating func add(_ event: EventRecord) {
    switch event.kind {
    case .message, .restore, .wait: return
    default: advance(to: event.timeNanoseconds)
    }
    switch event.kind {
    case .state: enter(event)
    case .save:
      open.add(
        SkylineDay.Save(
          time: event.timeNanoseconds, app: event.app, outcome: event.saveOutcome ?? .complete,
          cause: event.cause, bytes: event.bytes ?? 0))
    case .warning:
      open.add(
        SkylineDay.Warning(time: event.timeNanoseconds, app: event.app, level: event.cause))
    case .response: open.answer(event.app, event.bytes ?? 0)
    case .purge, .kill, .watchdog, .taskExpired, .ended: end(event)
    case .loss: lose(event)
    case .launch: comeBack(event)
    case .message, .restore, .wait: break
    }
  }

  private mutating func enter(_ event: EventRecord) {
    guard let state = event.stateAfter else { return }
    let position = event.app.position
    if state == .notRunning, let place = newestEnd[position], place.day == open.day.number,
      open.day.ends[place.place].time == event.timeNanoseconds
    {
      let before = event.stateBefore ?? states[position]
      open.change(place.place) { $0.stateBefore = before }
    }
    enter(state, event.app, at: event.timeNanoseconds)
  }

  private mutating func enter(_ state: AppState, _ app: AppIndex, at time: Int64) {
    states[app.position] = state
    open.add(SkylineDay.StateChange(time: time, app: app, state: state))
  }

  private mutating func end(_ event: EventRecord) {
    let end = SkylineDay.End(
      time: event.timeNanoseconds, app: event.app, kind: event.kind, cause: event.cause,
      bytes: event.bytes ?? 0, decision: event.decision)
    if end.isBySystem { tally.systemEnds += 1 }
    let place = open.add(end)
    newestEnd[event.app.position] = place.map { (open.day.number, $0) }
  }

  private mutating func lose(_ event: EventRecord) {
    var loss = SkylineDay.Loss(
      time: event.timeNanoseconds, app: event.app, lossClass: event.lossClass ?? .noSave,
      workNanoseconds: event.workNanoseconds ?? 0, bytes: event.bytes ?? 0,
      noticed: event.noticed ?? .no, isPosition: event.message == .position)
    guard let place = newestEnd[event.app.position], loss.lossClass != .restoreLost else {
      return open.add(loss)
    }
    let isOwn =
      place.day == open.day.number && open.day.ends[place.place].time == loss.time
      && open.day.ends[place.place].loss == nil
    if isOwn {
      open.change(place.place) { $0.loss = loss }
    } else {
      // An end has its loss at once: what comes later, before the app is back, was missed meanwhile.
      loss.isAbsence = loss.lossClass == .killedRunning
      open.add(loss)
    }
  }

  private mutating func comeBack(_ event: EventRecord) {
    let position = event.app.position
    guard event.cause != .background, let place = newestEnd[position] else { return }
    newestEnd[position] = nil
    if place.day == open.day.number {
      open.change(place.place) { $0.returnTime = event.timeNanoseconds }
    } else if let home = days.firstIndex(where: { $0.number == place.day }) {
      days[home].ends[place.place].returnTime = event.timeNanoseconds
    }
  }
}
