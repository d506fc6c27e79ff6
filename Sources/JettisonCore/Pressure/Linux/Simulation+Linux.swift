/// The killers of Linux in a run: the kernel's at once, the daemons' when they poll
/// (<doc:LinuxModels>).
extension Simulation {
  // MARK: Stalls

  /// An app waits for memory.
  mutating func linuxStalled(_ app: AppIndex, for nanoseconds: Int64) {
    guard !linux.stalls.isEmpty else { return }
    var node = linux.tree.nodeOfApp[app.position]
    while true {
      linux.stalls[node].stall(app, for: nanoseconds, at: now)
      guard node > 0 else { return }
      node = linux.tree.nodes[node].parent
    }
  }

  /// An app began or ceased to run code.
  mutating func linuxRunningChanged(_ app: AppIndex) {
    guard !linux.stalls.isEmpty else { return }
    let runs = apps[app].state.runsCode
    var node = linux.tree.nodeOfApp[app.position]
    while true {
      linux.stalls[node].setRunning(app, runs, at: now)
      guard node > 0 else { return }
      node = linux.tree.nodes[node].parent
    }
  }

  /// The next victim, or nil: called until nothing more is due.
  mutating func openLinux() -> OpenDecision? {
    if let open = openRestOfUnit() ?? openKernel() { return open }
    if linux.polls.isEmpty {
      linux.stale = [.main, .swap]
    } else if let open = rules.model.daemon?.open(&self) {
      // A death changes what the next poll sees.
      linux.stale = [.main, .swap]
      return open
    }
    linux.polls = []
    armPoll()
    return nil
  }

  // MARK: The kernel

  /// An allocation does not fit although everything that can be was reclaimed.
  private mutating func openKernel() -> OpenDecision? {
    guard availableBytes < 0 else { return nil }
    _ = swapOut(target: 0)
    guard availableBytes < 0 else { return nil }
    let taker =
      configuration.device.pressureParameters.linux.killsAllocatingTask
      ? linux.lastTaker : .none
    let isTakerMortal = taker != .none && apps[taker].state != .notRunning && mayBeKilled(taker)
    collectEligible { app, _ in !isTakerMortal || app == taker }
    dropSpared(honoursOmit: false)
    guard !decision.candidates.isEmpty else {
      recordNoVictim(trigger: .oomKill, target: 0)
      return nil
    }
    rankByBadness()
    noteWholeGroups()
    let open = openDecision(.anyone, .oomKill, target: 0, one: true)
    apps.ranks.rankedDecision = decision.number
    return open
  }

  /// An app in a control group that ends as a whole takes the other members along.
  private mutating func noteWholeGroups() {
    guard !configuration.device.pressureParameters.linux.wholeGroups.isEmpty else { return }
    for position in linux.unitOfApp.indices { linux.unitOfApp[position] = -1 }
    for position in decision.candidates.indices {
      let app = decision.candidates[position].app.position
      guard let group = linux.tree.whole(around: linux.tree.nodeOfApp[app]) else { continue }
      linux.unitOfApp[app] = Int32(group)
      linux.unitTrigger = .oomKill
    }
  }

  /// The kernel's own order, also where a daemon's policy decides otherwise.
  private mutating func rankByBadness() {
    let device = configuration.device
    let badness = KernelPoints(
      ramBytes: device.ramBytes, swapBytes: reclaim.rules.swapBytes, pageBytes: device.pageBytes,
      device.pressureParameters.linux)
    var order: [(app: AppIndex, points: Int64)] = []
    for position in decision.candidates.indices {
      let app = decision.candidates[position].app
      order.append((app, badness.points(of: app, apps) ?? .min))
    }
    for entry in order {
      let ahead = order.count { $0.points > entry.points }
      apps.ranks.places[entry.app.position] = Int32(ahead)
    }
  }

  mutating func mayBeKilled(_ app: AppIndex) -> Bool {
    apps.oomScoreAdjustment(app) > KernelBadness.never
  }

  /// No killer ends a task whose `oom_score_adj` is -1000, and no daemon one that it must omit.
  mutating func dropSpared(honoursOmit: Bool) {
    var kept = 0
    for position in decision.candidates.indices {
      let candidate = decision.candidates[position]
      let profile = apps.profiles[candidate.app.position]
      guard mayBeKilled(candidate.app), !honoursOmit || profile.killPreference != .omit else {
        continue
      }
      decision.candidates[kept] = candidate
      kept += 1
    }
    while decision.candidates.count > kept { _ = decision.candidates.removeLast() }
  }

  // MARK: Control groups

  /// Opens a decision about whole control groups, best first; nil: none of them can go.
  ///
  /// The policy chooses one app of them, and the rest of its control group follows.
  mutating func openUnits(_ units: [Int], _ trigger: RecordedCause) -> OpenDecision? {
    for position in linux.unitOfApp.indices {
      linux.unitOfApp[position] = -1
      apps.ranks.places[position] = -1
    }
    for (rank, unit) in units.enumerated() {
      for position in 0..<residents.count {
        let app = residents[position].position
        guard linux.unitOfApp[app] < 0, linux.tree.contains(unit, linux.tree.nodeOfApp[app])
        else { continue }
        linux.unitOfApp[app] = Int32(unit)
        apps.ranks.places[app] = Int32(rank)
      }
    }
    collectUnit(nil)
    guard !decision.candidates.isEmpty else { return nil }
    linux.unitTrigger = trigger
    let open = openDecision(.anyone, trigger, target: availableBytes, one: true)
    apps.ranks.rankedDecision = decision.number
    return open
  }

  /// Apps in the control group of the victim follow it.
  private mutating func openRestOfUnit() -> OpenDecision? {
    guard let trigger = linux.unitTrigger else { return nil }
    linux.unitTrigger = nil
    var unit: Int32 = -1
    for position in linux.unitOfApp.indices
    where linux.unitOfApp[position] >= 0 && apps.records[position].state == .notRunning {
      unit = linux.unitOfApp[position]
    }
    guard unit >= 0 else { return nil }
    for position in linux.unitOfApp.indices where linux.unitOfApp[position] != unit {
      linux.unitOfApp[position] = -1
    }
    collectUnit(unit)
    if trigger == .oomKill { dropSpared(honoursOmit: false) }
    guard !decision.candidates.isEmpty else { return nil }
    linux.unitTrigger = trigger
    // No target is high enough: all of them go.
    return openDecision(.anyone, trigger, target: configuration.device.ramBytes, one: false)
  }

  /// Makes candidates of the apps of a control group, or of all that are meant.
  private mutating func collectUnit(_ unit: Int32?) {
    collectEligible { _, _ in true }
    var kept = 0
    for position in decision.candidates.indices {
      let candidate = decision.candidates[position]
      let own = linux.unitOfApp[candidate.app.position]
      guard own >= 0, unit == nil || own == unit else { continue }
      decision.candidates[kept] = candidate
      kept += 1
    }
    while decision.candidates.count > kept { _ = decision.candidates.removeLast() }
  }
}
