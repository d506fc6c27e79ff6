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

extension RawEvent {
  /// An event whose kind may be a number that none has.
  init(_ event: TraceEvent, kind: UInt8) {
    time = event.timeNanoseconds
    value = event.value
    app = event.app.rawValue
    slot = event.slot
    detail = event.detail
    self.kind = kind
    flags = event.flags.rawValue
    padding = 0
  }
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

  /// Which slots are taken.
  ///
  /// Ending a generation frees its slots at once, without touching them.
  struct Slots {
    /// Number of the generation that holds each slot; 0: none.
    ///
    /// From ``count`` on, free room.
    fileprivate var holders: [UInt32] = []
    /// One more than the largest slot.
    fileprivate(set) var count = 0

    /// Makes room for so many more slots.
    mutating func reserve(_ more: Int) {
      let missing = count + more - holders.count
      if missing > 0 {
        holders.append(contentsOf: repeatElement(0, count: max(missing, holders.count)))
      }
    }

    /// Gives a slot to a generation; false if a live one holds it, or if slots were skipped.
    mutating func take(_ slot: UInt32, _ generation: UInt32, _ isLive: [Bool]) -> Bool {
      if Int(slot) == count {
        reserve(1)
        count += 1
      }
      guard Int(slot) < count, !isLive[Int(holders[Int(slot)])] else { return false }
      holders[Int(slot)] = generation
      return true
    }

    func isHeld(_ slot: UInt32, by generation: UInt32) -> Bool {
      Int(slot) < count && holders[Int(slot)] == generation
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
  private(set) var rules = TraceRules()
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
      try checkSlot(kind, app: event.app, slot: event.slot)
    } else if event.slot != 0 {
      throw .unexpected(.id, kind)
    }
  }

  /// Checks what an event whose columns are right does to lives and slots, and books it.
  ///
  /// - Parameters:
  ///   - time: Its time, or any above 0 if it isn't 0.
  ///   - slot: Its slot; nil: none.
  mutating func book(
    _ kind: EventKind, time: Int64, app: UInt32, slot: UInt32?, detail: UInt32
  ) throws(TraceFault) {
    let detail = details.values[Int(detail)]
    let change = try rules.book(kind, time: time, app: app, value: 0, detail: detail)
    if change != .none { try apply(change, app) }
    if let slot { try checkSlot(kind, app: app, slot: slot) }
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

  /// Adds bytes to those of all events; false: there are too many.
  mutating func addBytes(_ bytes: Int64) -> Bool {
    do throws(TraceFault) {
      try rules.addBytes(bytes)
      return true
    } catch {
      return false
    }
  }

  private mutating func end(_ app: UInt32) {
    isLive[Int(generations[Int(app)])] = false
  }

  private mutating func checkSlot(
    _ kind: EventKind, app: UInt32, slot: UInt32
  ) throws(TraceFault) {
    let generation = generations[Int(app)]
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

// MARK: - Allocations in a row

extension EventChecker {
  /// A place in columns of events.
  struct Place {
    var row = 0
    /// Position among the events with an app.
    var app = 0
    /// Position among the events with an id.
    var slot = 0
  }

  /// Checks `alloc`, `realloc` and `free` events up to the first of another kind; false if one of
  /// them is wrong.
  ///
  /// Goes without branches on the kind, which can't be predicted. Budget: 3 ns per event.
  mutating func bookAllocations(
    _ codes: Span<UInt8>, _ apps: Span<UInt32>, _ slots: Span<UInt32>, _ place: inout Place
  ) -> Bool {
    blocks.reserve(codes.count - place.row)
    var slotHolders: [UInt32] = []
    swap(&slotHolders, &blocks.holders)
    var holders = slotHolders.mutableSpan
    var count = UInt32(truncatingIfNeeded: blocks.count)
    let last = UInt32(truncatingIfNeeded: holders.count - 1)
    var wrong: UInt32 = 0
    while place.row < codes.count {
      let kind = codes[place.row] & EventCode.kindMask
      guard kind &- EventKind.alloc.rawValue <= 2 else { break }
      let app = Int(apps[place.app])
      let slot = slots[place.slot]
      let generation = generations[app]
      let isAlloc: UInt32 = kind == EventKind.alloc.rawValue ? 1 : 0
      // Slots are numbered in the order of their first use. There is room for as many as there
      // are events, so nothing wraps.
      count &+= isAlloc & (slot == count ? 1 : 0)
      let holder = holders[Int(min(slot, last))]
      let isVacant: UInt32 = isLive[Int(holder)] ? 0 : 1
      let isOwn: UInt32 = holder == generation ? 1 : 0
      wrong |= (isAlloc & ~isVacant) | ((isAlloc ^ 1) & ~isOwn)
      wrong |= slot < count && rules.isAlive(app) ? 0 : 1
      holders[Int(min(slot, last))] = kind == EventKind.free.rawValue ? 0 : generation
      place.row += 1
      place.app += 1
      place.slot += 1
    }
    blocks.count = Int(count)
    swap(&slotHolders, &blocks.holders)
    return wrong & 1 == 0
  }
}
