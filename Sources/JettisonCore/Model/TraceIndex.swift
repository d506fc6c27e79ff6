/// What one pass over a trace's events tells, shared by all runs.
public struct TraceIndex: Sendable {
  /// Which kinds of rows a trace has for one app.
  public struct AppFacts: OptionSet, BitwiseCopyable, Sendable {
    /// One bit per fact.
    public let rawValue: UInt16

    /// Wraps a set of bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `footprint` rows, or `present` rows with a value.
    public static let samples = AppFacts(rawValue: 1 << 0)
    /// `alloc` rows.
    public static let allocations = AppFacts(rawValue: 1 << 1)
    /// `edit` rows.
    public static let edits = AppFacts(rawValue: 1 << 2)
    /// `save` rows.
    public static let saves = AppFacts(rawValue: 1 << 3)
    /// `launch` rows.
    public static let launches = AppFacts(rawValue: 1 << 4)
    /// `observed-launch` rows.
    public static let latencies = AppFacts(rawValue: 1 << 5)
    /// Any memory row.
    public static let memory: AppFacts = [.samples, .allocations]
  }

  /// A captured save that belongs to the moment its app left the front.
  public struct BoundSave: BitwiseCopyable, Sendable, Equatable {
    /// Position of the event that made the app leave.
    public let leaveEvent: Int
    /// Position of the `save` row.
    public let saveEvent: Int
  }

  /// Facts by app.
  public let facts: [AppFacts]
  /// Number of events by kind, indexed by raw value.
  public let kindCounts: [Int]
  /// Times of `launch` rows, app after app, ascending within an app, in nanoseconds.
  public let launchTimes: [Int64]
  /// Positions of those launches among all launches of the trace, from 0.
  public let launchOrdinals: [Int]
  /// Where each app's part of ``launchTimes`` and ``launchOrdinals`` starts; one more entry than
  /// apps.
  public let launchStarts: [Int]
  /// Bound saves, ascending by `leaveEvent`.
  public let boundSaves: [BoundSave]
  /// Positions of the `save` rows of ``boundSaves``, ascending.
  public let boundSaveRows: [Int]
  /// Time of the last event in nanoseconds; 0 for a trace without events.
  public let endNanoseconds: Int64
  /// Whether the trace says where it ends.
  public let hasEnd: Bool

  /// Median observed latency by app and launch kind in nanoseconds; negative: never observed.
  ///
  /// Indexed by `app.position * 3 + kind.rawValue`.
  public let observedLatencies: [Int64]

  /// The index of a trace without apps and events.
  static let empty = Builder(appCount: 0).index()

  /// Reads the events once; also returns a hash of them.
  ///
  /// Complexity: O(events).
  static func build(
    events: any EventStorage, details: [EventDetail], appCount: Int
  ) -> (TraceIndex, UInt64) {
    var builder = Builder(appCount: appCount)
    var hash = ContentHash()
    events.withEvents { buffer in
      for position in 0..<buffer.count {
        let event = buffer[position]
        hash.add(UInt64(bitPattern: event.timeNanoseconds))
        hash.add(UInt64(bitPattern: event.value))
        hash.add(UInt64(event.app.rawValue) << 32 | UInt64(event.slot))
        hash.add(
          UInt64(event.detail) << 32 | UInt64(event.kind.rawValue) << 8
            | UInt64(event.flags.rawValue))
        builder.add(event, at: position, details: details)
      }
      builder.finish(buffer)
    }
    return (builder.index(), hash.value)
  }
}

