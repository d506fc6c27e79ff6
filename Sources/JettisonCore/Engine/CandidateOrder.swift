/// The candidates, kept from one decision to the next so that the first of them is at hand.
///
/// Who comes in after all others stands in a list, everybody else in a tree. Neither has to know the
/// policy: where scores only rise, the tree stays empty.
struct CandidateOrder: ~Copyable {
  private var list: CandidateList
  private var tree: CandidateTree

  init(appCount: Int) {
    list = CandidateList(appCount: appCount)
    tree = CandidateTree(appCount: appCount)
  }

  /// Puts a candidate in, or where it belongs now.
  ///
  /// - Complexity: O(1) amortised.
  @inline(__always)
  mutating func put(_ candidate: Candidate) {
    if list.take(candidate) {
      tree.remove(candidate.app)
    } else {
      tree.put(candidate)
    }
  }

  /// Takes an app out, if it is in.
  ///
  /// - Complexity: O(1).
  mutating func remove(_ app: AppIndex) {
    list.remove(app)
    tree.remove(app)
  }

  /// The next victim; none if no app may go.
  ///
  /// - Complexity: O(log n) for each candidate that went or got another place.
  mutating func first() -> AppIndex {
    guard let listed = list.first else { return tree.first()?.app ?? .none }
    guard !tree.isEmpty, let other = tree.first() else { return listed.app }
    return Candidate.precedes(listed, other) ? listed.app : other.app
  }
}
