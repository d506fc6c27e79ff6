/// What a policy has not been told yet, in the order in which it happened.
@usableFromInline
struct PolicyNotes: ~Copyable {
  /// So many wait at most, however long no victim is asked for.
  private static let mostWaiting = 64

  /// Whether the policy wants to hear of events, and whether of footprints.
  var wantsEvents = false
  var wantsFootprints = false
  /// Whether the policy may hear later: ``PurgePolicy/mayHearLater``.
  var hearsLater = false
  @usableFromInline private(set) var events = Column<EngineEvent>(capacity: mostWaiting)

  init() {}

  init(copying other: borrowing PolicyNotes) {
    wantsEvents = other.wantsEvents
    wantsFootprints = other.wantsFootprints
    hearsLater = other.hearsLater
    events = Column(copying: other.events)
  }

  @usableFromInline var isEmpty: Bool { events.isEmpty }

  /// Whether a launch may follow before the policy is told.
  var mayWait: Bool {
    @inline(__always) get { events.isEmpty || (hearsLater && events.count < Self.mostWaiting) }
  }

  @inline(__always)
  mutating func append(_ event: EngineEvent) { events.append(event) }

  /// All has been told.
  @usableFromInline
  mutating func removeAll() { events.removeAll() }
}
