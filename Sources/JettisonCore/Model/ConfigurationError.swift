/// A setting that a run cannot use: a name nobody knows, a value out of range.
///
/// Payloads hold facts; ``description`` is the sentence.
public enum ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No such thing: `what` ("policy", "device", "setting"), the name given and those that exist.
  case unknown(what: String, name: String, known: [String])
  /// A value that does not fit; `remedy` says what to write instead.
  case invalid(what: String, text: String, remedy: String)

  public var description: String {
    switch self {
    case .unknown(let what, let name, let known):
      let nearest = Self.nearest(to: name, in: known).map { " (did you mean '\($0)'?)" } ?? ""
      return "unknown \(what) '\(name)'\(nearest); known: \(known.joined(separator: ", "))"
    case .invalid(let what, let text, let remedy):
      return "\(what) '\(text)' cannot be used: \(remedy)"
    }
  }

  /// The known name with the smallest edit distance, if it is at most a third of the name.
  private static func nearest(to name: String, in known: [String]) -> String? {
    let limit = max(1, name.utf8.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in known {
      let distance = editDistance(Array(name.utf8.prefix(64)), Array(candidate.utf8))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Levenshtein distance. Complexity: O(n·m).
  private static func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for i in 0..<a.count {
      var diagonal = row[0]
      row[0] = i + 1
      for j in 0..<b.count {
        let substituted = diagonal + (a[i] == b[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
