package import JettisonCore

/// Feeds several sinks from runs that end in any order.
package final class ReportTee {
  /// Who listens for any of the sinks.
  package let listeners: TeeListeners
  /// How many of its worst losses a run should list for the sink that wants most.
  package let listedLosses: Int
  private let sinks: [any ReportSink]
  private var waiting: [Int: TeePart?] = [:]
  private var next = 0

  /// Feeds `sinks`, each in the order given.
  package init(_ sinks: [any ReportSink]) {
    self.sinks = sinks
    listedLosses = sinks.map(\.listedLosses).max() ?? 0
    listeners = TeeListeners(sources: sinks.map(\.listeners))
  }

  deinit {
    for part in waiting.values { part?.discard() }
  }

  /// Takes what is kept of the run at a place among all runs, or nil if it had no listener.
  ///
  /// It is passed on as soon as those of all runs before are.
  package func add(_ part: TeePart?, at position: Int) throws {
    waiting[position] = .some(part)
    while let part = waiting.removeValue(forKey: next) {
      next += 1
      try passOn(part)
    }
  }

  /// Passes on what still waits, and the results; once every sink has written them, all reports
  /// appear together.
  package func finish(runs: [RunRecord], comparisons: [Comparison]) throws {
    // A run that was never added leaves a gap; what comes after it is not lost for that.
    for position in waiting.keys.sorted() {
      try passOn(waiting.removeValue(forKey: position) ?? nil)
    }
    for sink in sinks { try sink.finish(runs: runs, comparisons: comparisons) }
    try Publishing.together(sinks)
  }

  private func passOn(_ part: TeePart?) throws {
    guard let part else { return }
    defer { part.discard() }
    for (sink, own) in zip(sinks, part.parts) {
      if let own { try sink.add(own) }
    }
  }
}

/// Makes listeners for several sinks.
package struct TeeListeners: Sendable {
  /// By sink; nil for one that wants results only.
  fileprivate let sources: [(any RunListeners)?]

  /// Whether no run has a listener.
  package var isEmpty: Bool { sources.allSatisfy { $0 == nil } }

  /// The listener of a run; nil: none.
  package func listener(to run: StartedRun) throws -> TeeListener? {
    var listeners: [(any RunListener)?] = []
    for source in sources { listeners.append(try source?.listener(to: run)) }
    return listeners.contains { $0 != nil } ? TeeListener(listeners) : nil
  }
}

/// Listens to a run for several sinks.
package struct TeeListener {
  /// What the engine tells.
  package let recorder: any Recorder
  private let listeners: [(any RunListener)?]

  fileprivate init(_ listeners: [(any RunListener)?]) {
    self.listeners = listeners
    let recorders = listeners.compactMap { $0?.recorder }
    recorder = recorders.count == 1 ? recorders[0] : TeeRecorder(recorders)
  }

  /// What is kept of the run for each sink.
  package func finish() throws -> TeePart {
    var parts: [(any RunPart)?] = []
    do {
      for listener in listeners { parts.append(try listener?.finish()) }
    } catch {
      TeePart(parts: parts).discard()
      throw error
    }
    return TeePart(parts: parts)
  }
}

/// What is kept of a run for several sinks.
package final class TeePart: Sendable {
  fileprivate let parts: [(any RunPart)?]

  fileprivate init(parts: [(any RunPart)?]) {
    self.parts = parts
  }

  /// Gives up what is held for every sink.
  package func discard() {
    for part in parts { part?.discard() }
  }
}

/// Tells several recorders what each wants to hear.
private final class TeeRecorder: Recorder {
  private let recorders: [any Recorder]
  let wantsEvents: Bool
  let wantsDecisions: Bool
  let wantsFootprints: Bool
  let wantsObservations: Bool
  let wantsIssues: Bool

  init(_ recorders: [any Recorder]) {
    self.recorders = recorders
    wantsEvents = recorders.contains { $0.wantsEvents }
    wantsDecisions = recorders.contains { $0.wantsDecisions }
    wantsFootprints = recorders.contains { $0.wantsFootprints }
    wantsObservations = recorders.contains { $0.wantsObservations }
    wantsIssues = recorders.contains { $0.wantsIssues }
  }

  func record(_ event: EventRecord) {
    for recorder in recorders where recorder.wantsEvents { recorder.record(event) }
  }

  func record(_ decision: DecisionRecord) {
    for recorder in recorders where recorder.wantsDecisions { recorder.record(decision) }
  }

  func record(_ footprint: FootprintRecord) {
    for recorder in recorders where recorder.wantsFootprints { recorder.record(footprint) }
  }

  func record(_ memory: MemoryRecord) {
    for recorder in recorders where recorder.wantsFootprints { recorder.record(memory) }
  }

  func record(_ observation: ObservationRecord) {
    for recorder in recorders where recorder.wantsObservations { recorder.record(observation) }
  }

  func record(_ issue: IssueRecord) {
    for recorder in recorders where recorder.wantsIssues { recorder.record(issue) }
  }
}
