import JettisonModel

/// One row that a synthetic life tells: `app` is a position among those of the ``SyntheticCast``.
struct SyntheticRow: Equatable {
  var timeNanoseconds: Int64
  let kind: EventKind
  var app: Int?
  var value: Int64?
  var id: Int64?
  var detail: String?
}

/// Puts the rows of a life in order, and leaves out what cannot be.
///
/// Each part of a life tells its rows by itself, some of them ahead: a task ends later, music
/// stops. Whether the app is still there then is known only here.
struct SyntheticTimeline {
  private var pending: [(row: SyntheticRow, order: Int)] = []
  private var count = 0

  private var isScreenOn = false
  private var front: Int?
  private var isInterrupted = false
  private var running: Set<Int> = []
  /// The app of each open task.
  private var tasks: [Int64: Int] = [:]
  private var switches: Set<Switch> = []

  /// A mode, a pin or a shared resource that is on.
  private struct Switch: Hashable {
    let kind: EventKind
    let app: Int
    let detail: String?
  }

  mutating func add(_ row: SyntheticRow) {
    pending.append((row, count))
    count += 1
  }

  /// Takes out all rows before a time, in order.
  ///
  /// Complexity: O(n log n) in the rows that wait.
  mutating func take(before time: Int64) -> [SyntheticRow] {
    pending.sort {
      ($0.row.timeNanoseconds, $0.order) < ($1.row.timeNanoseconds, $1.order)
    }
    let end = pending.firstIndex { $0.row.timeNanoseconds >= time } ?? pending.count
    let rows = pending[..<end].map(\.row).filter { isPossible($0) }
    pending.removeFirst(end)
    return rows
  }

  /// Whether the row can happen now; if so, it has happened.
  private mutating func isPossible(_ row: SyntheticRow) -> Bool {
    switch row.kind {
    case .screen:
      guard isScreenOn != (row.value == 1) else { return false }
      isScreenOn.toggle()
    case .home:
      guard front != nil else { return false }
      leave()
    case .interrupt:
      guard front != nil, !isInterrupted else { return false }
      isInterrupted = true
    case .interruptEnd:
      guard isInterrupted else { return false }
      isInterrupted = false
      if row.detail?.hasSuffix("accepted") == true { leave() }
    case .boot:
      running.removeAll()
      tasks.removeAll()
      switches.removeAll()
      isScreenOn = false
      leave()
    case .deviceChange, .clock, .end: break
    default:
      guard let app = row.app else { return false }
      return isPossible(row, app)
    }
    return true
  }

  private mutating func isPossible(_ row: SyntheticRow, _ app: Int) -> Bool {
    switch row.kind {
    case .launch:
      running.insert(app)
      front = app
      isInterrupted = false
    case .backgroundLaunch, .present: running.insert(app)
    case .taskBegin:
      guard running.contains(app), let id = row.id else { return false }
      tasks[id] = app
    case .taskEnd:
      guard let id = row.id, tasks.removeValue(forKey: id) != nil else { return false }
    case .pin, .backgroundMode, .sharedResource:
      let wanted = Switch(kind: row.kind, app: app, detail: row.detail)
      return row.value == 1
        ? running.contains(app) && switches.insert(wanted).inserted
        : switches.remove(wanted) != nil
    case .edit: return running.contains(app) && front == app
    case .crash, .exit, .quit:
      guard running.contains(app) else { return false }
      end(app)
    case .update:
      guard front != app else { return false }
      end(app)
    default: return running.contains(app)
    }
    return true
  }

  private mutating func leave() {
    front = nil
    isInterrupted = false
  }

  private mutating func end(_ app: Int) {
    running.remove(app)
    tasks = tasks.filter { $0.value != app }
    switches = switches.filter { $0.app != app || $0.kind == .pin }
    if front == app { leave() }
  }
}
