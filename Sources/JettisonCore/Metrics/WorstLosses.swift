import HeapModule

/// A system end that lost unsaved state and that the user noticed: one of `system_losses_noticed`.
public struct LossRecord: Sendable, Equatable {
  /// When the app ended, in nanoseconds since the start of the trace; of an absence when it was over.
  public var timeNanoseconds: Int64
  /// Whose state is gone.
  public var app: AppIndex
  /// Why it had not been saved.
  public var lossClass: LossClass
  /// How the system ended the app.
  public var endCause: EndCause
  /// User work that is gone, in nanoseconds.
  public var workNanoseconds: Int64
  /// State that is gone, in bytes.
  public var bytes: Int64
  /// When the user opened the app again, in nanoseconds since the start of the trace.
  public var returnNanoseconds: Int64
  /// Number of the decision that ended the app, from 1; nil: no decision did.
  public var decision: Int?
  /// Whether this is what the user could not do while the app was gone after an end in front; nothing
  /// that had been there was lost.
  public var isAbsence = false

  /// Makes a record from its parts.
  public init(
    timeNanoseconds: Int64, app: AppIndex, lossClass: LossClass, endCause: EndCause,
    workNanoseconds: Int64, bytes: Int64, returnNanoseconds: Int64, decision: Int?
  ) {
    self.timeNanoseconds = timeNanoseconds
    self.app = app
    self.lossClass = lossClass
    self.endCause = endCause
    self.workNanoseconds = workNanoseconds
    self.bytes = bytes
    self.returnNanoseconds = returnNanoseconds
    self.decision = decision
  }
}

extension LossRecord: Comparable {
  /// Whether one loss is less bad than another: less work, then fewer bytes, then later, then of a
  /// later app.
  public static func < (lhs: LossRecord, rhs: LossRecord) -> Bool {
    if lhs.workNanoseconds != rhs.workNanoseconds {
      return lhs.workNanoseconds < rhs.workNanoseconds
    }
    if lhs.bytes != rhs.bytes { return lhs.bytes < rhs.bytes }
    if lhs.timeNanoseconds != rhs.timeNanoseconds {
      return lhs.timeNanoseconds > rhs.timeNanoseconds
    }
    return lhs.app > rhs.app
  }
}

/// The worst of the losses of a run, in memory bounded by how many are wanted.
struct WorstLosses {
  private let limit: Int
  private var kept = Heap<LossRecord>()

  /// Keeps at most so many.
  init(limit: Int) {
    self.limit = limit
  }

  /// The worst first.
  var list: [LossRecord] { kept.unordered.sorted(by: >) }

  /// Takes a loss, and lets go of the least if there are too many.
  ///
  /// - Complexity: O(log limit).
  mutating func add(_ loss: LossRecord) {
    guard limit > 0 else { return }
    kept.insert(loss)
    if kept.count > limit { kept.removeMin() }
  }

  mutating func removeAll() {
    kept = Heap()
  }
}
