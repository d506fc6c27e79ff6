/// What followed what: how often each app was launched after each sequence of up to `order` apps.
///
/// A trie of contexts, newest app first. A context counts all its occurrences,
/// so the root holds how often each app was launched at all. State: a node per context seen and a
/// number per (context, app) seen. O(order × apps that followed) per launch.
struct ContextCounts: Sendable {
  /// An app that followed a context; part of the context's list.
  private struct Follower {
    let app: AppIndex
    let next: Int32
    var count: Int32
  }

  private struct Node {
    /// The app that the context is longer by than its parent.
    let app: AppIndex
    let sibling: Int32
    var firstChild: Int32 = -1
    var firstFollower: Int32 = -1
    /// Launches that followed.
    var total: Int32 = 0
    /// Different apps among them.
    var distinct: Int32 = 0
  }

  /// The length of the longest context, in launches.
  let order: Int
  private var nodes = [Node(app: .none, sibling: -1)]
  private var followers: [Follower] = []
  /// Nodes of the current context, shortest first; those that do not exist yet are missing.
  private var path: [Int32] = [0]
  /// The launches of the longest current context, newest first.
  private var recent: [AppIndex] = []

  init(order: Int) {
    self.order = order
    path.reserveCapacity(order + 1)
    recent.reserveCapacity(order + 1)
  }

  /// Counts a launch after the current contexts, and moves on.
  mutating func launched(_ app: AppIndex) {
    addContexts()
    for position in path.indices { count(app, after: Int(path[position])) }
    recent.insert(app, at: 0)
    if recent.count > order { recent.removeLast() }
    path.removeAll(keepingCapacity: true)
    path.append(0)
    for position in recent.indices {
      let child = child(of: Int(path[position]), app: recent[position])
      guard child >= 0 else { break }
      path.append(child)
    }
  }

  /// Makes nodes for the current contexts that have none yet.
  private mutating func addContexts() {
    while path.count <= recent.count {
      let parent = Int(path[path.count - 1])
      let child = Int32(nodes.count)
      nodes.append(Node(app: recent[path.count - 1], sibling: nodes[parent].firstChild))
      nodes[parent].firstChild = child
      path.append(child)
    }
  }

  private func child(of node: Int, app: AppIndex) -> Int32 {
    var child = nodes[node].firstChild
    while child >= 0, nodes[Int(child)].app != app { child = nodes[Int(child)].sibling }
    return child
  }

  private mutating func count(_ app: AppIndex, after node: Int) {
    nodes[node].total += 1
    var follower = nodes[node].firstFollower
    while follower >= 0 {
      if followers[Int(follower)].app == app {
        followers[Int(follower)].count += 1
        return
      }
      follower = followers[Int(follower)].next
    }
    nodes[node].distinct += 1
    followers.append(Follower(app: app, next: nodes[node].firstFollower, count: 1))
    nodes[node].firstFollower = Int32(followers.count - 1)
  }

  // MARK: Questions about the current contexts

  /// The length of the longest current context that was seen before.
  var longest: Int { path.count - 1 }

  /// Launches that followed the newest `length` launches.
  func total(after length: Int) -> Double { Double(nodes[Int(path[length])].total) }

  /// Different apps among them.
  func distinct(after length: Int) -> Int { Int(nodes[Int(path[length])].distinct) }

  /// Calls with each app that followed the newest `length` launches, and how often it did.
  func forEachFollower(of length: Int, _ body: (AppIndex, Double) -> Void) {
    var follower = nodes[Int(path[length])].firstFollower
    while follower >= 0 {
      let entry = followers[Int(follower)]
      body(entry.app, Double(entry.count))
      follower = entry.next
    }
  }
}
