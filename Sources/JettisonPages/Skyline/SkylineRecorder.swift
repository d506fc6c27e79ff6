import JettisonCore

/// Collects what a skyline shows of one run, a day at a time.
///
/// Memory is bounded by what is shown: within a day by the width of the picture, and of the days
/// those stay that cost the user most.
final class SkylineRecorder: Recorder {
  /// Bins of a day, which is drawn about so many pixels wide.
  static let binsPerDay: Int64 = 900
  /// Days that are kept.
  static let keptDays = 31
  /// Ends, and decisions, that are kept of a day.
  static let keptEnds = 1000
  static let keptDecisions = 150
  /// Changes of an app's state, or of the level, that are kept of a bin.
  private static let keptChanges = 3
  private static let dayNanoseconds: Int64 = 86_400_000_000_000

  let wantsEvents = true
  let wantsDecisions = true
  let wantsFootprints = true

  /// Nanoseconds from midnight to the start of the trace; 0 where it is not known, or one day holds
  /// everything.
  private let offset: Int64
  private let end: Int64
  private let isOneDay: Bool
  let binNanoseconds: Int64
  private var day: SkylineDay
  private var bins: FootprintBins
  private var bin: Int64 = 0
  private var level = PressureLevel.normal
  private var states: [AppState]
  /// Where each app's newest entries are, in the open day; negative: it has none.
  private var newestStates: [[Int]]
  private var newestSave: [Int]
  private var newestWarning: [Int]
  /// Where the newest end of each app is: the day, and the place in it.
  private var newestEnd: [(day: Int, place: Int)?]
  private var days: [SkylineDay] = []
  /// Days that were let go of because others cost more.
  private(set) var droppedDays = 0

  /// Prepares to listen to a run.
  ///
  /// - Parameters:
  ///   - appCount: Apps of the trace.
  ///   - end: Length of the trace, in nanoseconds.
  ///   - startSecondsOfDay: Time of day at its start; nil: not known.
  init(appCount: Int, end: Int64, startSecondsOfDay: Int64?) {
    self.end = max(1, end)
    isOneDay = end <= Self.dayNanoseconds
    offset = isOneDay ? 0 : (startSecondsOfDay ?? 0) * 1_000_000_000
    binNanoseconds = max(1, min(Self.dayNanoseconds, self.end) / Self.binsPerDay)
    states = Array(repeating: .notRunning, count: appCount)
    newestStates = Array(repeating: [], count: appCount)
    newestSave = Array(repeating: -1, count: appCount)
    newestWarning = newestSave
    newestEnd = Array(repeating: nil, count: appCount)
    bins = FootprintBins(appCount: appCount)
    day = SkylineDay(number: 0, range: 0..<0, frame: 0..<0, binNanoseconds: binNanoseconds)
    day = emptyDay(0)
  }

  /// The days that are kept, in order, once the run is over.
  func finish() -> [SkylineDay] {
    keep()
    return days.sorted { $0.number < $1.number }
  }

  private func frame(of number: Int) -> Range<Int64> {
    guard !isOneDay else { return 0..<end }
    let start = Int64(number) * Self.dayNanoseconds - offset
    return start..<start + Self.dayNanoseconds
  }

  private func emptyDay(_ number: Int) -> SkylineDay {
    let frame = frame(of: number)
    return SkylineDay(
      number: number, range: frame.clamped(to: 0..<end), frame: frame,
      binNanoseconds: binNanoseconds)
  }

  // MARK: Time

  /// Closes bins, and days, that are over at a time.
  @inline(__always)
  private func advance(to time: Int64) {
    let next = time / binNanoseconds
    if next != bin || time >= day.range.upperBound { turn(to: time, bin: next) }
  }

  private func turn(to time: Int64, bin next: Int64) {
    bins.close(into: &day)
    bin = next
    let number = isOneDay ? 0 : Int((time + offset) / Self.dayNanoseconds)
    // The last instant belongs to the last day, however the clock stands.
    guard number != day.number, frame(of: number).lowerBound < end else { return }
    keep()
    begin(number)
  }

