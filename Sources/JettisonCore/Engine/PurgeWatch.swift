/// A purge whose bytes nobody has needed yet.
struct WatchedPurge {
  let app: AppIndex
  let freedBytes: Int64
  /// Available memory below which the freed bytes were needed.
  let neededBelow: Int64
  /// When its decision was over.
  let time: Int64
}

/// Purges of the last while that were not needed so far, in the order of time.
struct PurgeWatch {
  private let windowNanoseconds: Int64
  private var purges: [WatchedPurge] = []
  /// Largest need among them; the smallest number there is without any.
  private(set) var need = Int64.min
  /// When the first of them is over; the largest number there is without any.
  private(set) var firstDeadline = Int64.max

  init(windowNanoseconds: Int64) {
    self.windowNanoseconds = windowNanoseconds
  }

  mutating func add(_ purge: WatchedPurge) {
    purges.append(purge)
    need = max(need, purge.neededBelow)
    firstDeadline = min(firstDeadline, deadline(of: purge))
  }

  mutating func removeAll() {
    purges.removeAll()
    update()
  }

  /// Forgets those whose bytes are needed now.
  mutating func drop(availableBytes: Int64) {
    guard availableBytes < need else { return }
    purges.removeAll { availableBytes < $0.neededBelow }
    update()
  }

  /// Takes out those whose window is over before `time`.
  mutating func expire(at time: Int64, _ body: (WatchedPurge) -> Void) {
    var expired = 0
    while expired < purges.count, deadline(of: purges[expired]) < time {
      body(purges[expired])
      expired += 1
    }
    guard expired > 0 else { return }
    purges.removeFirst(expired)
    update()
  }

  /// Takes out the purge of an app, if its window is not over.
  mutating func remove(_ app: AppIndex, at time: Int64) -> Bool {
    guard let position = purges.firstIndex(where: { $0.app == app }) else { return false }
    let isOver = deadline(of: purges[position]) < time
    purges.remove(at: position)
    update()
    return !isOver
  }

  private func deadline(of purge: WatchedPurge) -> Int64 {
    let (deadline, overflow) = purge.time.addingReportingOverflow(windowNanoseconds)
    return overflow ? .max : deadline
  }

  private mutating func update() {
    need = purges.reduce(.min) { max($0, $1.neededBelow) }
    firstDeadline = purges.first.map(deadline) ?? .max
  }
}
