/// A process as the killers see it.
package struct KillableProcess: BitwiseCopyable, Sendable {
  package let adj: Int16
  /// Rank of the last time its value was set, also to the same one: lower is longer ago.
  package let setOrder: Int64
  package let residentBytes: Int64

  package init(adj: Int16, setOrder: Int64, residentBytes: Int64) {
    self.adj = adj
    self.setOrder = setOrder
    self.residentBytes = residentBytes
  }

  /// Whether lmkd kills this one before another: the higher value; within one the tail of its
  /// list, set longest ago; or the heaviest, of equal ones the one set last, if told so and always
  /// from 200 down.
  package func precedes(_ other: KillableProcess, killsHeaviest: Bool) -> Bool {
    if adj != other.adj { return adj > other.adj }
    if killsHeaviest || adj <= OomAdj.perceptible {
      if residentBytes != other.residentBytes { return residentBytes > other.residentBytes }
      return setOrder > other.setOrder
    }
    return setOrder < other.setOrder
  }

  /// Position of the victim among processes of at least a value; nil: there is none.
  package static func victim(
    among processes: [KillableProcess], minAdj: Int16, killsHeaviest: Bool
  ) -> Int? {
    var best: Int?
    for (position, process) in processes.enumerated() where process.adj >= minAdj {
      if let chosen = best,
        !process.precedes(processes[chosen], killsHeaviest: killsHeaviest)
      {
        continue
      }
      best = position
    }
    return best
  }
}
