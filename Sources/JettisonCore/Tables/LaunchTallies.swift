/// What launches and purges have come to, by app, in a run of nothing but launches.
///
/// An app has one size then, every end is a purge, and every launch but the first of a process is hot:
/// so most of what a run counts follows, at its end, from these few numbers.
@usableFromInline
struct LaunchTallies: ~Copyable {
  @usableFromInline
  struct Row: BitwiseCopyable {
    /// The app's size in memory.
    @usableFromInline let bytes: Int64
    /// How long it has been suspended until a launch found it in memory, or the run ended, in nanoseconds.
    @usableFromInline var idleTime: Int64 = 0
    /// How long it had been suspended before its purges, in nanoseconds.
    var victimAge: Int64 = 0
    /// How long its processes have been in memory, in nanoseconds; that of one which is still there is added
    /// when the run ends.
    var lifeTime: Int64 = 0
    var purges: Int64 = 0
    var repurges: Int64 = 0
  }

  /// By ``AppIndex``; empty where a run has more to it.
  @usableFromInline var rows: Column<Row>
  /// When the first purge has been watched long enough, in nanoseconds.
  @usableFromInline var watchEnd = Int64.max
  /// Least available memory so far, in bytes.
  var availableLeast = Int64.max

  init(_ sizes: [Int64] = []) {
    rows = Column(capacity: sizes.count)
    for bytes in sizes { rows.append(Row(bytes: bytes)) }
  }

  init(copying other: borrowing LaunchTallies) {
    rows = Column(copying: other.rows)
    watchEnd = other.watchEnd
    availableLeast = other.availableLeast
  }

  subscript(app: AppIndex) -> Row {
    @inline(__always) _read { yield rows[app.position] }
    @inline(__always) _modify { yield &rows[app.position] }
  }
}
