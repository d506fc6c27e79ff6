/// A pattern of names: `*` stands for any run of characters, `?` for one, everything else for itself.
package struct NameGlob: Sendable, Equatable {
  private let glob: [Unicode.Scalar]

  /// Makes a pattern.
  package init(_ glob: String) {
    self.glob = Array(glob.unicodeScalars)
  }

  /// Whether the whole name fits.
  ///
  /// Greedy matching that goes back to the last `*` only: never exponential.
  ///
  /// Complexity: O(length of glob × length of name).
  package func matches(_ name: String) -> Bool {
    let name = Array(name.unicodeScalars)
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
