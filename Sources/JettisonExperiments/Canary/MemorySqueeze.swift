internal import JettisonCore
internal import JettisonReports
internal import JettisonTraces

/// Memory that is taken away step by step once a trace is over, until the system has all of it.
struct MemorySqueeze: Sendable {
  /// When the first step is taken, in nanoseconds since the start of the trace.
  let start: Int64
  let interval: Int64
  let stepBytes: Int64
  /// What the system has before.
  private let usedBytes: Int64
  /// What is taken in all.
  let takenBytes: Int64

  /// - Parameters:
  ///   - ending: How the trace ends.
  ///   - device: The device, whose RAM is taken.
  ///   - terms: Steps and the time between them, checked.
  /// - Throws: ``ExperimentError`` if it took longer than a trace may.
  init(
    after ending: TraceEnding, on device: Device, _ terms: CanaryTerms
  ) throws(ExperimentError) {
    interval = terms.intervalNanoseconds
    // A trace lasts at most a third of what 64 bits hold, and an interval a day.
    start = ending.nanoseconds + interval
    usedBytes = ending.systemBytes ?? device.reserveBytes
    takenBytes = max(0, device.ramBytes - usedBytes)
    let least = (takenBytes - 1) / CanaryTerms.mostSteps + 1
    // A larger step than all there is would be the same, and times a number of steps too much.
    let whole = max(1, takenBytes)
    stepBytes = min(whole, max(1, least, terms.stepBytes ?? device.ramBytes / 128))
    let steps = (whole - 1) / stepBytes + 1
    guard steps <= (TraceLimits.timeNanoseconds - ending.nanoseconds) / interval - 1 else {
      throw .value(
        "every",
        .invalid(
          what: "value", text: "\(interval) ns",
          remedy: "\(steps) steps would end after the latest time of a trace; use larger steps or "
            + "less time between them"))
    }
  }

  /// How much is taken at a time, in bytes.
  func taken(at nanoseconds: Int64) -> Int64 {
    guard nanoseconds >= start else { return 0 }
    return min(takenBytes, ((nanoseconds - start) / interval + 1) * stepBytes)
  }

  /// The rows of the system's memory, and the end.
  var events: [TraceEvent] {
    var events: [TraceEvent] = []
    var time = start
    while (events.last?.value ?? usedBytes) < usedBytes + takenBytes {
      events.append(
        TraceEvent(
          timeNanoseconds: time, kind: .systemMemory, value: usedBytes + taken(at: time),
          flags: .hasValue))
      time += interval
    }
    events.append(TraceEvent(timeNanoseconds: time, kind: .end))
    return events
  }
}

/// How things stand when a trace is over, as far as its rows say it.
struct TraceEnding {
  /// When it is over, in nanoseconds.
  let nanoseconds: Int64
  /// Memory in use by the system, in bytes; nil: no row tells it.
  private(set) var systemBytes: Int64?
  /// States of apps that ran before it began, by ``AppIndex``.
  private(set) var presentStates: [AppState]
  /// Which apps have declared background execution.
  private(set) var modes: [UInt64]
  /// Which apps the system never ends.
  private(set) var isPinned: [Bool]

  init(_ trace: Trace) {
    nanoseconds = trace.index.endNanoseconds
    presentStates = Array(repeating: .notRunning, count: trace.apps.count)
    modes = Array(repeating: 0, count: trace.apps.count)
    isPinned = Array(repeating: false, count: trace.apps.count)
    trace.events.forEach { take($0, trace.details[Int($0.detail)]) }
  }

  private mutating func take(_ event: TraceEvent, _ detail: EventDetail) {
    let app = event.app.position
    switch event.kind {
    case .systemMemory: systemBytes = event.value
    case .present:
      presentStates[app] =
        switch detail.presentState {
        case .front: .active
        case .background: .background
        case .suspended: .suspended
        }
    case .backgroundMode:
      let mode = UInt64(1) << UInt64(detail.mode)
      modes[app] = event.value == 0 ? modes[app] & ~mode : modes[app] | mode
    case .exit, .quit, .crash, .update: modes[app] = 0
    case .boot: for other in modes.indices { modes[other] = 0 }
    case .pin: isPinned[app] = event.value != 0
    default: break
    }
  }

  /// What an app is to its user, in a state.
  func appClass(of app: AppIndex, in state: AppState) -> CanaryClass? {
    switch state {
    case .notRunning: nil
    case .active, .inactive: .front
    case _ where isPinned[app.position]: .protected
    case .background: modes[app.position] == 0 ? .background : .perceptible
    case .suspended: .cached
    }
  }
}

extension Trace {
  /// The trace with other rows in the place of its end.
  func ending(with rows: [TraceEvent]) -> Trace {
    var all: [TraceEvent] = []
    events.forEach { if $0.kind != .end { all.append($0) } }
    return Trace(
      name: name, header: header, apps: apps, details: details, detailTexts: detailTexts,
      events: ArrayEventStorage(all + rows), blockSlotCount: blockSlotCount,
      taskSlotCount: taskSlotCount, capturedIDs: capturedIDs, issues: issues)
  }
}
