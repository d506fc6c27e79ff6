internal import JettisonCore
internal import JettisonReports
internal import JettisonSupport

/// Puts what the capture saw beside what a run did, row by row.
struct ValidationScore {
  let key: RunKey
  let apps: [String]
  let observed: CapturedOutcomes
  let simulated: SimulatedOutcomes
  let ranks: FollowedRanks
  let windowNanoseconds: Int64
  /// Where the capture begins to count and where it ends, in nanoseconds.
  let begin: Int64
  let end: Int64

  /// Warnings to several apps are one round up to this gap, in nanoseconds.
  static let roundGapNanoseconds: Int64 = 1_000_000_000

  /// All rows, in order of time; what was observed first.
  func rows() -> [ValidationRow] {
    let rows = killRows() + warningRows() + availableRows()
    return rows.enumerated().sorted { a, b in
      let (first, second) = (a.element, b.element)
      let sides = (first.kind.isSimulated ? 1 : 0, second.kind.isSimulated ? 1 : 0)
      return (first.timeNanoseconds, sides.0, a.offset)
        < (second.timeNanoseconds, sides.1, b.offset)
    }.map(\.element)
  }

  /// What was measured of available memory, and what the simulation has.
  private func availableRows() -> [ValidationRow] {
    simulated.measurements.map { measurement in
      var row = row(.observedAvailable, at: measurement.timeNanoseconds, .none, .compared)
      row.level = measurement.level
      row.observedBytes = measurement.measuredBytes
      row.availableBytes = measurement.availableBytes
      return row
    }
  }

  private func row(
    _ kind: ValidationRow.Kind, at time: Int64, _ app: AppIndex, _ outcome: ValidationRow.Outcome
  ) -> ValidationRow {
    ValidationRow(
      key: key, kind: kind, timeNanoseconds: time, app: app == .none ? "" : apps[app.position],
      outcome: outcome)
  }

  // MARK: Kills

  private func killRows() -> [ValidationRow] {
    let captured = observed.kills.map {
      TimedOutcome(timeNanoseconds: $0.timeNanoseconds, key: $0.app.position)
    }
    let played = simulated.kills.map {
      TimedOutcome(timeNanoseconds: $0.timeNanoseconds, key: $0.app.position)
    }
    let matching = OutcomeMatching(
      observed: captured, simulated: played, windowNanoseconds: windowNanoseconds)
    let moments = KillMoments(
      observed: captured, simulated: played, matching: matching,
      windowNanoseconds: windowNanoseconds)
    var rows: [ValidationRow] = []
    for (position, kill) in observed.kills.enumerated() {
      let partner = matching.partners[position].map { simulated.kills[$0] }
      var row = explain(kill, partner)
      let moment = moments.momentOfKill[position]
      row.chanceOfMatch = ChanceOfTime.share(
        of: simulated.killsOfApp[kill.app.position].map(\.timeNanoseconds), from: begin, to: end,
        windowNanoseconds: windowNanoseconds)
      row.moment = moment + 1
      row.isSameSet = moments.isSameSet[moment]
      row.isExact = moments.isExact[moment]
      let place = ranks.places[kill.ordinal]
      row.rank = place?.rank
      row.candidateCount = place?.candidateCount
      rows.append(row)
    }
    for (position, kill) in simulated.kills.enumerated()
    where matching.observedPartners[position] == nil {
      var row = row(.simulatedKill, at: kill.timeNanoseconds, kill.app, .unobserved)
      row.cause = kill.cause.name
      row.decision = kill.decision
      rows.append(row)
    }
    return rows
  }

  /// What the run has of an observed kill, and if nothing, why.
  private func explain(_ kill: ObservedKill, _ partner: SimulatedKill?) -> ValidationRow {
    let moment = simulated.moments[kill.ordinal]
    var row = row(.observedKill, at: kill.timeNanoseconds, kill.app, .noDecision)
    row.cause = kill.cause.name
    row.band = kill.band
    row.level = moment.observation.level
    row.availableBytes = moment.observation.availableBytes
    if let partner {
      row.outcome = .matched
      row.offsetNanoseconds = partner.timeNanoseconds - kill.timeNanoseconds
      row.decision = partner.decision
      row.decisionRank = partner.decision.flatMap { rank(of: kill.app, in: $0) }
    } else if moment.observation.state == .notRunning {
      explainAbsence(moment.lastEnd, &row)
    } else {
      explainSurvival(kill, &row)
    }
    return row
  }

  private func explainAbsence(_ end: SimulatedOutcomes.End?, _ row: inout ValidationRow) {
    row.outcome = end?.isForMemory == true ? .purgedEarlier : .notRunning
    row.reason = end?.word ?? "never-started"
    guard let end, end.isForMemory else { return }
    row.offsetNanoseconds = end.timeNanoseconds - row.timeNanoseconds
    row.decision = end.decision
    row.decisionRank = end.decision.flatMap { decision in
      apps.firstIndex(of: row.app).flatMap { rank(of: AppIndex($0), in: decision) }
    }
  }

  private func explainSurvival(_ kill: ObservedKill, _ row: inout ValidationRow) {
    let own = simulated.killsOfApp[kill.app.position]
    let next = own.partitioningIndex { $0.timeNanoseconds >= kill.timeNanoseconds }
    if next < own.count, own[next].timeNanoseconds < kill.nextLifeNanoseconds {
      let later = own[next]
      row.outcome = .purgedLater
      row.offsetNanoseconds = later.timeNanoseconds - kill.timeNanoseconds
      row.decision = later.decision
    }
    let near = nearDecisions(kill.timeNanoseconds)
    if let decision = near.first(where: { decision in
      decision.candidates.contains { $0.app == kill.app && !$0.isChosen }
    }) {
      row.outcome = .otherVictim
      row.decision = decision.number
      row.decisionRank = rank(of: kill.app, in: decision)
      row.otherApp =
        decision.candidates.first(where: \.isChosen).map { apps[$0.app.position] } ?? ""
    } else if let (decision, reason) = spared(kill.app, in: near) {
      row.outcome = .notCandidate
      row.decision = decision.number
      row.reason = reason.word
      row.otherApp =
        decision.candidates.first(where: \.isChosen).map { apps[$0.app.position] } ?? ""
    }
  }

