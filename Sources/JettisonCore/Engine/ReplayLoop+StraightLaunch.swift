/// Launches on the textbook cache among plain apps (``Simulation/launchesStraight(_:)``), one after the other.
///
/// Nothing but the launch waits to be settled then: there are no limits, no levels and no warnings.
/// So what settling comes to is written out here, for policies that find victims one by one.
extension ReplayLoop {
  /// Takes launches as long as they are straight; nil: the next event is not, or is in another window.
  @usableFromInline
  mutating func launchStraight(_ events: borrowing Span<TraceEvent>) throws(RunError) -> Stop? {
    guard simulation.beginsStraight() else { return nil }
    var place = position - windowStart
    let end = min(events.count, cursor.nextPosition - windowStart)
    while place < end {
      #if DEBUG
        simulation.checkInvariants(isSettled: false)
      #endif
      let event = events[place]
      let app = event.app
      guard event.kind == .launch, simulation.launchesStraight(app) else { break }
      place += 1
      simulation.advanceStraight(to: event.timeNanoseconds)
      switch simulation.beginStraightLaunch(app) {
      case .active:
        if simulation.notes.isEmpty { continue }
        position = windowStart + place
        return .notes
      case .suspended where !rules.boundsParts:
        if simulation.notes.isEmpty {
          simulation.arrivePlain(app)
          continue
        }
        // A policy that listens is told before the app is there.
        simulation.arrival.letIn = app
        step = .arrive
        position = windowStart + place
        return .notes
      default:
        position = windowStart + place
        if let stop = try makeRoom(for: app) { return stop }
        guard simulation.beginsStraight() else { return nil }
      }
    }
    position = windowStart + place
    return nil
  }

  /// Makes room for the app that is launched, which lies just before ``position``.
  private mutating func makeRoom(for app: AppIndex) throws(RunError) -> Stop? {
    simulation.arrival.waiting = app
    simulation.instant.position = position - 1
    simulation.instant.demand = LaunchDemand(end: position - 1)
    return rules.findsOneByOne ? try beginStraight() : try beginSettling()
  }

  // MARK: Room

  /// Whether room is made as below.
  var makesRoomStraight: Bool {
    @inline(__always) mutating get { simulation.goesStraight && rules.findsOneByOne }
  }

  /// Begins with a launch that waits for room.
  @inline(__always)
  mutating func beginStraight() throws(RunError) -> Stop? {
    simulation.beginMakingRoom()
    step = .makeRoom
    return simulation.notes.isEmpty ? try goStraight() : .notes
  }

  /// Goes on with the launch that waits for room; nil: the app is in.
  @usableFromInline
  mutating func goStraight() throws(RunError) -> Stop? {
    while true {
      switch step {
      case .makeRoom:
        if let open = simulation.openForRoom() {
          begin(open)
          step = .evict
          return .victim
        }
        guard rules.boundsParts else { return try letIn() }
        step = .meetBound
        return .bound
      case .evict:
        guard victim != .none else {
          if let stop = closeStraight() { return stop }
          continue
        }
        step = .endEvicted
        guard simulation.notes.wantsEvents else { continue }
        purge = EngineEvent(.ended, app: victim, at: simulation.now, endCause: .purge)
        return .purge
      case .endEvicted:
        simulation.evict(victim, for: open)
        step = .evict
        guard simulation.isDone(open) else { return .victim }
        if let stop = closeStraight() { return stop }
      case .meetBound:
        guard overflowBytes > 0 else { return try letIn() }
        // Rare: decisions about a bound go the way of all others.
        simulation.watchFreed()
        step = .openBound
        return try settle()
      default: return try settle()
      }
    }
  }

  /// All victims are gone: whether there is room is looked at anew.
  ///
  /// Whether they had to go shows when the app is in.
  @inline(__always)
  private mutating func closeStraight() -> Stop? {
    simulation.decision.availableAfter = simulation.availableBytes
    step = .makeRoom
    return simulation.notes.isEmpty ? nil : .notes
  }

  /// There is room: the launched app comes in.
  @inline(__always)
  private mutating func letIn() throws(RunError) -> Stop? {
    if let failure = simulation.insertPending(appNames) { throw failure }
    simulation.endMakingRoom()
    #if DEBUG
      simulation.checkInvariants()
    #endif
    if let failure = simulation.failure(appNames) { throw failure }
    step = .events
    return simulation.notes.isEmpty ? nil : .notes
  }
}
