/// The known names that the writer of an unknown one may have meant.
package enum NearestNames {
  /// Names that are told at most.
  private static let count = 3

  /// The nearest first: the same but for capitals, then by edits, if those are at most a third of
  /// the name and one more than the nearest needs, then names in which it begins a word.
  ///
  /// Complexity: O(known × n·m).
  package static func of(_ name: String, in known: [String]) -> [String] {
    let written = String(name.prefix(64))
    let lower = written.lowercased()
    let limit = max(1, written.utf8.count / 3)
    var found: [(name: String, rank: (Int, Int, Int))] = []
    for candidate in known {
      let distance = editDistance(Array(written.utf8.prefix(256)), Array(candidate.utf8))
      // Of two equally near, the one with as many letters: two of them were swapped.
      let growth = abs(candidate.utf8.count - written.utf8.count)
      if candidate.lowercased() == lower {
        found.append((candidate, (0, 0, 0)))
      } else if distance <= limit {
        found.append((candidate, (1, distance, growth)))
      } else if lower.utf8.count > 2, begins(lower, aWordOf: candidate.lowercased()) {
        found.append((candidate, (2, growth, 0)))
      }
    }
    let fewest = found.map(\.rank).filter { $0.0 == 1 }.map(\.1).min() ?? 0
    found.removeAll { $0.rank.0 == 1 && $0.rank.1 > fewest + 1 }
    let order = found.indices.sorted { left, right in
      found[left].rank == found[right].rank ? left < right : found[left].rank < found[right].rank
    }
    return order.prefix(count).map { found[$0].name }
  }

  private static func begins(_ text: String, aWordOf name: String) -> Bool {
    name.ranges(of: text).contains { range in
      guard range.lowerBound > name.startIndex else { return true }
      let before = name[name.index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber
    }
  }

  /// Edits from one text to the other: a letter more, less or other, or two neighbours swapped.
  ///
  /// Complexity: O(n·m).
  private static func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        let substituted = last[j] + (a[i] == b[j] ? 0 : 1)
        var best = min(substituted, last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
