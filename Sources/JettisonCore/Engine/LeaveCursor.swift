/// Goes through the leaves of a trace along with its events.
struct LeaveCursor {
  private let leaves: LeaveIndex
  private var nextLeave = 0
  private var nextRow = 0
  private var nextLock = 0

  init(_ leaves: LeaveIndex) {
    self.leaves = leaves
  }

  /// Detail of the captured save that belongs to the leave at `position`; nil: none.
  mutating func boundSave(at position: Int) -> UInt32? {
    guard nextLeave < leaves.boundSaves.count,
      leaves.boundSaves[nextLeave].leaveEvent <= position
    else { return nil }
    nextLeave += 1
    return leaves.boundSaves[nextLeave - 1].saveDetail
  }

  /// Whether the `save` row at `position` belongs to a leave, and so was applied there.
  mutating func isBoundRow(_ position: Int) -> Bool {
    guard nextRow < leaves.boundSaveRows.count, leaves.boundSaveRows[nextRow] == position else {
      return false
    }
    nextRow += 1
    return true
  }

  /// When an unlock ends the lock at `position`, in nanoseconds; negative: never.
  mutating func unlockTime(at position: Int) -> Int64 {
    guard nextLock < leaves.locks.count, leaves.locks[nextLock].event <= position else { return -1 }
    nextLock += 1
    return leaves.locks[nextLock - 1].returnTime
  }
}
