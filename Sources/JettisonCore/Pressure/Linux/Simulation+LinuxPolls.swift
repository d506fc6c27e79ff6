/// When the daemons of Linux poll, and what they see.
///
/// They poll. A poll that sees what the one before saw decides nothing, so the timer is set only
/// after something has happened, or while pressure, an average or a duration is on its way:
/// results are the same as if every poll ran.
extension Simulation {
  // MARK: Timers

  /// Sets the timer of the next poll that may decide something.
  mutating func armPoll() {
    guard let daemon = rules.model.daemon else { return }
    let always = configuration.device.pressureParameters.linux.pollsAlways
    let due = daemon.nextPoll(isDue: always || linux.stale.contains(.main), &self)
    guard due < linux.nextPoll else { return }
    linux.nextPoll = due
    timers.queue.setPoll(at: due)
  }

  /// Handles a poll that is due.
  mutating func fireLinux() {
    linux.nextPoll = .max
    linux.polls = []
    linux.lastPoll = now
    rules.model.daemon?.poll(&self)
    linux.stale.subtract(linux.polls)
    needsSettling = true
  }

  // MARK: Figures

  /// Reads the figures of all control groups.
  mutating func readFigures() {
    for node in linux.figures.indices {
      linux.figures[node] = ControlGroupFigures()
      linux.figures[node].preference = linux.preferences[node]
    }
    for position in 0..<apps.count {
      let app = AppIndex(position)
      let node = linux.tree.nodeOfApp[position]
      // Counters of a control group outlive its processes.
      linux.figures[node].scannedPages += reclaim.scannedPages(app)
      guard apps[app].state != .notRunning else { continue }
      linux.figures[node].usageBytes += apps[app].chargedBytes
      linux.figures[node].anonymousBytes += apps[app].chargedBytes
      linux.figures[node].swapBytes += apps[app].swappedBytes
      linux.figures[node].processCount += 1
    }
    linux.averagesMove = false
    for node in linux.figures.indices.reversed() {
      if node > 0 { linux.figures[linux.tree.nodes[node].parent].add(linux.figures[node]) }
      readAverage(of: node)
      linux.stalls[node].advance(to: now)
      let full = linux.stalls[node].full
      linux.figures[node].pressure10 = full.percent10
      linux.figures[node].pressure60 = full.percent60
      linux.figures[node].pressure300 = full.percent300
    }
  }

  private mutating func readAverage(of node: Int) {
    guard rules.model == .oomd else { return }
    let usage = linux.figures[node].usageBytes
    let average = ControlGroupFigures.average(after: linux.averages[node], usageBytes: usage)
    linux.averages[node] = average
    linux.figures[node].averageBytes = average
    if ControlGroupFigures.average(after: average, usageBytes: usage) != average {
      linux.averagesMove = true
    }
  }
}