  private func begin(_ number: Int) {
    let available = day.moments.last?.availableBytes ?? day.firstAvailableBytes
    day = emptyDay(number)
    day.firstHoldings = bins.holdings
    day.firstAvailableBytes = available
    day.firstLevel = level
    for position in states.indices where states[position] != .notRunning {
      day.firstStates.append(
        SkylineDay.StateChange(
          time: day.range.lowerBound, app: AppIndex(position), state: states[position]))
    }
    for position in states.indices {
      newestStates[position].removeAll(keepingCapacity: true)
      newestSave[position] = -1
      newestWarning[position] = -1
    }
  }

  /// Adds the open day to those that are kept, and lets go of the cheapest if there are too many.
  private func keep() {
    bins.close(into: &day)
    // Of a crowded bin, the newest change took the place of an older one.
    if day.thinning.states > 0 { day.states.sort { $0.time < $1.time } }
    days.append(day)
    guard days.count > Self.keptDays else { return }
    let cheapest = days.indices.min { SkylineDay.isCheaper(days[$0], days[$1]) } ?? 0
    days.remove(at: cheapest)
    droppedDays += 1
  }

  // MARK: Rows

  func record(_ footprint: FootprintRecord) {
    advance(to: footprint.timeNanoseconds)
    bins.add(footprint)
    // Who runs when the trace begins was never seen to start.
    if footprint.state != .notRunning, states[footprint.app.position] == .notRunning {
      enter(footprint.state, footprint.app, at: footprint.timeNanoseconds)
    }
    if footprint.level != level { change(footprint.level, at: footprint.timeNanoseconds) }
  }

  private func change(_ level: PressureLevel, at time: Int64) {
    self.level = level
    let change = SkylineDay.LevelChange(time: time, level: level)
    let start = day.levels.count - Self.keptChanges
    // The shortest of what came in between stays.
    if start >= 0, day.levels[start].time / binNanoseconds == time / binNanoseconds {
      let middle = day.levels[start + 1]
      if day.levels[start + 2].level > middle.level {
        day.levels[start + 1] = day.levels[start + 2]
      }
      day.levels[start + 2] = change
      day.thinning.states += 1
    } else {
      day.levels.append(change)
    }
  }

  func record(_ event: EventRecord) {
    switch event.kind {
    case .message, .restore, .wait: return
    default: advance(to: event.timeNanoseconds)
    }
    switch event.kind {
    case .state: enter(event)
    case .save: save(event)
    case .warning: warn(event)
    case .response: answer(event)
    case .purge, .kill, .watchdog, .taskExpired, .ended: end(event)
    case .loss: lose(event)
    case .launch: comeBack(event)
    case .message, .restore, .wait: break
    }
  }

  private func enter(_ event: EventRecord) {
    guard let state = event.stateAfter else { return }
    let position = event.app.position
    if state == .notRunning, let place = newestEnd[position], place.day == day.number,
      day.ends[place.place].time == event.timeNanoseconds
    {
      day.ends[place.place].stateBefore = event.stateBefore ?? states[position]
    }
    enter(state, event.app, at: event.timeNanoseconds)
  }

  private func enter(_ state: AppState, _ app: AppIndex, at time: Int64) {
    let position = app.position
    states[position] = state
    let change = SkylineDay.StateChange(time: time, app: app, state: state)
    let newest = newestStates[position]
    let isCrowded =
      newest.count == Self.keptChanges
      && day.states[newest[0]].time / binNanoseconds == change.time / binNanoseconds
    guard isCrowded else {
      newestStates[position].append(day.states.count)
      if newestStates[position].count > Self.keptChanges { newestStates[position].removeFirst() }
      day.states.append(change)
      return
    }
    // Of what an app did within a bin, the beginning and the end stay.
    day.states[newest[Self.keptChanges - 1]] = change
    day.thinning.states += 1
  }

