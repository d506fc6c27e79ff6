/// What the events of a trace tell together, shared by all runs.
///
/// Facts and counts are known from the start; tables of launches, leaves and latencies are made on
/// first use.
public struct TraceIndex: Sendable {
  /// Which kinds of rows a trace has for one app.
  public struct AppFacts: OptionSet, BitwiseCopyable, Sendable {
    /// One bit per fact.
    public let rawValue: UInt16

    /// Wraps a set of bits.
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `footprint` rows, or `present` rows with a value.
    @inlinable public static var samples: AppFacts { AppFacts(rawValue: 1 << 0) }
    /// `alloc` rows.
    @inlinable public static var allocations: AppFacts { AppFacts(rawValue: 1 << 1) }
    /// `edit` rows.
    @inlinable public static var edits: AppFacts { AppFacts(rawValue: 1 << 2) }
    /// `save` rows.
    @inlinable public static var saves: AppFacts { AppFacts(rawValue: 1 << 3) }
    /// `launch` rows.
    @inlinable public static var launches: AppFacts { AppFacts(rawValue: 1 << 4) }
    /// `observed-launch` rows.
    @inlinable public static var latencies: AppFacts { AppFacts(rawValue: 1 << 5) }
    /// Any memory row.
    public static let memory: AppFacts = [.samples, .allocations]

    /// What a row of its app shows.
    package static func of(_ kind: EventKind, hasValue: Bool) -> AppFacts {
      switch kind {
      case .alloc, .realloc, .free: .allocations
      case .footprint: .samples
      case .present: hasValue ? .samples : []
      case .edit: .edits
      case .launch: .launches
      case .save: .saves
      case .observedLaunch: .latencies
      default: []
      }
    }
  }

  /// Facts by app.
  public let facts: [AppFacts]
  /// Number of events by kind, indexed by raw value.
  public let kindCounts: [Int]
  /// Time of the last event in nanoseconds; 0 for a trace without events.
  public let endNanoseconds: Int64
  private let launchTable: Lazily<LaunchTable>
  private let latencies: Lazily<[Int64]>
  /// Leaves of a phone whose lock leaves the app in front inactive.
  private let leavesOfInactiveLock: Lazily<LeaveIndex>
  /// Leaves of a phone whose lock sends the app in front to the background.
  private let leavesOfBackgroundLock: Lazily<LeaveIndex>

  /// Whether the trace says where it ends.
  public var hasEnd: Bool { kindCounts[Int(EventKind.end.rawValue)] > 0 }

  /// Every launch of the trace; the first to ask waits for a pass over the events.
  package var launches: LaunchTable { launchTable.value }
  /// Times of `launch` rows, app after app, ascending within an app, in nanoseconds.
  public var launchTimes: [Int64] { launches.times }
  /// Positions of those launches among all launches of the trace, from 0.
  ///
  /// - Complexity: O(launches), each time.
  public var launchOrdinals: [Int] { launches.ordinals.map(Int.init) }
  /// Where each app's part of ``launchTimes`` and ``launchOrdinals`` starts; one more entry than
  /// apps.
  public var launchStarts: [Int] { launches.starts }

  /// Median observed latency by app and launch kind in nanoseconds; negative: never observed.
  ///
  /// Indexed by `app.position * 3 + kind.rawValue`.
  public var observedLatencies: [Int64] { latencies.value }

  /// When apps leave the front, which depends on what a lock does.
  public func leaves(_ lock: Device.Lock) -> LeaveIndex {
    lock == .inactive ? leavesOfInactiveLock.value : leavesOfBackgroundLock.value
  }

  /// The index of a trace with so many apps, to which nothing happens.
  package static func withoutEvents(appCount: Int) -> TraceIndex {
    TraceIndex(TraceSummary(appCount: appCount), events: ArrayEventStorage([]), details: [])
  }

  /// Keeps what is known, and where to look for the rest.
  package init(_ summary: TraceSummary, events: any EventStorage, details: [EventDetail]) {
    facts = summary.facts
    kindCounts = summary.kindCounts
    endNanoseconds = summary.endNanoseconds
    let appCount = facts.count
    func count(_ kind: EventKind) -> Int { summary.kindCounts[Int(kind.rawValue)] }
    let hasLatencies = count(.observedLaunch) > 0
    let hasSaves = count(.save) > 0
    let hasLocks = count(.screen) + count(.interrupt) > 0
    launchTable = Lazily { LaunchTable(events, appCount: appCount) }
    latencies = Lazily {
      hasLatencies
        ? Self.latencies(events, details, appCount)
        : Array(repeating: -1, count: appCount * LaunchKind.allCases.count)
    }
    let inactive = Lazily {
      hasSaves || hasLocks
        ? LeaveIndex(events, details, .inactive, appCount: appCount) : LeaveIndex()
    }
    leavesOfInactiveLock = inactive
    // The same unless something locks the phone.
    leavesOfBackgroundLock =
      hasLocks
      ? Lazily { LeaveIndex(events, details, .background, appCount: appCount) } : inactive
  }

