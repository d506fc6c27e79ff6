/// Doubly linked lists of apps, each app in at most one of them: the queues of replacement
/// algorithms.
///
/// A list runs from its newest app to its oldest. Each app carries its size in bytes, so that a
/// list knows its total, and one small number for the algorithm (a reference bit, a count of hits).
/// State: one node per app of the trace. Every operation is O(1) and allocates nothing, except that
/// a copy visits the apps in lists.
struct AppQueues: Sendable {
  private struct Node: BitwiseCopyable {
    var newer = AppIndex.none
    var older = AppIndex.none
    var bytes: Int64 = 0
    var list: UInt8 = .max
    var mark: UInt8 = 0
  }

  private struct List: BitwiseCopyable {
    var newest = AppIndex.none
    var oldest = AppIndex.none
    var count = 0
    var bytes: Int64 = 0
  }

  private var nodes: [Node]
  private var lists: [List]

  /// Makes empty lists.
  ///
  /// - Precondition: There are fewer than 255 lists.
  init(appCount: Int, listCount: Int) {
    precondition(listCount < 255, "a list's number fits a byte")
    nodes = Array(repeating: Node(), count: appCount)
    lists = Array(repeating: List(), count: listCount)
  }

  // MARK: Looking

  /// The number of the list that an app is in, or nil.
  func list(of app: AppIndex) -> Int? {
    let list = nodes[app.position].list
    return list == .max ? nil : Int(list)
  }

  /// Whether an app is in a certain list.
  func isIn(_ list: Int, _ app: AppIndex) -> Bool {
    nodes[app.position].list == UInt8(truncatingIfNeeded: list)
  }

  /// The newest app of a list, or none.
  func newest(_ list: Int) -> AppIndex { lists[list].newest }

  /// The oldest app of a list, or none.
  func oldest(_ list: Int) -> AppIndex { lists[list].oldest }

  /// The next newer app in the same list, or none.
  func newer(than app: AppIndex) -> AppIndex { nodes[app.position].newer }

  /// Sum of the sizes in a list.
  func bytes(_ list: Int) -> Int64 { lists[list].bytes }

  /// Number of apps in a list.
  func count(_ list: Int) -> Int { lists[list].count }

  /// Size of an app in a list, in bytes.
  func bytes(of app: AppIndex) -> Int64 { nodes[app.position].bytes }

  /// The algorithm's number for an app.
  func mark(_ app: AppIndex) -> UInt8 { nodes[app.position].mark }

  /// The oldest app of a list that a round allows, or none.
  ///
  /// Complexity: O(1) if it allows all, else O(apps in the list).
  func oldest(_ list: Int, in round: EvictionRound) -> AppIndex {
    var app = oldest(list)
    while app != .none, !round.allows(app) { app = newer(than: app) }
    return app
  }

  // MARK: Changing

  /// Sets the algorithm's number for an app.
  mutating func setMark(_ app: AppIndex, _ mark: UInt8) { nodes[app.position].mark = mark }

  /// Puts an app at the newest end of a list, out of any other; its mark becomes 0.
  mutating func insert(_ app: AppIndex, into list: Int, bytes: Int64) {
    if nodes[app.position].list != .max { Self.unlink(app, &nodes, &lists) }
    nodes[app.position].bytes = bytes
    nodes[app.position].mark = 0
    Self.link(app, list, &nodes, &lists)
  }

  /// Puts an app that is in a list at the newest end of another, or of the same.
  mutating func move(_ app: AppIndex, to list: Int) {
    Self.unlink(app, &nodes, &lists)
    Self.link(app, list, &nodes, &lists)
  }

  /// Takes an app out of its list, if it is in one.
  mutating func remove(_ app: AppIndex) {
    guard nodes[app.position].list != .max else { return }
    Self.unlink(app, &nodes, &lists)
  }

  /// Takes an app out of a certain list; whether it was there.
  mutating func take(_ app: AppIndex, from list: Int) -> Bool {
    guard isIn(list, app) else { return false }
    remove(app)
    return true
  }

  /// Notes an app's size now.
  mutating func resize(_ app: AppIndex, to bytes: Int64) {
    let node = nodes[app.position]
    guard bytes != node.bytes else { return }
    if node.list != .max { lists[Int(node.list)].bytes += bytes - node.bytes }
    nodes[app.position].bytes = bytes
  }

  /// Takes the oldest apps out of a list until it and `bytes` more fit a bound.
  mutating func trim(_ list: Int, toFit bytes: Int64, within bound: Int64) {
    while lists[list].count > 0, lists[list].bytes + bytes > bound { remove(oldest(list)) }
  }

  /// Makes these lists equal to others over the same apps, in the memory they have.
  mutating func copy(from other: AppQueues) {
    for list in lists.indices {
      var app = lists[list].newest
      while app != .none {
        nodes[app.position].list = .max
        app = nodes[app.position].older
      }
    }
    for list in lists.indices {
      lists[list] = other.lists[list]
      var app = lists[list].newest
      while app != .none {
        nodes[app.position] = other.nodes[app.position]
        app = nodes[app.position].older
      }
    }
  }

  // Through spans an array is asked once per step whether it is shared, and not at each access.

  private static func link(
    _ app: AppIndex, _ list: Int, _ nodes: inout [Node], _ lists: inout [List]
  ) {
    var nodes = nodes.mutableSpan
    var lists = lists.mutableSpan
    let second = lists[list].newest
    nodes[app.position].newer = .none
    nodes[app.position].older = second
    nodes[app.position].list = UInt8(truncatingIfNeeded: list)
    if second == .none {
      lists[list].oldest = app
    } else {
      nodes[second.position].newer = app
    }
    lists[list].newest = app
    lists[list].count += 1
    lists[list].bytes += nodes[app.position].bytes
  }

  private static func unlink(
    _ app: AppIndex, _ nodes: inout [Node], _ lists: inout [List]
  ) {
    var nodes = nodes.mutableSpan
    var lists = lists.mutableSpan
    let node = nodes[app.position]
    let list = Int(node.list)
    if node.newer == .none {
      lists[list].newest = node.older
    } else {
      nodes[node.newer.position].older = node.older
    }
    if node.older == .none {
      lists[list].oldest = node.newer
    } else {
      nodes[node.older.position].newer = node.newer
    }
    lists[list].count -= 1
    lists[list].bytes -= node.bytes
    nodes[app.position].list = .max
  }
}
