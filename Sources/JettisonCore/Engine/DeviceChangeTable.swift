/// The kinds of device change that a suspended app has not heard of.
///
/// Changes are coalesced, one message per kind on return: see <doc:TheModel#Changes-meanwhile>.
struct DeviceChangeTable: ~Copyable {
  /// Bit set of change kinds that wait, by app.
  private var waiting: Column<UInt64>

  init(appCount: Int) {
    waiting = Column(repeating: 0, count: appCount)
  }

  mutating func queue(kind: UInt16, for app: AppIndex) {
    waiting[app.position] |= 1 << UInt64(min(kind, 63))
  }

  mutating func drop(_ app: AppIndex) { waiting[app.position] = 0 }

  /// Takes off what waits: one bit per kind.
  mutating func take(_ app: AppIndex) -> UInt64 {
    defer { waiting[app.position] = 0 }
    return waiting[app.position]
  }
}
