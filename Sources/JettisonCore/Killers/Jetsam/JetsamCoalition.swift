/// The order in which the foreground band dies, the only band that is sorted.
package enum JetsamCoalition {
  /// What a process is to its coalition, in the order in which they go.
  package enum Role: Int, Comparable, BitwiseCopyable, Sendable {
    case undefined, appExtension, service, leader

    package static func < (lhs: Role, rhs: Role) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// A process of the band.
  package struct Member: BitwiseCopyable, Sendable, Equatable {
    /// Where it stands among those that are sorted.
    let position: Int
    /// Which coalition it belongs to.
    let coalition: Int
    let role: Role
    let footprintBytes: Int64

    package init(position: Int, coalition: Int, role: Role, footprintBytes: Int64) {
      self.position = position
      self.coalition = coalition
      self.role = role
      self.footprintBytes = footprintBytes
    }
  }

  /// Most coalitions that are looked at: the others stay at the tail.
  static let leaderLimit = 10

  /// Positions in the order in which they die, from the order of the queue.
  ///
  /// The largest coalition goes first; in it, the leader last; of one role, the larger first.
  /// Without a leader, the largest process goes first.
  package static func order(_ members: [Member]) -> [Int] {
    let leaders = members.filter { $0.role == .leader }.prefix(leaderLimit)
    guard !leaders.isEmpty else {
      return members.sorted {
        precedes($0.footprintBytes, $0.position, $1.footprintBytes, $1.position)
      }
      .map(\.position)
    }
    func total(_ coalition: Int) -> Int64 {
      members.filter { $0.coalition == coalition }.reduce(0) { $0 + $1.footprintBytes }
    }
    let coalitions = leaders.map { (id: $0.coalition, bytes: total($0.coalition), $0.position) }
      .sorted { precedes($0.bytes, $0.2, $1.bytes, $1.2) }
    var order: [Int] = []
    for coalition in coalitions {
      let own = members.filter { $0.coalition == coalition.id && !order.contains($0.position) }
      order += own.sorted { a, b in
        a.role != b.role
          ? a.role < b.role
          : precedes(a.footprintBytes, a.position, b.footprintBytes, b.position)
      }.map(\.position)
    }
    return order + members.map(\.position).filter { !order.contains($0) }
  }

  private static func precedes(_ a: Int64, _ i: Int, _ b: Int64, _ j: Int) -> Bool {
    a != b ? a > b : i < j
  }
}
