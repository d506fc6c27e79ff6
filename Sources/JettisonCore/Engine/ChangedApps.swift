/// Apps that are to be looked at before the next victim is found, as something happened to them: only
/// their places among the candidates can be others now.
@usableFromInline
struct ChangedApps: ~Copyable {
  /// Whether changes are asked for; otherwise none is kept.
  @usableFromInline let isKept: Bool
  /// The first ``count`` of these, each of them once.
  @usableFromInline var apps: Column<AppIndex>
  @usableFromInline var count = 0
  @usableFromInline var isListed: Column<Bool>
  /// How many of them were taken.
  @usableFromInline var takenCount = 0

  init(appCount: Int, isKept: Bool) {
    self.isKept = isKept
    // One more is written, listed or not.
    apps = Column(repeating: .none, count: isKept ? appCount + 1 : 0)
    isListed = Column(repeating: false, count: isKept ? appCount : 0)
  }

  init(copying other: borrowing ChangedApps) {
    isKept = other.isKept
    apps = Column(copying: other.apps)
    count = other.count
    isListed = Column(copying: other.isListed)
    takenCount = other.takenCount
  }

  /// Something happened to an app that may change whether it may go, or when.
  @inlinable @inline(__always)
  mutating func add(_ app: AppIndex) {
    guard isKept else { return }
    // Listed or not is a toss of a coin: no branch.
    apps[count] = app
    count += isListed[app.position] ? 0 : 1
    isListed[app.position] = true
  }

  /// Takes the next of them, in the order in which it happened; nil: there is none.
  @inlinable @inline(__always)
  mutating func takeNext() -> AppIndex? {
    guard takenCount < count else {
      count = 0
      takenCount = 0
      return nil
    }
    let app = apps[takenCount]
    takenCount += 1
    isListed[app.position] = false
    return app
  }
}
