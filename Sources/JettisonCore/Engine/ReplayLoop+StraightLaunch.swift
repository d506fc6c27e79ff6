/// Launches on the textbook cache among plain apps (``Simulation/launchesStraight(_:)``), one after the other.
///
/// Nothing but the launch waits to be settled then: there are no limits, no levels and no warnings.
/// So what settling comes to is written out here, for policies that find victims one by one.
extension ReplayLoop {
  /// Takes launches as long as they are straight; nil: the next event is not, or is in another window, and
  /// the policy has heard of all.
  @usableFromInline
  mutating func launchStraight(_ events: borrowing Span<TraceEvent>) throws(RunError) -> Stop? {
    guard simulation.beginsStraight() else { return toldAll() }
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
        if simulation.notes.mayWait { continue }
        position = windowStart + place
        return .notes
      case .suspended where !rules.boundsParts:
        if simulation.notes.mayWait {
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
        guard simulation.beginsStraight() else { return toldAll() }
      }
    }
    position = windowStart + place
    return toldAll()
  }

  /// What is left to do before anything but a straight launch follows.
  @inline(__always)
  private mutating func toldAll() -> Stop? { simulation.notes.isEmpty ? nil : .notes }

  /// Makes room for the app that is launched, which lies just before ``position``.
  private mutating func makeRoom(for app: AppIndex) throws(RunError) -> Stop? {
    simulation.arrival.waiting = app
    if simulation.apps[app].state != .notRunning { simulation.changes.add(app) }
    simulation.instant.position = position - 1
    simulation.instant.demand = LaunchDemand(end: position - 1)
    return rules.findsOneByOne ? try beginStraight(isPlain: true) : try beginSettling()
  }

  // MARK: Room

  /// Whether room is made as below.
  var makesRoomStraight: Bool {
    @inline(__always) mutating get { simulation.goesStraight && rules.findsOneByOne }
  }

  /// Begins with a launch that waits for room.
  ///
  /// - Parameter isPlain: Whether all apps in it are; others may come in with another size, which a
  ///   policy that hears later would take for that of before.
  @inline(__always)
  mutating func beginStraight(isPlain: Bool) throws(RunError) -> Stop? {
    simulation.beginMakingRoom()
    step = .makeRoom
    let mayGoOn = isPlain ? simulation.notes.mayWait : simulation.notes.isEmpty
    return mayGoOn ? try askForRoom() : .notes
  }

  /// Goes on with the launch that waits for room; nil: the app is in.
  @usableFromInline
  mutating func goStraight() throws(RunError) -> Stop? {
    switch step {
    case .makeRoom: return try askForRoom()
    case .evict:
      if victim == .none { return try closeStraight() }
      return simulation.notes.wantsEvents ? tellPurge() : try evict()
    case .endEvicted: return try evict()
    case .meetBound:
      guard overflowBytes > 0 else { return try letIn(simulation.pendingBytes) }
      // Rare: decisions about a bound go the way of all others.
      simulation.watchFreed()
      step = .openBound
      return try settle()
    default: return try settle()
    }
  }

  /// Asks for a victim, if the launched app does not fit.
  private mutating func askForRoom() throws(RunError) -> Stop? {
    simulation.decision.openNumber = nil
    let bytes = simulation.pendingBytes
    if let open = simulation.openForRoom(bytes) {
      begin(open)
      step = .evict
      return .victim
    }
    guard rules.boundsParts else { return try letIn(bytes) }
    step = .meetBound
    return .bound
  }

  /// Evicts the victim that is named, and goes on until there is room or another one is to be named.
  private mutating func evict() throws(RunError) -> Stop? {
    while true {
      simulation.evict(victim, for: open)
      let knowsNext = forgetEvicted()
      if simulation.isDone(open) { return try closeStraight() }
      step = .evict
      guard knowsNext else { return .victim }
      victim = kept.first()
      if victim == .none { return try closeStraight() }
      if simulation.notes.wantsEvents { return tellPurge() }
    }
  }

  /// Forgets the victim, where scores are kept; whether the scores of the others are those of now:
  /// nothing else has happened.
  @inline(__always)
  private mutating func forgetEvicted() -> Bool {
    guard rules.keepsScores, simulation.changes.takeOnly(victim) else { return false }
    kept.remove(victim)
    #if DEBUG
      // The policy is asked all the same, so that the victim is checked.
      return false
    #else
      return true
    #endif
  }

  /// The policy hears of the purge before it happens.
  private mutating func tellPurge() -> Stop {
    step = .endEvicted
    purge = EngineEvent(.ended, app: victim, at: simulation.now, endCause: .purge)
    return .purge
  }

  /// Hands out the purge of the victim that was just named, for a policy that hears of it at once;
  /// nil: it is told as others are.
  @usableFromInline
  mutating func takePurge() -> EngineEvent? {
    guard step == .evict, victim != .none else { return nil }
    _ = tellPurge()
    return purge
  }

  /// All victims are gone: whether there is room is looked at anew.
  ///
  /// Whether they had to go shows when the app is in.
  @inline(__always)
  private mutating func closeStraight() throws(RunError) -> Stop? {
    simulation.decision.availableAfter = simulation.availableBytes
    step = .makeRoom
    return simulation.notes.mayWait ? try askForRoom() : .notes
  }

  /// There is room: the launched app comes in.
  @inline(__always)
  private mutating func letIn(_ bytes: Int64) throws(RunError) -> Stop? {
    if let failure = simulation.insertPending(bytes, appNames) { throw failure }
    simulation.endMakingRoom()
    #if DEBUG
      simulation.checkInvariants()
    #endif
    if let failure = simulation.failure(appNames) { throw failure }
    step = .events
    return simulation.notes.mayWait ? nil : .notes
  }
}
