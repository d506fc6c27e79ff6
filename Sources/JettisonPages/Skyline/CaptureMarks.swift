import JettisonCore

/// What the trace itself tells, whatever the simulation makes of it: when the phone was locked, whom
/// the real system ended, and how much memory everything that is no app took.
struct CaptureMarks: Sendable {
  /// The real system ended an app.
  struct Kill: Sendable, Equatable {
    let time: Int64
    let app: AppIndex
    let cause: ExitCause
  }

  /// Memory in use by everything that is no app, from a time on.
  struct System: Sendable, Equatable {
    let time: Int64
    let bytes: Int64
  }

  /// Ends for memory, in order.
  private(set) var kills: [Kill] = []
  /// While the phone was locked; two that follow each other within a bin are one.
  private(set) var locks: [Range<Int64>] = []
  /// Measured memory of the system, of each bin the last.
  private(set) var systems: [System] = []
  /// Captured kills beyond those that are kept.
  private(set) var droppedKills = 0

  /// Captured kills that are kept.
  private static let keptKills = 5000

  /// Reads what is wanted off a trace.
  ///
  /// - Parameter binNanoseconds: What is closer together is drawn as one.
  init(_ trace: Trace, binNanoseconds: Int64) {
    let kinds: [EventKind] = [.screen, .interrupt, .interruptEnd, .observedExit, .systemMemory]
    guard kinds.contains(where: { trace.index.kindCounts[Int($0.rawValue)] > 0 }) else { return }
    var lockedAt: Int64?
    trace.events.forEachWindow { (events, _) in
      for position in 0..<events.count where !events[position].kind.isMemory {
        add(events[position], trace.details, &lockedAt, binNanoseconds)
      }
    }
    if let lockedAt { lock(lockedAt..<max(lockedAt, trace.index.endNanoseconds), binNanoseconds) }
  }

  private mutating func add(
    _ event: TraceEvent, _ details: [EventDetail], _ lockedAt: inout Int64?, _ bin: Int64
  ) {
    let time = event.timeNanoseconds
    switch event.kind {
    case .screen, .interrupt, .interruptEnd:
      let detail = details[Int(event.detail)]
      if event.locks(detail) { lockedAt = lockedAt ?? time }
      if event.unlocks(detail), let start = lockedAt {
        lock(start..<time, bin)
        lockedAt = nil
      }
    case .observedExit:
      let cause = details[Int(event.detail)].exitCause
      guard cause.isForMemory else { return }
      guard kills.count < Self.keptKills else {
        droppedKills += 1
        return
      }
      kills.append(Kill(time: time, app: event.app, cause: cause))
    case .systemMemory:
      if let last = systems.last, last.time / bin == time / bin { systems.removeLast() }
      systems.append(System(time: time, bytes: event.value))
    default: break
    }
  }

  private mutating func lock(_ range: Range<Int64>, _ bin: Int64) {
    if let last = locks.last, range.lowerBound - last.upperBound < bin {
      locks[locks.count - 1] = last.lowerBound..<range.upperBound
    } else {
      locks.append(range)
    }
  }
}
