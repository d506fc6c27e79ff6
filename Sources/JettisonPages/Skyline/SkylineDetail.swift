import JettisonCore

/// How much of a run its pages show: what many days hold is thinned more than what one holds.
enum SkylineDetail {
  /// Bins of the day that cost most, which is drawn about so many pixels wide.
  static let binsPerDay: Int64 = 900
  /// Bins of all other days together, and of one of them.
  private static let otherBins: Int64 = 2_700
  private static let otherBinsPerDay: ClosedRange<Int64> = 90...450
  /// Days that are kept.
  static let keptDays = 31
  /// Ends, and decisions, that are kept of a day.
  static let keptEnds = 1000
  static let keptDecisions = 150
  /// Lines that decisions told in full may take, a candidate each and what stands around them.
  private static let toldLines = 2500
  private static let linesOfDecision = 4

  /// Days as they are shown: the one that cost most as it is, the others coarser, and the decisions
  /// that cost most told in full.
  static func shown(_ days: [SkylineDay], appCount: Int) -> [SkylineDay] {
    var days = days
    let most = days.indices.max { SkylineDay.isCheaper(days[$0], days[$1]) }
    let room = otherBins / max(1, Int64(days.count) - 1)
    let bins = min(max(room, otherBinsPerDay.lowerBound), otherBinsPerDay.upperBound)
    for place in days.indices where place != most {
      let day = days[place]
      days[place] = day.coarser(
        binNanoseconds: max(1, day.binNanoseconds * binsPerDay / bins), appCount: appCount)
    }
    tellDecisions(of: &days, first: most)
    return days
  }

  /// Those of one day before all others, then the costliest first, as long as there is room.
  private static func tellDecisions(of days: inout [SkylineDay], first: Int?) {
    let all = days.indices.flatMap { day in
      days[day].decisions.map { (day, $0.number, $0.candidates.count, cost($0)) }
    }
    var room = toldLines
    let order = all.sorted { a, b in
      guard (a.0 == first) == (b.0 == first) else { return a.0 == first }
      return a.3 == b.3 ? a.1 < b.1 : a.3 > b.3
    }
    for (day, number, count, _) in order {
      guard room > 0 else {
        days[day].thinning.decisions += 1
        continue
      }
      room -= count + linesOfDecision
      days[day].toldDecisions.insert(number)
    }
  }

  /// What a decision cost: work, then bytes, then victims.
  static func cost(_ decision: DecisionRecord) -> (Int64, Int64, Int) {
    var cost: (Int64, Int64, Int) = (0, 0, 0)
    for candidate in decision.candidates where candidate.isChosen {
      cost.0 += candidate.unsavedWorkNanoseconds
      cost.1 += candidate.unsavedBytes
      cost.2 += 1
    }
    return cost
  }
}

extension SkylineDay {
  /// The same day told again in wider bins.
  func coarser(binNanoseconds: Int64, appCount: Int) -> SkylineDay {
    var day = self
    day.binNanoseconds = binNanoseconds
    day.moments = []
    day.holdings = []
    day.states = []
    day.levels = []
    day.saves = []
    day.warnings = []
    var log = SkylineDayLog(day, FootprintBins(appCount: appCount, firstHoldings))
    for moment in moments {
      if log.isOver(at: moment.time) { log.turn(to: moment.time) }
      log.add(moment, of: self)
    }
    for change in states { log.add(change) }
    for change in levels { log.add(change) }
    for save in saves { log.add(save) }
    for warning in warnings { log.add(warning) }
    return log.finish()
  }
}
