/// A setting that a run cannot use: a name nobody knows, a value out of range.
///
/// Payloads hold facts; ``description`` is the sentence.
public enum ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No such thing: `what` ("policy", "device", "setting"), the name given and those that exist.
  case unknown(what: String, name: String, known: [String])
  /// A value that does not fit; `remedy` says what to write instead.
  case invalid(what: String, text: String, remedy: String)

  /// The sentence, with the nearest known name where there is one.
  public var description: String {
    switch self {
    case .unknown(let what, let name, let known):
      let nearest = Self.nearest(to: name, in: known).map { " (did you mean '\($0)'?)" } ?? ""
      let list = known.isEmpty ? "there is none" : "known: \(known.joined(separator: ", "))"
      return "unknown \(what) '\(name)'\(nearest); \(list)"
    case .invalid(let what, let text, let remedy):
      return "\(what) '\(text)' cannot be used: \(remedy)"
    }
  }

  /// The known name that differs in capitals only, else the one with the smallest edit distance, if
  /// that is at most a third of the name.
  private static func nearest(to name: String, in known: [String]) -> String? {
    if name.utf8.count <= 64,
      let same = known.first(where: { $0.lowercased() == name.lowercased() })
    {
      return same
    }
    let limit = max(1, name.utf8.count / 3)
    var best: (name: String, distance: Int, growth: Int)?
    for candidate in known {
      let distance = editDistance(Array(name.utf8.prefix(64)), Array(candidate.utf8))
      // Of two equally near, the one with as many letters: two of them were swapped.
      let growth = abs(candidate.utf8.count - name.utf8.count)
      if distance <= limit,
        (distance, growth) < (best?.distance ?? .max, best?.growth ?? .max)
      {
        best = (candidate, distance, growth)
      }
    }
    return best?.name
  }

  /// Names by how little they differ from one, those that differ equally in order of their bytes.
  ///
  /// - Complexity: O(n log n) in names, each compared in O(length²).
  package static func byNearness(to name: String, _ names: [String]) -> [String] {
    let bytes = Array(name.utf8.prefix(64))
    let ranked = names.map { (distance: editDistance(bytes, Array($0.utf8.prefix(64))), name: $0) }
    return ranked.sorted { first, second in
      first.distance != second.distance
        ? first.distance < second.distance
        : first.name.utf8.lexicographicallyPrecedes(second.name.utf8)
    }.map(\.name)
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
