/// What a policy has not been told yet, in the order in which it happened.
@usableFromInline
struct PolicyNotes: ~Copyable {
  /// Whether the policy wants to hear of events, and whether of footprints.
  var wantsEvents = false
  var wantsFootprints = false
  @usableFromInline private(set) var events = Column<EngineEvent>()

  init() {}

  init(copying other: borrowing PolicyNotes) {
    wantsEvents = other.wantsEvents
    wantsFootprints = other.wantsFootprints
    events = Column(copying: other.events)
  }

  @usableFromInline var isEmpty: Bool { events.isEmpty }

  @inline(__always)
  mutating func append(_ event: EngineEvent) { events.append(event) }

  /// All has been told.
  @usableFromInline
  mutating func removeAll() { events.removeAll() }
}
