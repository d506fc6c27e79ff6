package import JettisonModel

/// What the columns of one kind of event may hold.
package struct EventShape: BitwiseCopyable {
  package enum Use: UInt8, BitwiseCopyable {
    case none, optional, required
  }

  package var app: Use
  package var value: Use
  package var id: Use
  package var lowest: Int64
  package var highest: Int64

  package init(
    app: Use = .none, value: Use = .none, id: Use = .none, in range: ClosedRange<Int64> = 0...0
  ) {
    self.app = app
    self.value = value
    self.id = id
    self.lowest = range.lowerBound
    self.highest = range.upperBound
  }

  /// The table of events in the documentation of the trace format.
  package static func of(_ kind: EventKind) -> EventShape {
    let bytes = 0...TraceLimits.bytes
    return switch kind {
    case .home, .interrupt, .interruptEnd, .deviceChange, .boot, .end: EventShape()
    case .launch, .backgroundLaunch, .quit, .exit, .crash, .update, .restoreFailed, .observedExit,
      .gpuWork:
      EventShape(app: .required)
    case .present, .save: EventShape(app: .required, value: .optional, in: bytes)
    case .footprint, .edit: EventShape(app: .required, value: .required, in: bytes)
    case .alloc, .realloc:
      EventShape(app: .required, value: .required, id: .required, in: bytes)
    case .free: EventShape(app: .required, value: .optional, id: .required, in: bytes)
    case .taskBegin, .taskEnd: EventShape(app: .required, id: .required)
    case .screen: EventShape(value: .required, in: 0...1)
    case .backgroundMode, .pin, .sharedResource:
      EventShape(app: .required, value: .required, in: 0...1)
    case .clock:
      EventShape(value: .required, in: -TraceLimits.clockSeconds...TraceLimits.clockSeconds)
    case .adj: EventShape(app: .required, value: .required, in: -1000...1000)
    case .systemMemory, .observedAvailable: EventShape(value: .required, in: bytes)
    case .observedWarning: EventShape(app: .optional, value: .required, in: 0...2)
    case .observedLaunch:
      EventShape(app: .required, value: .required, in: 0...TraceLimits.latencyNanoseconds)
    }
  }
}
