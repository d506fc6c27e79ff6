/// Candidates in the engine's total order, as far as they come in that order.
///
/// Under `lru` and `fifo` each new candidate goes after all others, so that a list is enough: the next
/// victim is at its head. An app that does not fit at the end is not taken.
///
/// The list is a ring that begins and ends at a node of nobody's, and an app that is not in is a ring
/// of its own: to take an app out is the same for both, without a guess for the processor.
struct CandidateList: ~Copyable {
  // Not private: 6.3 emits broken code for tests that make a list then.
  struct Node: BitwiseCopyable {
    var earlier: AppIndex
    var later: AppIndex
    /// Of an app that is not in, one with a score that equals none.
    var candidate: Candidate
  }

  private static let longestWalk = 3

  /// By ``AppIndex``, and after them that of nobody, which comes before every candidate.
  private var nodes: Column<Node>
  private let end: AppIndex

  init(appCount: Int) {
    nodes = Column(capacity: appCount + 1)
    end = AppIndex(appCount)
    for position in 0...appCount {
      let app = AppIndex(position)
      nodes.append(Node(earlier: app, later: app, candidate: .absent))
    }
    nodes[appCount].candidate = .beforeAll
  }

  /// The next victim; nil if the list is empty.
  var first: Candidate? {
    let head = nodes[end.position].later
    return head == end ? nil : nodes[head.position].candidate
  }

  /// Takes a candidate in at the end, or keeps one where it stands if it belongs there now; otherwise
  /// it is not in the list any more.
  ///
  /// - Returns: Whether it is in the list.
  /// - Complexity: O(1).
  @inline(__always)
  mutating func take(_ candidate: Candidate) -> Bool {
    let app = candidate.app
    // One with another score is not worth a look: where scores change at all, they rise.
    if nodes[app.position].candidate.score.bitPattern == candidate.score.bitPattern,
      belongs(candidate)
    {
      nodes[app.position].candidate = candidate
      return true
    }
    unlink(app)
    var earlier = nodes[end.position].earlier
    // Apps that something happened to may be told in the order in which it happened first, not last: then
    // places are found a few steps from the end.
    for _ in 0..<Self.longestWalk {
      if Candidate.precedes(nodes[earlier.position].candidate, candidate) {
        link(candidate, after: earlier)
        return true
      }
      earlier = nodes[earlier.position].earlier
    }
    setApart(app)
    return false
  }

  /// Takes an app out, if it is in.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  mutating func remove(_ app: AppIndex) {
    unlink(app)
    setApart(app)
  }

  @inline(__always)
  private mutating func link(_ candidate: Candidate, after earlier: AppIndex) {
    let app = candidate.app
    let later = nodes[earlier.position].later
    nodes[app.position] = Node(earlier: earlier, later: later, candidate: candidate)
    nodes[earlier.position].later = app
    nodes[later.position].earlier = app
  }

  @inline(__always)
  private mutating func unlink(_ app: AppIndex) {
    let (earlier, later) = (nodes[app.position].earlier, nodes[app.position].later)
    nodes[earlier.position].later = later
    nodes[later.position].earlier = earlier
  }

  @inline(__always)
  private mutating func setApart(_ app: AppIndex) {
    nodes[app.position].earlier = app
    nodes[app.position].later = app
    nodes[app.position].candidate.score = .nan
  }

  /// Whether a candidate stands between its neighbours with what decides its place now.
  @inline(__always)
  private mutating func belongs(_ candidate: Candidate) -> Bool {
    let (earlier, later) = (
      nodes[candidate.app.position].earlier, nodes[candidate.app.position].later
    )
    return
      (later == end || Candidate.precedes(candidate, nodes[later.position].candidate))
      && Candidate.precedes(nodes[earlier.position].candidate, candidate)
  }
}

extension Candidate {
  /// Of an app that is none.
  fileprivate static var absent: Candidate {
    Candidate(app: .none, group: 0, score: .nan, suspendedAt: 0, footprintBytes: 0)
  }

  /// Before all that there are, whatever a policy says of them.
  fileprivate static var beforeAll: Candidate {
    Candidate(
      app: .none, group: 0, score: -.infinity, suspendedAt: .min, footprintBytes: .max)
  }
}
