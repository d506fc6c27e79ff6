internal import JettisonModel

/// The layout of ``TraceEvent`` in plain numbers: every bit pattern is a value.
struct RawEvent: BitwiseCopyable {
  var time: Int64
  var value: Int64
  var app: UInt32
  var slot: UInt32
  var detail: UInt32
  var kind: UInt8
  var flags: UInt8
  var padding: UInt16
}

/// Checks records of a binary trace by the same rules as rows of a text trace, with slots in the
/// place of ids.
///
/// Budget: 15 ns per event.
struct EventChecker {
  /// The apps of the trace, ascending.
  struct Apps {
    var names: [String]
  }

  /// The details of the trace; number 0 is the empty one.
  struct Details {
    var kinds: [UInt8] = [0]
    var texts: [String] = [""]
    var values = [EventDetail()]
  }

  /// Which slots are taken, by whom: the generation number of the app that holds them.
  ///
  /// Ending a generation frees its slots at once, without touching them.
  struct Slots {
    private var holders: [UInt32] = []
    /// One more than the largest slot.
    var count: Int { holders.count }

    /// Gives a slot to a generation; false if a live one holds it, or if slots were left out.
    mutating func take(_ slot: UInt32, _ generation: UInt32, _ isLive: [Bool]) -> Bool {
      if Int(slot) == holders.count {
        holders.append(generation)
        return true
      }
      guard Int(slot) < holders.count, !isLive[Int(holders[Int(slot)])] else { return false }
      holders[Int(slot)] = generation
      return true
    }

    func isHeld(_ slot: UInt32, by generation: UInt32) -> Bool {
      Int(slot) < holders.count && holders[Int(slot)] == generation
    }

    mutating func free(_ slot: UInt32) {
      holders[Int(slot)] = 0
    }
  }

  let apps: Apps
  let details: Details
  private(set) var blocks = Slots()
  private(set) var tasks = Slots()
  /// Number of `alloc` and `task-begin` events.
  private(set) var idCount = 0
  /// The detail that must be used first next: details are numbered by first use.
  private var nextDetail: UInt32 = 1
  private var rules = TraceRules()
  private let kinds = EventKind.allCases
  /// Generation of each app, from 1; 0: none yet.
  private var generations: [UInt32]
  /// Whether a generation may hold slots.
  ///
  /// Generation 0 never does.
  private var isLive = [false]

  init(apps: Apps, details: Details) {
    self.apps = apps
    self.details = details
    generations = Array(repeating: 0, count: apps.names.count)
    for _ in apps.names { rules.addApp() }
  }

  mutating func check(_ event: RawEvent) throws(TraceFault) {
    guard Int(event.kind) < kinds.count, event.padding == 0 else { throw .unknownNumber(.event) }
    let kind = kinds[Int(event.kind)]
    let flags = EventFlags(rawValue: event.flags)
    guard flags.isSubset(of: [.hasValue, .hasID]) else { throw .unknownNumber(.event) }
    let hasValue = flags.contains(.hasValue)
    guard hasValue || event.value == 0 else { throw .unexpected(.value, kind) }
    guard Int(event.detail) < details.kinds.count,
      event.detail == 0 || details.kinds[Int(event.detail)] == event.kind
    else { throw .unknownNumber(.detail) }
    if event.detail >= nextDetail {
      guard event.detail == nextDetail else { throw .unknownNumber(.detail) }
      nextDetail += 1
    }
    let hasID = flags.contains(.hasID)
    let change = try rules.check(
      kind, time: event.time, app: event.app == .max ? nil : event.app,
      value: hasValue ? event.value : nil, hasID: hasID, detail: details.values[Int(event.detail)])
    if change != .none { try apply(change, event.app) }
    if hasID {
      try checkSlot(kind, event)
    } else if event.slot != 0 {
      throw .unexpected(.id, kind)
    }
  }

  /// Whether every app and every detail has a row, as the builder sees to.
  var isComplete: Bool {
    Int(nextDetail) == details.texts.count && rules.isUsed.allSatisfy { $0 }
  }

  private mutating func apply(_ change: LifeChange, _ app: UInt32) throws(TraceFault) {
    switch change {
    case .none, .endsObserved: break
    case .begins:
      end(app)
      guard isLive.count < Int(UInt32.max) else {
        throw .tooMany(.event, what: "lives", limit: Int(UInt32.max))
      }
      generations[Int(app)] = UInt32(isLive.count)
      isLive.append(true)
    case .ends: end(app)
    case .boot:
      for app in rules.bootList { end(app) }
      rules.finishBoot()
    }
  }

  private mutating func end(_ app: UInt32) {
    isLive[Int(generations[Int(app)])] = false
  }

  private mutating func checkSlot(_ kind: EventKind, _ event: RawEvent) throws(TraceFault) {
    let generation = generations[Int(event.app)]
    let slot = event.slot
    switch kind {
    case .alloc:
      guard blocks.take(slot, generation, isLive) else { throw .idInUse(Int64(slot), kind) }
      idCount += 1
    case .taskBegin:
      guard tasks.take(slot, generation, isLive) else { throw .idInUse(Int64(slot), kind) }
      idCount += 1
    case .taskEnd:
      guard tasks.isHeld(slot, by: generation) else { throw .idUnknown(Int64(slot), kind) }
      tasks.free(slot)
    default:
      guard blocks.isHeld(slot, by: generation) else { throw .idUnknown(Int64(slot), kind) }
      if kind == .free { blocks.free(slot) }
    }
  }
}
