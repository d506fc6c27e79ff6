internal import JettisonCore

/// An end for memory that the capture shows.
struct ObservedKill: Sendable, Equatable {
  /// Position among all `observed-exit` rows, from 0.
  let ordinal: Int
  /// When, in nanoseconds since the start of the trace.
  let timeNanoseconds: Int64
  /// Whom it ended.
  let app: AppIndex
  /// Why, as the capture says.
  let cause: ExitCause
  /// Band or `oom_score_adj`; nil if the capture does not tell.
  let band: Int64?
  /// When the capture shows the app again, in nanoseconds; `.max`: never.
  var nextLifeNanoseconds: Int64 = .max
}

/// A warning that the capture shows.
struct ObservedWarning: Sendable, Equatable {
  /// Position among all `observed-warning` rows, from 0.
  let ordinal: Int
  /// When, in nanoseconds since the start of the trace.
  let timeNanoseconds: Int64
  /// Who was warned; ``AppIndex/none``: the whole device.
  let app: AppIndex
  /// Warning or critical.
  let level: PressureLevel
}

/// What a capture says the real system did.
struct CapturedOutcomes: Sendable {
  /// Ends for memory, in the order of the trace.
  private(set) var kills: [ObservedKill] = []
  /// Warnings of level 1 and 2, in the order of the trace.
  private(set) var warnings: [ObservedWarning] = []
  /// Other observed ends, by cause.
  private(set) var otherExits: [ExitCause: Int] = [:]

  /// Reads a trace.
  ///
  /// - Parameters:
  ///   - trace: The trace.
  ///   - causes: Which ends count as ends for memory.
  /// - Complexity: O(events).
  init(_ trace: Trace, causes: Set<ExitCause>) {
    var exitCount = 0
    var warningCount = 0
    /// Newest kill of each app that has not been seen since; negative: none.
    var open = [Int](repeating: -1, count: trace.apps.count)
    trace.events.forEachWindow { (events, _) in
      for position in 0..<events.count {
        let event = events[position]
        switch event.kind {
        case .observedExit:
          let detail = trace.details[Int(event.detail)]
          if causes.contains(detail.exitCause) {
            open[event.app.position] = kills.count
            kills.append(
              ObservedKill(
                ordinal: exitCount, timeNanoseconds: event.timeNanoseconds, app: event.app,
                cause: detail.exitCause, band: detail.hasBand ? Int64(detail.band) : nil))
          } else {
            otherExits[detail.exitCause, default: 0] += 1
          }
          exitCount += 1
        case .launch, .backgroundLaunch, .present:
          let kill = open[event.app.position]
          guard kill >= 0 else { continue }
          kills[kill].nextLifeNanoseconds = event.timeNanoseconds
          open[event.app.position] = -1
        case .observedWarning:
          if event.value > 0 {
            warnings.append(
              ObservedWarning(
                ordinal: warningCount, timeNanoseconds: event.timeNanoseconds, app: event.app,
                level: event.value == 1 ? .warning : .critical))
          }
          warningCount += 1
        default: continue
        }
      }
    }
  }

  /// The same without what happened before a time.
  func from(_ timeNanoseconds: Int64) -> CapturedOutcomes {
    var later = self
    later.kills.removeAll { $0.timeNanoseconds < timeNanoseconds }
    later.warnings.removeAll { $0.timeNanoseconds < timeNanoseconds }
    return later
  }
}
