/// Launches on the textbook cache that have to make room, where victims are found one by one.
///
/// Nothing but the launch waits to be settled then: there are no limits, no levels and no warnings.
/// So what settling comes to is written out here.
extension ReplayLoop {
  /// Whether launches that wait for room go this way.
  @inline(__always)
  var isStraight: Bool {
    mutating get { simulation.goesStraight && rules.findsOneByOne }
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
        _ = simulation.end(victim, for: open, emptiedBytes: 0)
        step = .evict
        guard simulation.isDone(open) else { return .victim }
        if let stop = closeStraight() { return stop }
      case .meetBound:
        guard overflowBytes > 0 else { return try letIn() }
        // Rare: decisions about a bound go the way of all others.
        step = .openBound
        return try settle()
      default: return try settle()
      }
    }
  }

  /// All victims are gone: whether there is room is looked at anew.
  @inline(__always)
  private mutating func closeStraight() -> Stop? {
    simulation.closeDecision()
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