  private static func latencies(
    _ events: any EventStorage, _ details: [EventDetail], _ appCount: Int
  ) -> [Int64] {
    var latencies = [[Int64]](repeating: [], count: appCount * LaunchKind.allCases.count)
    events.forEach { event in
      guard event.kind == .observedLaunch else { return }
      let kind = Int(details[Int(event.detail)].launchKind.rawValue)
      latencies[event.app.position * LaunchKind.allCases.count + kind].append(event.value)
    }
    return latencies.map { $0.isEmpty ? -1 : $0.sorted()[($0.count - 1) / 2] }
  }
}

/// What every user of a trace needs to know of its events.
package struct TraceSummary: Sendable {
  /// See ``TraceIndex/facts``.
  package var facts: [TraceIndex.AppFacts]
  /// See ``TraceIndex/kindCounts``.
  package var kindCounts = [Int](repeating: 0, count: EventKind.allCases.count)
  /// See ``TraceIndex/endNanoseconds``.
  package var endNanoseconds: Int64 = 0

  /// Of no events yet.
  package init(appCount: Int) {
    facts = Array(repeating: [], count: appCount)
  }

  /// Reads all events once.
  package init(_ events: any EventStorage, appCount: Int) {
    self.init(appCount: appCount)
    events.forEachWindow { (window, _) in
      for position in 0..<window.count { add(window[position]) }
    }
  }

  private mutating func add(_ event: TraceEvent) {
    kindCounts[Int(event.kind.rawValue)] += 1
    endNanoseconds = event.timeNanoseconds
    guard event.app != .none else { return }
    let new = TraceIndex.AppFacts.of(event.kind, hasValue: event.flags.contains(.hasValue))
    // Nearly all say what is known: nothing is written then.
    if !facts[event.app.position].isSuperset(of: new) { facts[event.app.position].insert(new) }
  }
}

/// The `launch` rows of a trace by app; what few ask for is made on first use.
package struct LaunchTable: Sendable {
  /// See ``TraceIndex/launchStarts``.
  package let starts: [Int]
  private let lazyTimes: Lazily<[Int64]>
  private let lazyOrdinals: Lazily<[UInt32]>

  /// See ``TraceIndex/launchTimes``.
  package var times: [Int64] { lazyTimes.value }
  /// See ``TraceIndex/launchOrdinals``; small, so that what an oracle asks for stays in the caches.
  ///
  /// - Precondition: There are fewer than 2^32 launches.
  package var ordinals: [UInt32] { lazyOrdinals.value }

  /// Counts launches in a pass over the events.
  init(_ events: any EventStorage, appCount: Int) {
    var starts = [Int](repeating: 0, count: appCount + 1)
    events.forEachWindow { (window, _) in
      var counts = starts.mutableSpan
      for position in 0..<window.count where window[position].kind == .launch {
        counts[window[position].app.position + 1] += 1
      }
    }
    for app in 0..<appCount { starts[app + 1] += starts[app] }
    self.starts = starts
    lazyTimes = Lazily { [starts] in
      Self.table(of: Int64.self, events, starts) { (launch, _) in launch.timeNanoseconds }
    }
    lazyOrdinals = Lazily { [starts] in
      Self.table(of: UInt32.self, events, starts) { (_, ordinal) in UInt32(ordinal) }
    }
  }

  /// Places a number of each launch where its app's part of a table has it.
  @inline(__always)
  private static func table<Number: FixedWidthInteger>(
    of type: Number.Type, _ events: any EventStorage, _ starts: [Int],
    _ number: (TraceEvent, _ ordinal: Int) -> Number
  ) -> [Number] {
    var table = [Number](repeating: 0, count: starts[starts.count - 1])
    var places = starts
    var ordinal = 0
    events.forEachWindow { (window, _) in
      var places = places.mutableSpan
      var table = table.mutableSpan
      for position in 0..<window.count where window[position].kind == .launch {
        let app = window[position].app.position
        table[places[app]] = number(window[position], ordinal)
        places[app] += 1
        ordinal += 1
      }
    }
    return table
  }
}
