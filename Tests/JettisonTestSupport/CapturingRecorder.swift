package import JettisonCore

/// Keeps everything a run tells.
package final class CapturingRecorder: Recorder {
  package let wantsEvents = true
  package let wantsDecisions: Bool
  package let wantsFootprints: Bool

  /// Rows of `events.csv`, in order.
  package private(set) var events: [EventRecord] = []
  /// Decisions, in order.
  package private(set) var decisions: [DecisionRecord] = []
  /// Footprint changes, in order.
  package private(set) var footprints: [FootprintRecord] = []
  /// Available memory and level as footprints tell them, and where they change without any, in order.
  package private(set) var memory: [MemoryRecord] = []

  /// Listens to events, and to decisions and footprints unless told otherwise.
  package init(wantsDecisions: Bool = true, wantsFootprints: Bool = true) {
    self.wantsDecisions = wantsDecisions
    self.wantsFootprints = wantsFootprints
  }

  package func record(_ event: EventRecord) { events.append(event) }
  package func record(_ decision: DecisionRecord) { decisions.append(decision) }
  package func record(_ footprint: FootprintRecord) {
    footprints.append(footprint)
    memory.append(footprint.memory)
  }

  package func record(_ memory: MemoryRecord) { self.memory.append(memory) }
}