  private func save(_ event: EventRecord) {
    let position = event.app.position
    let outcome = event.saveOutcome ?? .complete
    let place = newestSave[position]
    if place >= 0, day.saves[place].outcome == outcome,
      day.saves[place].time / binNanoseconds == event.timeNanoseconds / binNanoseconds
    {
      day.saves[place].count += 1
      day.saves[place].bytes += event.bytes ?? 0
      return
    }
    newestSave[position] = day.saves.count
    day.saves.append(
      SkylineDay.Save(
        time: event.timeNanoseconds, app: event.app, outcome: outcome, cause: event.cause,
        bytes: event.bytes ?? 0))
  }

  private func warn(_ event: EventRecord) {
    let position = event.app.position
    let place = newestWarning[position]
    if place >= 0, day.warnings[place].level == event.cause,
      day.warnings[place].time / binNanoseconds == event.timeNanoseconds / binNanoseconds
    {
      day.warnings[place].count += 1
      return
    }
    newestWarning[position] = day.warnings.count
    day.warnings.append(
      SkylineDay.Warning(time: event.timeNanoseconds, app: event.app, level: event.cause))
  }

  private func answer(_ event: EventRecord) {
    let place = newestWarning[event.app.position]
    guard place >= 0 else { return }
    day.warnings[place].releasedBytes =
      (day.warnings[place].releasedBytes ?? 0) + (event.bytes ?? 0)
  }

  private func end(_ event: EventRecord) {
    newestEnd[event.app.position] = nil
    guard day.ends.count < Self.keptEnds else {
      day.thinning.ends += 1
      return
    }
    newestEnd[event.app.position] = (day.number, day.ends.count)
    day.ends.append(
      SkylineDay.End(
        time: event.timeNanoseconds, app: event.app, kind: event.kind, cause: event.cause,
        bytes: event.bytes ?? 0, decision: event.decision))
  }

  private func lose(_ event: EventRecord) {
    let loss = SkylineDay.Loss(
      time: event.timeNanoseconds, app: event.app, lossClass: event.lossClass ?? .noSave,
      workNanoseconds: event.workNanoseconds ?? 0, bytes: event.bytes ?? 0,
      noticed: event.noticed ?? .no, isPosition: event.message == .position)
    guard let place = newestEnd[event.app.position], place.day == day.number,
      day.ends[place.place].time == loss.time, day.ends[place.place].loss == nil,
      loss.lossClass != .restoreLost
    else {
      if day.losses.count < Self.keptEnds { day.losses.append(loss) }
      return
    }
    day.ends[place.place].loss = loss
  }

  private func comeBack(_ event: EventRecord) {
    let position = event.app.position
    guard event.cause != .background, let place = newestEnd[position] else { return }
    newestEnd[position] = nil
    if place.day == day.number {
      day.ends[place.place].returnTime = event.timeNanoseconds
    } else if let home = days.firstIndex(where: { $0.number == place.day }) {
      days[home].ends[place.place].returnTime = event.timeNanoseconds
    }
  }

  func record(_ decision: DecisionRecord) {
    advance(to: decision.timeNanoseconds)
    day.decisions.append(decision)
    guard day.decisions.count > Self.keptDecisions else { return }
    let cheapest =
      day.decisions.indices.min { Self.cost(day.decisions[$0]) < Self.cost(day.decisions[$1]) }
    day.decisions.remove(at: cheapest ?? 0)
    day.thinning.decisions += 1
  }

  /// What a decision cost: work, then bytes, then victims.
  private static func cost(_ decision: DecisionRecord) -> (Int64, Int64, Int) {
    var cost: (Int64, Int64, Int) = (0, 0, 0)
    for candidate in decision.candidates where candidate.isChosen {
      cost.0 += candidate.unsavedWorkNanoseconds
      cost.1 += candidate.unsavedBytes
      cost.2 += 1
    }
    return cost
  }
}
