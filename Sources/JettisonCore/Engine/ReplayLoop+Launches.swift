/// What ``PolicySeat/takeLaunches(_:_:)`` asks of the loop.
extension ReplayLoop {
  /// Where in the window the next event is.
  @usableFromInline var placeInWindow: Int { mutating get { position - windowStart } }

  /// Launches have been taken up to a place in the window.
  ///
  /// If it holds more, or no other follows, they are over: the run goes on as all do.
  @usableFromInline
  mutating func endLaunches(at place: Int, in events: borrowing Span<TraceEvent>) {
    position = windowStart + place
    if place < events.count || position == eventCount { simulation.endLaunches() }
  }

  /// Opens a decision to free so many bytes though there is room; false: there are none to free.
  @usableFromInline
  mutating func opensForBound(_ bytes: Int64) -> Bool {
    guard bytes > 0, mayAnyGo() else { return false }
    // A policy may say anything.
    open(.bound, freeing: min(bytes, .max - simulation.availableBytes))
    return true
  }

  /// Opens a decision to free so many bytes.
  @usableFromInline
  mutating func open(_ trigger: RecordedCause, freeing bytes: Int64) {
    simulation.decision.number += 1
    simulation.counters.system.decisions += 1
    if rules.draws { simulation.counters.system.drew = true }
    request = PurgeRequest(
      timeNanoseconds: simulation.now, decision: simulation.decision.number, neededBytes: bytes,
      availableBytes: simulation.availableBytes, level: .normal, trigger: trigger)
  }

  /// Makes candidates of all who may go, without scores.
  @usableFromInline
  mutating func collectCandidates() {
    simulation.decision.candidates.removeAll()
    for position in simulation.residents.indices {
      let app = simulation.residents[position]
      guard simulation.mayGo(app) else { continue }
      simulation.addCandidate(app, simulation.apps[app])
    }
  }

  /// Purges the victim; whether the open decision needs another one.
  @usableFromInline
  mutating func endVictim() -> Bool {
    simulation.purgeLaunched(victim)
    if rules.keepsScores { kept.remove(victim) }
    let needsMore = simulation.availableBytes < request.availableBytes + request.neededBytes
    // Without the last victim the launched app would not have fitted: nothing is left to watch for. A
    // bound may free more before it comes in.
    if needsMore || rules.boundsParts {
      simulation.decision.freed.append(
        FreedVictim(app: victim, bytes: simulation.launches[victim].bytes))
    }
    return needsMore
  }
}
