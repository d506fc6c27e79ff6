/// Candidates in the engine's total order, as far as they come in that order.
///
/// Under `lru` and `fifo` each new candidate goes after all others, so that a list is enough: the next
/// victim is at its head. An app that does not fit at the end is not taken.
struct CandidateList: ~Copyable {
  // Not private: 6.3 emits broken code for tests that make a list then.
  struct Node: BitwiseCopyable {
    var earlier = AppIndex.none
    var later = AppIndex.none
    var isIn = false
    var candidate = Candidate(
      app: .none, group: 0, score: 0, suspendedAt: 0, footprintBytes: 0)
  }

  private static let longestWalk = 3

  private var nodes: Column<Node>
  private var head = AppIndex.none
  private var tail = AppIndex.none

  init(appCount: Int) {
    nodes = Column(repeating: Node(), count: appCount)
  }

  /// The next victim; nil if the list is empty.
  var first: Candidate? { head == .none ? nil : nodes[head.position].candidate }

  /// Takes a candidate in at the end, or keeps one where it stands if it belongs there now; otherwise
  /// it is not in the list any more.
  ///
  /// - Returns: Whether it is in the list.
  /// - Complexity: O(1).
  @inline(__always)
  mutating func take(_ candidate: Candidate) -> Bool {
    let app = candidate.app
    if nodes[app.position].isIn {
      if belongs(candidate) {
        nodes[app.position].candidate = candidate
        return true
      }
      _ = remove(app)
    }
    guard let earlier = placeFromEnd(of: candidate) else { return false }
    let later = earlier == .none ? head : nodes[earlier.position].later
    nodes[app.position] = Node(earlier: earlier, later: later, isIn: true, candidate: candidate)
    if earlier == .none { head = app } else { nodes[earlier.position].later = app }
    if later == .none { tail = app } else { nodes[later.position].earlier = app }
    return true
  }

  /// After whom a candidate comes, if that is found a few steps from the end: apps that something
  /// happened to are told in the order in which it happened first, not last.
  @inline(__always)
  private mutating func placeFromEnd(of candidate: Candidate) -> AppIndex? {
    var earlier = tail
    for _ in 0..<Self.longestWalk {
      if earlier == .none || Candidate.precedes(nodes[earlier.position].candidate, candidate) {
        return earlier
      }
      earlier = nodes[earlier.position].earlier
    }
    return nil
  }

  /// Takes an app out; whether it was in.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  mutating func remove(_ app: AppIndex) -> Bool {
    guard nodes[app.position].isIn else { return false }
    let (earlier, later) = (nodes[app.position].earlier, nodes[app.position].later)
    if earlier == .none { head = later } else { nodes[earlier.position].later = later }
    if later == .none { tail = earlier } else { nodes[later.position].earlier = earlier }
    nodes[app.position].isIn = false
    return true
  }

  /// Whether a candidate stands between its neighbours with what decides its place now.
  @inline(__always)
  private mutating func belongs(_ candidate: Candidate) -> Bool {
    let (earlier, later) = (
      nodes[candidate.app.position].earlier, nodes[candidate.app.position].later
    )
    return
      (later == .none || Candidate.precedes(candidate, nodes[later.position].candidate))
      && (earlier == .none || Candidate.precedes(nodes[earlier.position].candidate, candidate))
  }
}
