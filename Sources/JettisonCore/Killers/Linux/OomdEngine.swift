/// oomd's engine: checks all detectors every tick, and hands out the kills of rulesets that fire.
///
/// One tick is `tick`, then `nextKill` and `finish` until there is no kill left
/// (<doc:LinuxModels#oomd>).
struct OomdEngine: Sendable {
  /// Time between two ticks, in nanoseconds.
  let tickNanoseconds: Int64

  /// A kill that is due, and where it stands.
  struct DueKill: Sendable {
    let ruleset: Int
    let action: Int
    let kill: OomdConfiguration.Kill
    /// The control groups that it names.
    let peers: [Int]
    /// Pages scanned at the poll before, where the ranking needs them.
    let scannedBefore: [Int64]
  }

  fileprivate struct DetectorState: Sendable {
    let detector: OomdConfiguration.Detector
    let groups: [Int]
    /// Start of the stretch in which its threshold is passed; nil: it is not.
    var since: Int64?
    var pressure10Before: Double = 100
    var scannedBefore: Int64 = 0
    var reclaimedAt: Int64?
  }

  private struct ActionState: Sendable {
    let action: OomdConfiguration.Action
    let groups: [Int]
    /// Pages scanned when the kill by scans took its first sample.
    var sample: [Int64]?
  }

  private struct RulesetState: Sendable {
    let delayNanoseconds: Int64
    var detectorGroups: [[DetectorState]]
    var actions: [ActionState]
    /// The action to try next in this tick; nil: none is.
    var next: Int?
    /// The action to resume at in the next tick.
    var resumes: Int?
    var pausedUntil = Int64.min
  }

  private var rulesets: [RulesetState]
  private var figures: [ControlGroupFigures] = []
  private var machine = MachineFigures()
  /// Number of the newest tick.
  private var tick: Int64 = 0
  /// Whether averages of usage decide anything.
  let usesAverages: Bool
  private let needsRisingPressure: Bool

  init(
    _ configuration: OomdConfiguration, tree: ControlGroupTree,
    tickNanoseconds: Int64 = 5_000_000_000
  ) {
    self.tickNanoseconds = tickNanoseconds
    rulesets = configuration.rulesets.map { ruleset in
      RulesetState(
        delayNanoseconds: ruleset.postActionDelayNanoseconds,
        detectorGroups: ruleset.detectorGroups.map { group in
          group.detectors.map {
            DetectorState(detector: $0, groups: tree.matches($0.groupPatterns))
          }
        },
        actions: ruleset.actions.map { action in
          guard case .kill(let kill) = action else {
            return ActionState(action: action, groups: [])
          }
          return ActionState(action: action, groups: tree.matches(kill.groups))
        })
    }
    let kills = rulesets.flatMap(\.actions).compactMap { $0.action.kill }
    usesAverages = kills.contains { $0.ranking.usesAverages }
    needsRisingPressure = rulesets.flatMap(\.detectorGroups).joined().contains {
      $0.detector.isRisingPressure
    }
  }

  // MARK: A tick

  /// Checks everything; `figures` are by node of the tree.
  ///
  /// All detectors of all groups are asked, also where the outcome is clear: they keep state. Ticks
  /// may be skipped while ``isSettled(at:)``.
  mutating func tick(
    at time: Int64, figures: [ControlGroupFigures], machine: MachineFigures
  ) {
    self.figures = figures
    self.machine = machine
    let now = time / tickNanoseconds
    let isLate = now > tick + 1
    tick = now
    for position in rulesets.indices {
      var fires = false
      for group in rulesets[position].detectorGroups.indices {
        var all = true
        for detector in rulesets[position].detectorGroups[group].indices {
          if isLate { rulesets[position].detectorGroups[group][detector].pressure10Before = 0 }
          let says = Self.ask(
            &rulesets[position].detectorGroups[group][detector], at: time, figures, machine)
          all = all && says
        }
        fires = fires || all
      }
      let mayAct = time >= rulesets[position].pausedUntil
      rulesets[position].next =
        rulesets[position].resumes ?? (fires && mayAct ? 0 : nil)
      rulesets[position].resumes = nil
    }
  }

  /// The next kill to try in this tick; nil: none is left.
  mutating func nextKill() -> DueKill? {
    for position in rulesets.indices {
      while let next = rulesets[position].next {
        guard next < rulesets[position].actions.count else {
          rulesets[position].next = nil
          continue
        }
        let state = rulesets[position].actions[next]
        guard case .kill(let kill) = state.action else {
          rulesets[position].next = nil
          continue
        }
        if kill.ranking == .pageScans, state.sample == nil {
          sample(position, next)
          continue
        }
        return DueKill(
          ruleset: position, action: next, kill: kill, peers: state.groups,
          scannedBefore: state.sample ?? [])
      }
    }
    return nil
  }

  /// The first tick only samples; the ruleset goes on at this action in the next one.
  private mutating func sample(_ ruleset: Int, _ action: Int) {
    rulesets[ruleset].actions[action].sample = figures.map(\.scannedPages)
    rulesets[ruleset].resumes = action
    rulesets[ruleset].next = nil
  }

  /// The order in which the control groups of a kill are taken, best first.
  func order(of due: DueKill, tree: ControlGroupTree) -> [Int] {
    OomdRanking(
      kind: due.kill.ranking, machine: machine, scannedBefore: due.scannedBefore
    ).order(due.peers, figures: figures, tree: tree, recursive: due.kill.isRecursive)
  }

