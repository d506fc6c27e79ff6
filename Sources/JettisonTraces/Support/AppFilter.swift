/// Which apps an import keeps: those whose name matches any of some globs, or all.
///
/// `*` stands for any run of characters, `?` for one; everything else stands for itself.
package struct AppFilter: Sendable, Equatable {
  private let globs: [[Unicode.Scalar]]

  /// Makes a filter of the globs of `--apps`; none keeps all apps.
  package init(_ globs: [String]) {
    self.globs = globs.map { Array($0.unicodeScalars) }
  }

  /// Whether an app is kept.
  ///
  /// Complexity: O(globs × length of glob × length of name).
  package func keeps(_ name: String) -> Bool {
    guard !globs.isEmpty else { return true }
    let name = Array(name.unicodeScalars)
    return globs.contains { Self.matches($0, name) }
  }

  /// Greedy matching that goes back to the last `*` only: never exponential.
  private static func matches(_ glob: [Unicode.Scalar], _ name: [Unicode.Scalar]) -> Bool {
    var g = 0
    var n = 0
    var star: (glob: Int, name: Int)?
    while n < name.count {
      if g < glob.count, glob[g] == "*" {
        star = (g, n)
        g += 1
      } else if g < glob.count, glob[g] == "?" || glob[g] == name[n] {
        g += 1
        n += 1
      } else if let last = star {
        star = (last.glob, last.name + 1)
        g = last.glob + 1
        n = last.name + 1
      } else {
        return false
      }
    }
    while g < glob.count, glob[g] == "*" { g += 1 }
    return g == glob.count
  }
}
