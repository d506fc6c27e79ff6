/// Something in a trace that a replay could not apply and skipped.
///
/// What is in front and what interrupts it goes by the rows: an app that was killed here is still in
/// front of its user there.
public struct IssueRecord: Sendable, Equatable {
  /// What could not be applied.
  public enum Kind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    case homeFromNothing
    case interruptionOfNothing
    case tooManyInterruptions
    case endOfNoInterruption
    case footprintBelowAllocations

    /// The sentence in lists of issues, without a place.
    public var text: String {
      switch self {
      case .homeFromNothing: "home with nothing in front"
      case .interruptionOfNothing: "interrupt with nothing in front"
      case .tooManyInterruptions:
        "interrupt while \(InterruptionStack.limit) others have not ended"
      case .endOfNoInterruption: "interrupt-end without its interrupt"
      case .footprintBelowAllocations:
        "footprint below what the app's live allocations take"
      }
    }
  }

  /// What could not be applied.
  public var kind: Kind
  /// When, in nanoseconds since the start of the trace.
  public var timeNanoseconds: Int64
  /// Position in the trace of the newest event by then.
  public var eventPosition: Int

  /// Makes a record from its parts.
  public init(kind: Kind, timeNanoseconds: Int64, eventPosition: Int) {
    self.kind = kind
    self.timeNanoseconds = timeNanoseconds
    self.eventPosition = eventPosition
  }
}