  /// A kill was tried: a success ends the ruleset's actions and lets it rest, unless it says
  /// otherwise; after a failure the next action follows.
  mutating func finish(_ due: DueKill, killed: Bool, at time: Int64) {
    rulesets[due.ruleset].actions[due.action].sample = nil
    guard killed, !due.kill.alwaysContinues else {
      rulesets[due.ruleset].next = due.action + 1
      return
    }
    rulesets[due.ruleset].next = nil
    let delay = due.kill.postActionDelayNanoseconds ?? rulesets[due.ruleset].delayNanoseconds
    rulesets[due.ruleset].pausedUntil = time.addingSaturated(delay)
  }

  // MARK: Leaving ticks out

  /// Whether further ticks change nothing as long as the figures stay as they were at the last one
  /// and pressure does not rise.
  func isSettled(at time: Int64) -> Bool {
    rulesets.allSatisfy { ruleset in
      ruleset.resumes == nil && time >= ruleset.pausedUntil
        && ruleset.detectorGroups.joined().allSatisfy { $0.isSettled(at: time, figures) }
    } && (!needsRisingPressure || figures.allSatisfy { $0.pressure10 == 0 })
  }

  // MARK: Detectors

  private static func ask(
    _ state: inout DetectorState, at time: Int64, _ figures: [ControlGroupFigures],
    _ machine: MachineFigures
  ) -> Bool {
    switch state.detector {
    case .pressureAbove(_, let resource, let percent, let duration):
      let felt = resource == .memory ? pressure(state.groups, figures).ten : 0
      return state.holds(felt > percent, for: duration, at: time)
    case .pressureRisingBeyond(_, let resource, let percent, let duration, let ratio):
      let felt = resource == .memory ? pressure(state.groups, figures) : (ten: 0, sixty: 0)
      defer { state.pressure10Before = felt.ten }
      let holds = state.holds(felt.sixty > percent, for: duration, at: time)
      return holds && felt.ten > percent && felt.ten >= state.pressure10Before * ratio
    case .memoryAbove(_, let size, let isAnonymous, let duration):
      let used =
        state.groups
        .map { isAnonymous ? figures[$0].anonymousBytes : figures[$0].usageBytes }.max() ?? 0
      return state.holds(Double(used) > size.bytes(of: machine.ramBytes), for: duration, at: time)
    case .memoryReclaim(_, let duration):
      let scanned = state.groups.reduce(into: Int64(0)) {
        $0 = $0.addingSaturated(figures[$1].scannedPages)
      }
      if scanned > state.scannedBefore { state.reclaimedAt = time }
      state.scannedBefore = scanned
      return state.reclaimedAt.map { time - $0 <= duration } ?? false
    case .swapFree(let percent, let rate):
      let least = Double(machine.swapTotalBytes) * percent / 100
      return Double(machine.swapFreeBytes) < least && machine.swapOutBytesPerSecond >= rate
    case .exists(_, let negate):
      return state.groups.contains { figures[$0].processCount > 0 } != negate
    case .constant(let says):
      return says
    }
  }

  /// Pressure of the control group that is weighed heaviest.
  private static func pressure(
    _ groups: [Int], _ figures: [ControlGroupFigures]
  ) -> (ten: Double, sixty: Double) {
    var heaviest = ControlGroupFigures()
    for group in groups where figures[group].weightedPressure > heaviest.weightedPressure {
      heaviest = figures[group]
    }
    return (heaviest.pressure10, heaviest.pressure60)
  }
}

extension OomdEngine.DetectorState {
  /// Whether a condition has held without a break for a duration.
  fileprivate mutating func holds(_ condition: Bool, for duration: Int64, at time: Int64) -> Bool {
    guard condition else {
      since = nil
      return false
    }
    let begin = since ?? time
    since = begin
    return time - begin >= duration
  }

  /// Whether its answer cannot become yes by time alone, and no stretch can break unseen.
  fileprivate func isSettled(at time: Int64, _ figures: [ControlGroupFigures]) -> Bool {
    switch detector {
    case .pressureAbove, .pressureRisingBeyond: since == nil
    case .memoryAbove(_, _, _, let duration): since.map { time - $0 >= duration } ?? true
    case .memoryReclaim, .swapFree, .exists, .constant: true
    }
  }
}

extension OomdConfiguration.Detector {
  /// The control groups that it is about.
  fileprivate var groupPatterns: String {
    switch self {
    case .pressureAbove(let groups, _, _, _), .pressureRisingBeyond(let groups, _, _, _, _),
      .memoryAbove(let groups, _, _, _), .memoryReclaim(let groups, _), .exists(let groups, _):
      groups
    case .swapFree, .constant: ""
    }
  }

  fileprivate var isRisingPressure: Bool {
    if case .pressureRisingBeyond = self { true } else { false }
  }
}

extension OomdConfiguration.Action {
  fileprivate var kill: OomdConfiguration.Kill? {
    if case .kill(let kill) = self { kill } else { nil }
  }
}

extension OomdConfiguration.Ranking {
  fileprivate var usesAverages: Bool {
    if case .memorySizeOrGrowth = self { true } else { false }
  }
}
