/// What one pass over a trace's events tells, shared by all runs.
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
  /// Leaves of a phone whose lock leaves the app in front inactive.
  private let leavesOfInactiveLock: LeaveIndex
  /// Leaves of a phone whose lock sends the app in front to the background.
  private let leavesOfBackgroundLock: LeaveIndex
  /// Time of the last event in nanoseconds; 0 for a trace without events.
  public let endNanoseconds: Int64
  /// Whether the trace says where it ends.
  public let hasEnd: Bool

  /// Median observed latency by app and launch kind in nanoseconds; negative: never observed.
  ///
  /// Indexed by `app.position * 3 + kind.rawValue`.
  public let observedLatencies: [Int64]

  /// When apps leave the front, which depends on what a lock does.
  public func leaves(_ lock: Device.Lock) -> LeaveIndex {
    lock == .inactive ? leavesOfInactiveLock : leavesOfBackgroundLock
  }

  /// The index of a trace without apps and events.
  package static let empty = Builder(appCount: 0).index()

  /// Reads the events once; also returns a hash of them.
  ///
  /// Complexity: O(events).
  package static func build(
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
    private var leavesOfInactiveLock: LeaveIndex.Builder
    /// The same until something locks the phone: nil.
    private var leavesOfBackgroundLock: LeaveIndex.Builder?
    private var endNanoseconds: Int64 = 0
    private var hasEnd = false
    private var latencies: [[Int64]]

    init(appCount: Int) {
      facts = Array(repeating: [], count: appCount)
      launchCounts = Array(repeating: 0, count: appCount)
      leavesOfInactiveLock = LeaveIndex.Builder(appCount: appCount)
      latencies = Array(repeating: [], count: appCount * LaunchKind.allCases.count)
    }

    mutating func add(_ event: TraceEvent, at position: Int, details: [EventDetail]) {
      kindCounts[Int(event.kind.rawValue)] += 1
      endNanoseconds = event.timeNanoseconds
      let app = event.app.position
      if !event.kind.isMemory { addLeaves(event, at: position, details[Int(event.detail)]) }
      switch event.kind {
      case .alloc, .realloc, .free: facts[app].insert(.allocations)
      case .footprint: facts[app].insert(.samples)
      case .present: if event.flags.contains(.hasValue) { facts[app].insert(.samples) }
      case .edit: facts[app].insert(.edits)
      case .launch:
        facts[app].insert(.launches)
        launchCounts[app] += 1
      case .save: facts[app].insert(.saves)
      case .observedLaunch:
        facts[app].insert(.latencies)
        let kind = Int(details[Int(event.detail)].launchKind.rawValue)
        latencies[app * LaunchKind.allCases.count + kind].append(event.value)
      case .end: hasEnd = true
      default: break
      }
    }

    private mutating func addLeaves(
      _ event: TraceEvent, at position: Int, _ detail: EventDetail
    ) {
      if leavesOfBackgroundLock == nil, event.locks(detail) {
        leavesOfBackgroundLock = leavesOfInactiveLock
        leavesOfBackgroundLock?.lock = .background
      }
      leavesOfInactiveLock.add(event, at: position, detail)
      leavesOfBackgroundLock?.add(event, at: position, detail)
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
    }

    func index() -> TraceIndex {
      let medians = latencies.map { values -> Int64 in
        values.isEmpty ? -1 : values.sorted()[(values.count - 1) / 2]
      }
      return TraceIndex(
        facts: facts, kindCounts: kindCounts, launchTimes: launchTimes,
        launchOrdinals: launchOrdinals, launchStarts: launchStarts,
        leavesOfInactiveLock: leavesOfInactiveLock.finished(),
        leavesOfBackgroundLock: (leavesOfBackgroundLock ?? leavesOfInactiveLock).finished(),
        endNanoseconds: endNanoseconds, hasEnd: hasEnd, observedLatencies: medians)
    }
  }
}
