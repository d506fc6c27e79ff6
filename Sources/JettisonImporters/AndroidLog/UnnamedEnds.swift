/// Ends of processes that no line has named yet, in the order of time.
///
/// - Complexity: O(1) for each end, however many there are at one instant.
struct UnnamedEnds {
  private var waiting: [AndroidRecord] = []
  /// Those before it are told already.
  private var head = 0
  /// How many were taken off the beginning of ``waiting``.
  private var removed = 0
  /// Where the ends of a process id stand, counted from the first that ever was.
  private var places: [Int32: [Int]] = [:]

  /// Adds an end that is not earlier than those before it.
  mutating func add(_ record: AndroidRecord) {
    places[record.pid, default: []].append(removed + waiting.count)
    waiting.append(record)
  }

  /// Takes out the ends of a process id, oldest first.
  mutating func take(pid: Int32) -> [AndroidRecord] {
    guard !places.isEmpty, let found = places.removeValue(forKey: pid) else { return [] }
    return found.map { place in
      let record = waiting[place - removed]
      waiting[place - removed].pid = AndroidRecord.noProcess
      return record
    }
  }

  /// Takes out the oldest end if it has waited longer than some time, and gives its line.
  mutating func expire(before now: Int64, after nanoseconds: Int64) -> Int? {
    while head < waiting.count {
      let record = waiting[head]
      if record.pid != AndroidRecord.noProcess {
        guard now > record.nanoseconds + nanoseconds else { return nil }
      }
      head += 1
      if head > 32, head * 2 > waiting.count {
        waiting.removeFirst(head)
        removed += head
        head = 0
      }
      guard record.pid != AndroidRecord.noProcess else { continue }
      forgetOldest(of: record.pid)
      return Int(record.line)
    }
    return nil
  }

  private mutating func forgetOldest(of pid: Int32) {
    guard var found = places.removeValue(forKey: pid), found.count > 1 else { return }
    found.removeFirst()
    places[pid] = found
  }
}
