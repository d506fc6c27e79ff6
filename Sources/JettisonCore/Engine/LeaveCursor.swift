/// Goes through the leaves of a trace along with its events.
struct LeaveCursor {
  private let leaves: LeaveIndex
  private var nextLeave = 0
  private var nextRow = 0
  private var nextLock = 0
  /// Positions of the next leave with a save, and of the next lock; `.max`: none.
  private var leavePosition = Int.max
  private var lockPosition = Int.max

  init(_ leaves: LeaveIndex) {
    self.leaves = leaves
    leavePosition = leaves.boundSaves.first?.leaveEvent ?? .max
    lockPosition = leaves.locks.first?.event ?? .max
  }

  /// Detail of the captured save that belongs to the leave at `position`; nil: none.
  @inline(__always)
  mutating func boundSave(at position: Int) -> UInt32? {
    leavePosition <= position ? takeSave() : nil
  }

  @inline(never)
  private mutating func takeSave() -> UInt32 {
    let detail = leaves.boundSaves[nextLeave].saveDetail
    nextLeave += 1
    leavePosition =
      nextLeave < leaves.boundSaves.count ? leaves.boundSaves[nextLeave].leaveEvent : .max
    return detail
  }

  /// Whether the `save` row at `position` belongs to a leave, and so was applied there.
  mutating func isBoundRow(_ position: Int) -> Bool {
    guard nextRow < leaves.boundSaveRows.count, leaves.boundSaveRows[nextRow] == position else {
      return false
    }
    nextRow += 1
    return true
  }

  /// When an unlock ends the lock of an app at `position`, in nanoseconds; negative: never.
  @inline(__always)
  mutating func unlockTime(at position: Int) -> Int64 {
    lockPosition <= position ? takeLock() : -1
  }

  @inline(never)
  private mutating func takeLock() -> Int64 {
    let time = leaves.locks[nextLock].returnTime
    nextLock += 1
    lockPosition = nextLock < leaves.locks.count ? leaves.locks[nextLock].event : .max
    return time
  }
}
