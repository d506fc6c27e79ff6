/// Lists as people write them, joined by commas.
package enum ListText {
  /// The parts of a list, blanks around them taken off.
  package static func parts(of text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let blanks: Set<Character> = [" ", "\t"]
      let start = part.firstIndex { !blanks.contains($0) } ?? part.endIndex
      let end = part.lastIndex { !blanks.contains($0) }.map { part.index(after: $0) } ?? start
      return String(part[start..<end])
    }
  }

  /// The policies of a list whose policies may have parameters with commas.
  ///
  /// A part such as `half_life=1d` that names no policy belongs to the policy before it:
  /// `gdsf:cost=1,half_life=1d,lru` is two policies.
  package static func policies(of text: String) -> [String] {
    var result: [String] = []
    for part in parts(of: text) {
      let head = part.prefix { $0 != ":" && $0 != "+" }
      if head.contains("="), let last = result.last, last.contains(":") {
        result[result.count - 1] = last + "," + part
      } else {
        result.append(part)
      }
    }
    return result
  }
}
