/// Apps to which something happened since victims were looked for last: only their places among the
/// candidates can be others now.
@usableFromInline
struct ChangedApps: ~Copyable {
  /// Whether changes are asked for; otherwise none is kept.
  let isKept: Bool
  @usableFromInline var apps = Column<AppIndex>()
  @usableFromInline var isListed: Column<Bool>
  /// How many of them were taken.
  @usableFromInline var takenCount = 0

  init(appCount: Int, isKept: Bool) {
    self.isKept = isKept
    isListed = Column(repeating: false, count: isKept ? appCount : 0)
  }

  init(copying other: borrowing ChangedApps) {
    isKept = other.isKept
    apps = Column(copying: other.apps)
    isListed = Column(copying: other.isListed)
    takenCount = other.takenCount
  }

  /// Something happened to an app that may change whether it may go, or when.
  @inline(__always)
  mutating func add(_ app: AppIndex) {
    if isKept, !isListed[app.position] {
      isListed[app.position] = true
      apps.append(app)
    }
  }

  /// Takes the next of them, in the order in which it happened; nil: there is none.
  @inlinable @inline(__always)
  mutating func takeNext() -> AppIndex? {
    guard takenCount < apps.count else {
      apps.removeAll()
      takenCount = 0
      return nil
    }
    let app = apps[takenCount]
    takenCount += 1
    isListed[app.position] = false
    return app
  }
}
