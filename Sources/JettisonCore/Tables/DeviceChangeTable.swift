/// The device changes that a suspended app has not heard of: one per kind, with the last value.
///
/// They are told on return: see <doc:TheModel#Changes-meanwhile>. A trace has at most 63 kinds.
struct DeviceChangeTable: ~Copyable {
  private static let kindCount = 64

  /// Bit set of change kinds that wait, by app.
  private var waiting: Column<UInt64>
  /// Position in ``Trace/details`` of the newest change, by app and kind.
  private var newest: Column<UInt32>

  /// Makes room for so many apps; 0 for a trace without device changes.
  init(appCount: Int) {
    waiting = Column(repeating: 0, count: appCount)
    newest = Column(repeating: 0, count: appCount * Self.kindCount)
  }

  init(copying other: borrowing DeviceChangeTable) {
    waiting = Column(copying: other.waiting)
    newest = Column(copying: other.newest)
  }

  /// Keeps a change for an app in place of an older one of its kind.
  mutating func keep(kind: UInt16, detail: UInt32, for app: AppIndex) {
    let kind = min(Int(kind), Self.kindCount - 1)
    waiting[app.position] |= 1 << UInt64(kind)
    newest[app.position * Self.kindCount + kind] = detail
  }

  /// Forgets what waits for an app.
  @inline(__always)
  mutating func drop(_ app: AppIndex) {
    if !waiting.isEmpty { waiting[app.position] = 0 }
  }

  /// Takes the next change off that waits for an app, in order of kinds; nil: none.
  @inline(__always)
  mutating func takeNext(_ app: AppIndex) -> UInt32? {
    guard !waiting.isEmpty, waiting[app.position] != 0 else { return nil }
    let kind = waiting[app.position].trailingZeroBitCount
    waiting[app.position] &= waiting[app.position] &- 1
    return newest[app.position * Self.kindCount + kind]
  }
}
