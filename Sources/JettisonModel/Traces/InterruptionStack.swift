/// Interruptions that have not ended, the newest on top.
///
/// At most ``limit`` nest: people are interrupted by one thing or two.
package struct InterruptionStack: BitwiseCopyable, Sendable {
  package static let limit = 32

  /// Two bits each, the newest in the lowest.
  private var kinds: UInt64 = 0
  private var count = 0

  /// Nothing interrupts.
  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Begins an interruption; false if too many nest.
  package mutating func begin(_ kind: EventDetail.Interrupter) -> Bool {
    guard count < Self.limit else { return false }
    push(kind)
    return true
  }

  /// Begins an interruption; if too many nest, the oldest is forgotten.
  package mutating func push(_ kind: EventDetail.Interrupter) {
    kinds = (kinds << 2) | UInt64(kind.rawValue)
    count = min(count + 1, Self.limit)
  }

  /// Ends the newest interruption, or the newest of a kind; false if there is none.
  package mutating func end(_ kind: EventDetail.Interrupter?) -> Bool {
    var place: UInt64 = 0
    while place < count {
      if kind == nil || (kinds >> (2 * place)) & 3 == UInt64(kind?.rawValue ?? 0) {
        let newer = kinds & ((1 << (2 * place)) - 1)
        kinds = ((kinds >> (2 * place + 2)) << (2 * place)) | newer
        count -= 1
        return true
      }
      place += 1
    }
    return false
  }

  /// All are over.
  package mutating func removeAll() {
    self = InterruptionStack()
  }
}
