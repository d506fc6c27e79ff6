import JettisonCore

/// A day while it is told: what falls within one bin is thinned at once, so that memory is bounded by
/// the width of the picture.
struct SkylineDayLog {
  /// Changes of an app's state, or of the level, that are kept of a bin.
  private static let keptChanges = 3

  /// Where an app's newest entries are; negative: it has none.
  private struct Newest {
    /// The last three changes of its state, the newest last.
    var states = (first: -1, middle: -1, last: -1)
    var save = -1
    var warning = -1
  }

  private(set) var day: SkylineDay
  private(set) var bins: FootprintBins
  /// Where the open bin ends.
  private var binEnd: Int64 = 0
  private var newest: [Newest]

  /// Begins a day.
  ///
  /// - Parameters:
  ///   - day: What is known when it begins.
  ///   - bins: Who holds what then.
  init(_ day: SkylineDay, _ bins: FootprintBins) {
    self.day = day
    self.bins = bins
    newest = Array(repeating: Newest(), count: bins.appCount)
    binEnd = end(ofBinAt: day.range.lowerBound)
  }

  /// Whether a time lies beyond the bin that is open, or the day: times do not go back.
  @inline(__always)
  func isOver(at time: Int64) -> Bool { time >= binEnd }

  /// Closes the open bin and opens that of a time.
  mutating func turn(to time: Int64) {
    bins.close(into: &day)
    binEnd = end(ofBinAt: time)
  }

  private func end(ofBinAt time: Int64) -> Int64 {
    min((time / day.binNanoseconds + 1) * day.binNanoseconds, day.range.upperBound)
  }

  /// The day as it is kept.
  mutating func finish() -> SkylineDay {
    bins.close(into: &day)
    // Of a crowded bin, the newest change took the place of an older one.
    if day.thinning.states > 0 { day.states.sort { $0.time < $1.time } }
    return day
  }

  private func isInOneBin(_ a: Int64, _ b: Int64) -> Bool {
    a / day.binNanoseconds == b / day.binNanoseconds
  }

  // MARK: Memory

  /// An app holds something else.
  mutating func hold(_ holding: SkylineDay.Holding) { bins.hold(holding) }

  /// So much memory is available.
  mutating func look(at time: Int64, availableBytes: Int64) {
    bins.look(at: time, availableBytes: availableBytes)
  }

  /// Tells again what another day tells of a moment.
  mutating func add(_ moment: SkylineDay.Moment, of other: SkylineDay) {
    for holding in other.holdings[moment.changes] { bins.hold(holding) }
    bins.look(at: moment.time, availableBytes: moment.availableBytes)
  }

  /// Memory has been as short as that for a while, as far as it lies in the day.
  mutating func add(_ level: PressureLevel, from start: Int64, to end: Int64) {
    let span = min(end, day.range.upperBound) - max(start, day.range.lowerBound)
    if span > 0 { day.levelSpans[level, default: 0] += span }
  }

  /// The shortest of what memory was between the first and the last change of a bin stays.
  mutating func add(_ change: SkylineDay.LevelChange) {
    let start = day.levels.count - Self.keptChanges
    guard start >= 0, isInOneBin(day.levels[start].time, change.time) else {
      return day.levels.append(change)
    }
    if day.levels[start + 2].level > day.levels[start + 1].level {
      day.levels[start + 1] = day.levels[start + 2]
    }
    day.levels[start + 2] = change
    day.thinning.states += 1
  }

  // MARK: Apps

  /// Of what an app did within a bin, the beginning and the end stay.
  mutating func add(_ change: SkylineDay.StateChange) {
    let states = newest[change.app.position].states
    if states.first >= 0, isInOneBin(day.states[states.first].time, change.time) {
      day.states[states.last] = change
      day.thinning.states += 1
    } else {
      newest[change.app.position].states = (states.middle, states.last, day.states.count)
      day.states.append(change)
    }
  }

  mutating func add(_ save: SkylineDay.Save) {
    let place = newest[save.app.position].save
    if place >= 0, day.saves[place].outcome == save.outcome,
      isInOneBin(day.saves[place].time, save.time)
    {
      day.saves[place].count += save.count
      day.saves[place].bytes += save.bytes
    } else {
      newest[save.app.position].save = day.saves.count
      day.saves.append(save)
    }
  }

  mutating func add(_ warning: SkylineDay.Warning) {
    let place = newest[warning.app.position].warning
    if place >= 0, day.warnings[place].level == warning.level,
      isInOneBin(day.warnings[place].time, warning.time)
    {
      day.warnings[place].count += warning.count
      if let bytes = warning.releasedBytes { answer(warning.app, bytes) }
    } else {
      newest[warning.app.position].warning = day.warnings.count
      day.warnings.append(warning)
    }
  }

  /// An app gives something back after a warning.
  mutating func answer(_ app: AppIndex, _ bytes: Int64) {
    let place = newest[app.position].warning
    guard place >= 0 else { return }
    day.warnings[place].releasedBytes = (day.warnings[place].releasedBytes ?? 0) + bytes
  }

  // MARK: Ends and decisions

  /// The place of the end; nil: there is no room for it.
  mutating func add(_ end: SkylineDay.End) -> Int? {
    guard day.ends.count < SkylineDetail.keptEnds else {
      day.thinning.ends += 1
      return nil
    }
    day.ends.append(end)
    return day.ends.count - 1
  }

  mutating func add(_ loss: SkylineDay.Loss) {
    if day.losses.count < SkylineDetail.keptEnds { day.losses.append(loss) }
  }

  /// Changes what is told of an end.
  mutating func change(_ place: Int, _ change: (inout SkylineDay.End) -> Void) {
    change(&day.ends[place])
  }

  mutating func add(_ decision: DecisionRecord) {
    day.decisions.append(decision)
    guard day.decisions.count > SkylineDetail.keptDecisions else { return }
    let costs = day.decisions.map { SkylineDetail.cost($0) }
    let cheapest = costs.indices.min { costs[$0] < costs[$1] } ?? 0
    day.decisions.remove(at: cheapest)
    day.thinning.decisions += 1
  }
}