  /// Decisions at about a time, the nearest first.
  private func nearDecisions(_ time: Int64) -> [DecisionRecord] {
    let all = simulated.decisions
    let start = all.partitioningIndex { time - $0.timeNanoseconds <= windowNanoseconds }
    let end = all.partitioningIndex { $0.timeNanoseconds - time > windowNanoseconds }
    guard start < end else { return [] }
    return all[start..<end].sorted { a, b in
      (abs(a.timeNanoseconds - time), a.number) < (abs(b.timeNanoseconds - time), b.number)
    }
  }

  private func spared(
    _ app: AppIndex, in decisions: [DecisionRecord]
  ) -> (DecisionRecord, SparedApp.Reason)? {
    for decision in decisions {
      if let spared = decision.spared.first(where: { $0.app == app }) {
        return (decision, spared.reason)
      }
    }
    return nil
  }

  private func rank(of app: AppIndex, in number: Int) -> Int? {
    let position = simulated.decisions.partitioningIndex { $0.number >= number }
    guard position < simulated.decisions.count, simulated.decisions[position].number == number
    else { return nil }
    return rank(of: app, in: simulated.decisions[position])
  }

  private func rank(of app: AppIndex, in decision: DecisionRecord) -> Int? {
    decision.candidates.firstIndex { $0.app == app }.map { $0 + 1 }
  }
}

extension ValidationScore {
  // MARK: Warnings

  /// Warnings to apps are compared app by app, those to the device with rounds.
  private func warningRows() -> [ValidationRow] {
    guard !observed.warnings.isEmpty else { return [] }
    let toApps = observed.warnings.filter { $0.app != .none }
    let toAll = observed.warnings.filter { $0.app == .none }
    // Of other apps the capture would not show a warning.
    let heard = Set(toApps.map(\.app))
    return warningRows(toApps, simulated.warnings.filter { heard.contains($0.app) })
      + warningRows(toAll, toAll.isEmpty ? [] : rounds())
  }

  private func warningRows(
    _ observed: [ObservedWarning], _ simulated: [SimulatedWarning]
  ) -> [ValidationRow] {
    func place(_ app: AppIndex) -> Int { app == .none ? 0 : app.position + 1 }
    let matching = OutcomeMatching(
      observed: observed.map {
        TimedOutcome(
          timeNanoseconds: $0.timeNanoseconds, key: place($0.app) * 4 + Int($0.level.rawValue))
      },
      simulated: simulated.map {
        TimedOutcome(
          timeNanoseconds: $0.timeNanoseconds, key: place($0.app) * 4 + Int($0.level.rawValue))
      },
      windowNanoseconds: windowNanoseconds)
    var rows: [ValidationRow] = []
    for (position, warning) in observed.enumerated() {
      var row = row(.observedWarning, at: warning.timeNanoseconds, warning.app, .noWarning)
      row.level = warning.level
      if let partner = matching.partners[position] {
        row.outcome = .matched
        row.offsetNanoseconds = simulated[partner].timeNanoseconds - warning.timeNanoseconds
      } else if let other = nearest(to: warning, simulated) {
        row.outcome = .otherLevel
        row.offsetNanoseconds = other.timeNanoseconds - warning.timeNanoseconds
        row.reason = other.level.name
      }
      rows.append(row)
    }
    for (position, warning) in simulated.enumerated()
    where matching.observedPartners[position] == nil {
      var row = row(.simulatedWarning, at: warning.timeNanoseconds, warning.app, .unobserved)
      row.level = warning.level
      rows.append(row)
    }
    return rows
  }

  /// The nearest warning of another level to the same app, at about the same time.
  private func nearest(
    to warning: ObservedWarning, _ simulated: [SimulatedWarning]
  ) -> SimulatedWarning? {
    let time = warning.timeNanoseconds
    let start = simulated.partitioningIndex { time - $0.timeNanoseconds <= windowNanoseconds }
    let end = simulated.partitioningIndex { $0.timeNanoseconds - time > windowNanoseconds }
    return simulated[min(start, end)..<end]
      .filter { $0.app == warning.app && $0.level != warning.level }
      .min { abs($0.timeNanoseconds - time) < abs($1.timeNanoseconds - time) }
  }

  /// Warnings of one level that follow each other closely, as one to the whole device each.
  private func rounds() -> [SimulatedWarning] {
    var rounds: [SimulatedWarning] = []
    var newest: [PressureLevel: Int64] = [:]
    for warning in simulated.warnings {
      let time = warning.timeNanoseconds
      if newest[warning.level].map({ time - $0 > Self.roundGapNanoseconds }) ?? true {
        rounds.append(
          SimulatedWarning(timeNanoseconds: time, app: .none, level: warning.level))
      }
      newest[warning.level] = time
    }
    return rounds
  }
}

extension ValidationRow.Kind {
  /// Whether only the simulation has it.
  fileprivate var isSimulated: Bool { self == .simulatedKill || self == .simulatedWarning }
}

extension SparedApp.Reason {
  /// The reason in one word.
  fileprivate var word: String { rawValue.words() }
}