extension TraceIndex {
  fileprivate struct Builder {
    private var facts: [AppFacts]
    private var kindCounts = [Int](repeating: 0, count: EventKind.allCases.count)
    private var launchCounts: [Int]
    private var launchTimes: [Int64] = []
    private var launchOrdinals: [Int] = []
    private var launchStarts: [Int] = [0]
    private var boundSaves: [BoundSave] = []
    private var endNanoseconds: Int64 = 0
    private var hasEnd = false
    /// Event at which each app last left the front, until a save is bound to it or it returns.
    private var openLeaves: [Int]
    private var front = AppIndex.none
    private var isInterrupted = false
    private var latencies: [[Int64]]

    init(appCount: Int) {
      facts = Array(repeating: [], count: appCount)
      launchCounts = Array(repeating: 0, count: appCount)
      openLeaves = Array(repeating: -1, count: appCount)
      latencies = Array(repeating: [], count: appCount * LaunchKind.allCases.count)
    }

    mutating func add(_ event: TraceEvent, at position: Int, details: [EventDetail]) {
      kindCounts[Int(event.kind.rawValue)] += 1
      endNanoseconds = event.timeNanoseconds
      let app = event.app.position
      switch event.kind {
      case .alloc, .realloc, .free: facts[app].insert(.allocations)
      case .footprint: facts[app].insert(.samples)
      case .present:
        if event.flags.contains(.hasValue) { facts[app].insert(.samples) }
        if details[Int(event.detail)].presentState == .front { front = event.app }
      case .edit: facts[app].insert(.edits)
      case .launch: addLaunch(event.app, at: position)
      case .home: leave(at: position)
      case .interruptEnd:
        endInterruption(details[Int(event.detail)].outcome, at: position)
      case .interrupt: isInterrupted = front != .none
      case .quit, .exit, .crash, .update, .observedExit:
        openLeaves[app] = -1
        if front == event.app { clearFront() }
      case .boot:
        for app in openLeaves.indices { openLeaves[app] = -1 }
        clearFront()
      case .save: addSave(event, at: position, details: details)
      case .observedLaunch:
        facts[app].insert(.latencies)
        let kind = Int(details[Int(event.detail)].launchKind.rawValue)
        latencies[app * LaunchKind.allCases.count + kind].append(event.value)
      case .end: hasEnd = true
      default: break
      }
    }

    private mutating func addLaunch(_ app: AppIndex, at position: Int) {
      if front != app { leave(at: position) }
      facts[app.position].insert(.launches)
      launchCounts[app.position] += 1
      openLeaves[app.position] = -1
      front = app
      isInterrupted = false
    }

    private mutating func leave(at position: Int) {
      guard front != .none else { return }
      openLeaves[front.position] = position
      clearFront()
    }

    private mutating func clearFront() {
      front = .none
      isInterrupted = false
    }

    /// Only an interruption that was accepted makes the app leave.
    private mutating func endInterruption(_ outcome: EventDetail.Outcome, at position: Int) {
      guard isInterrupted else { return }
      isInterrupted = false
      if outcome == .accepted { leave(at: position) }
    }

    private mutating func addSave(
      _ event: TraceEvent, at position: Int, details: [EventDetail]
    ) {
      let app = event.app.position
      facts[app].insert(.saves)
      guard details[Int(event.detail)].trigger == .background else { return }
      if openLeaves[app] >= 0 {
        boundSaves.append(BoundSave(leaveEvent: openLeaves[app], saveEvent: position))
        openLeaves[app] = -1
      }
    }

    /// Fills the launch table: counted first, placed in a second pass over the events.
    mutating func finish(_ events: Span<TraceEvent>) {
      launchStarts = [0]
      launchStarts.reserveCapacity(facts.count + 1)
      for count in launchCounts {
        launchStarts.append(launchStarts[launchStarts.count - 1] + count)
      }
      launchTimes = Array(repeating: 0, count: launchStarts[facts.count])
      launchOrdinals = Array(repeating: 0, count: launchStarts[facts.count])
      var ordinal = 0
      var next = launchStarts
      for position in 0..<events.count {
        let event = events[position]
        guard event.kind == .launch else { continue }
        launchTimes[next[event.app.position]] = event.timeNanoseconds
        launchOrdinals[next[event.app.position]] = ordinal
        ordinal += 1
        next[event.app.position] += 1
      }
      boundSaves.sort { $0.leaveEvent < $1.leaveEvent }
    }

    func index() -> TraceIndex {
      let medians = latencies.map { values -> Int64 in
        values.isEmpty ? -1 : values.sorted()[(values.count - 1) / 2]
      }
      return TraceIndex(
        facts: facts, kindCounts: kindCounts, launchTimes: launchTimes,
        launchOrdinals: launchOrdinals, launchStarts: launchStarts, boundSaves: boundSaves,
        boundSaveRows: boundSaves.map(\.saveEvent).sorted(), endNanoseconds: endNanoseconds,
        hasEnd: hasEnd, observedLatencies: medians)
    }
  }
}
