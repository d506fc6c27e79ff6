/// Doubly linked lists of apps, each app in at most one of them: the queues of replacement
/// algorithms.
///
/// A list runs from its newest app to its oldest. Each app carries its size in bytes, so that a
/// list knows its total, and one small number for the algorithm (a reference bit, a count of hits).
/// State: one node per app of the trace. Every operation is O(1) and allocates nothing, except that
/// a copy visits the apps in lists.
struct AppQueues: Sendable {
  /// An app's place in a ring; beyond the apps, where the ring of a list begins and ends.
  private struct Node: BitwiseCopyable {
    var newer: AppIndex
    var older: AppIndex
    /// The app's size, or the sum of those in the list.
    var bytes: Int64 = 0
    /// How many apps are in the list.
    var count: UInt32 = 0
    var list = Self.none
    var mark: UInt8 = 0

    /// Of an app in no list.
    static let none = UInt8.max

    /// A ring of its own.
    init(_ place: AppIndex) {
      newer = place
      older = place
    }
  }

  // In one array: whoever changes it asks once whether it is shared.
  private var nodes: [Node]
  private let appCount: Int
  private let listCount: Int

  /// Makes empty lists.
  ///
  /// - Precondition: There are fewer than 255 lists.
  init(appCount: Int, listCount: Int) {
    precondition(listCount < 255, "a list's number fits a byte")
    nodes = (0..<appCount + listCount).map { Node(AppIndex($0)) }
    self.appCount = appCount
    self.listCount = listCount
  }

  // MARK: Looking

  /// The number of the list that an app is in, or nil.
  func list(of app: AppIndex) -> Int? {
    let list = nodes[app.position].list
    return list == Node.none ? nil : Int(list)
  }

  /// Whether an app is in a certain list.
  func isIn(_ list: Int, _ app: AppIndex) -> Bool {
    nodes[app.position].list == UInt8(truncatingIfNeeded: list)
  }

  /// The newest app of a list, or none.
  func newest(_ list: Int) -> AppIndex { app(at: nodes[appCount + list].older) }

  /// The oldest app of a list, or none.
  func oldest(_ list: Int) -> AppIndex { app(at: nodes[appCount + list].newer) }

  /// The next newer app in the same list, or none.
  func newer(than app: AppIndex) -> AppIndex { self.app(at: nodes[app.position].newer) }

  private func app(at place: AppIndex) -> AppIndex { place.position < appCount ? place : .none }

  /// Sum of the sizes in a list.
  func bytes(_ list: Int) -> Int64 { nodes[appCount + list].bytes }

  /// Number of apps in a list.
  func count(_ list: Int) -> Int { Int(nodes[appCount + list].count) }

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
    let appCount = appCount
    var nodes = nodes.mutableSpan
    if nodes[app.position].list != Node.none { Self.unlink(app, appCount, &nodes) }
    nodes[app.position].bytes = bytes
    nodes[app.position].mark = 0
    Self.link(app, list, appCount, &nodes)
  }

  /// Puts an app that is in a list at the newest end of another, or of the same, with another mark if
  /// one is given.
  mutating func move(_ app: AppIndex, to list: Int, mark: UInt8? = nil) {
    let appCount = appCount
    var nodes = nodes.mutableSpan
    if let mark { nodes[app.position].mark = mark }
    Self.unlink(app, appCount, &nodes)
    Self.link(app, list, appCount, &nodes)
  }

  /// Takes an app out of its list, if it is in one.
  mutating func remove(_ app: AppIndex) {
    guard nodes[app.position].list != Node.none else { return }
    let appCount = appCount
    var nodes = nodes.mutableSpan
    Self.unlink(app, appCount, &nodes)
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
    if node.list != Node.none { nodes[appCount + Int(node.list)].bytes += bytes - node.bytes }
    nodes[app.position].bytes = bytes
  }

  /// Takes the oldest apps out of a list until it and `bytes` more fit a bound.
  mutating func trim(_ list: Int, toFit bytes: Int64, within bound: Int64) {
    while count(list) > 0, self.bytes(list) + bytes > bound { remove(oldest(list)) }
  }

  /// Makes these lists equal to others over the same apps, in the memory they have.
  mutating func copy(from other: AppQueues) {
    for list in 0..<listCount {
      var app = oldest(list)
      while app != .none {
        nodes[app.position].list = Node.none
        app = newer(than: app)
      }
    }
    for list in 0..<listCount {
      nodes[appCount + list] = other.nodes[appCount + list]
      var app = oldest(list)
      while app != .none {
        nodes[app.position] = other.nodes[app.position]
        app = newer(than: app)
      }
    }
  }

  @inline(__always)
  private static func link(
    _ app: AppIndex, _ list: Int, _ appCount: Int, _ nodes: inout MutableSpan<Node>
  ) {
    let end = AppIndex(appCount + list)
    let newest = nodes[end.position].older
    nodes[app.position].newer = end
    nodes[app.position].older = newest
    nodes[app.position].list = UInt8(truncatingIfNeeded: list)
    nodes[newest.position].newer = app
    nodes[end.position].older = app
    nodes[end.position].count += 1
    nodes[end.position].bytes += nodes[app.position].bytes
  }

  @inline(__always)
  private static func unlink(_ app: AppIndex, _ appCount: Int, _ nodes: inout MutableSpan<Node>) {
    let node = nodes[app.position]
    let end = appCount + Int(node.list)
    nodes[node.newer.position].older = node.older
    nodes[node.older.position].newer = node.newer
    nodes[end].count -= 1
    nodes[end].bytes -= node.bytes
    nodes[app.position].list = Node.none
  }
}
