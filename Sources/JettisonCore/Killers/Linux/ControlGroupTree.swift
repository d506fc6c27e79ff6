/// The control groups that a run's apps live in, as a tree.
///
/// A node is numbered so that its parent has a smaller number; 0 is the root. Built once per run.
struct ControlGroupTree: Sendable {
  struct Node: Sendable {
    /// Path from the root, such as `user.slice/app-notes`; empty for the root.
    let path: String
    /// Number of the parent; the root is its own.
    let parent: Int
    fileprivate(set) var children: [Int] = []
    /// Whether all below it end together (`memory.oom.group`).
    fileprivate(set) var isWhole = false
  }

  /// Parts of a path beyond these count as one.
  static let maximumDepth = 32

  private(set) var nodes: [Node] = [Node(path: "", parent: 0)]
  /// The control group of each app, by ``AppIndex``.
  private(set) var nodeOfApp: [Int] = []

  /// Makes a tree of the paths of apps, by ``AppIndex``; `wholes` names the groups that end as a
  /// whole.
  init(paths: [String], wholes: String = "") {
    var numbers = ["": 0]
    for path in paths {
      var node = 0
      var prefix = ""
      for part in path.split(separator: "/", maxSplits: Self.maximumDepth - 1) {
        prefix += prefix.isEmpty ? String(part) : "/\(part)"
        if let known = numbers[prefix] {
          node = known
          continue
        }
        nodes.append(Node(path: prefix, parent: node))
        let number = nodes.count - 1
        nodes[node].children.append(number)
        numbers[prefix] = number
        node = number
      }
      nodeOfApp.append(node)
    }
    for node in matches(wholes) where node > 0 { nodes[node].isWhole = true }
  }

  /// Whether a node is another or lies below it.
  func contains(_ ancestor: Int, _ node: Int) -> Bool {
    var node = node
    while node > ancestor { node = nodes[node].parent }
    return node == ancestor
  }

  /// Whether a node is never split: it has no children, or ends as a whole.
  func isLeaf(_ node: Int) -> Bool { nodes[node].children.isEmpty || nodes[node].isWhole }

  /// The leaves below a node, or the node itself.
  func leaves(below node: Int) -> [Int] {
    isLeaf(node) ? [node] : nodes[node].children.flatMap { leaves(below: $0) }
  }

  /// The highest node that ends as a whole with what is in another; nil: none does.
  func whole(around node: Int) -> Int? {
    var node = node
    var found: Int?
    while node > 0 {
      if nodes[node].isWhole { found = node }
      node = nodes[node].parent
    }
    return found
  }

  /// The nodes that a comma list of patterns names, each once, in the order of the patterns.
  ///
  /// `*`, `?` and `[abc]` stand for characters of one part of a path; `/` is the root.
  func matches(_ patterns: String) -> [Int] {
    var found: [Int] = []
    for pattern in patterns.split(separator: ",") {
      let parts = pattern.split(separator: "/").map { Array($0.utf8) }
      for number in nodes.indices where !found.contains(number) {
        let path = nodes[number].path.split(separator: "/")
        guard path.count == parts.count else { continue }
        let fits = zip(path, parts).allSatisfy { ShellPattern.matches(Array($0.utf8), $1[...]) }
        if fits { found.append(number) }
      }
    }
    return found
  }
}

/// Shell wildcards within one part of a path.
enum ShellPattern {
  /// Whether a text fits a pattern of `*`, `?`, `[abc]`, `[a-z]`, `[!abc]` and plain bytes.
  ///
  /// - Complexity: O(length of text · length of pattern).
  static func matches(_ text: [UInt8], _ pattern: ArraySlice<UInt8>) -> Bool {
    var position = 0
    var rest = pattern
    var afterStar: (position: Int, rest: ArraySlice<UInt8>)?
    while position < text.count || !rest.isEmpty {
      if rest.first == UInt8(ascii: "*") {
        rest = rest.dropFirst()
        afterStar = (position, rest)
        continue
      }
      if position < text.count, let next = step(text[position], rest) {
        position += 1
        rest = next
        continue
      }
      guard let star = afterStar, star.position < text.count else { return false }
      position = star.position + 1
      rest = star.rest
      afterStar = (position, rest)
    }
    return true
  }

  /// What is left of a pattern whose beginning fits a byte; nil: it does not fit.
  private static func step(_ byte: UInt8, _ pattern: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let first = pattern.first else { return nil }
    if first == UInt8(ascii: "["), let close = closing(of: pattern) {
      let set = pattern[(pattern.startIndex + 1)..<close]
      return isIn(byte, set) ? pattern[(close + 1)...] : nil
    }
    return first == UInt8(ascii: "?") || first == byte ? pattern.dropFirst() : nil
  }

  /// Where a set ends; its first member may be a bracket.
  private static func closing(of pattern: ArraySlice<UInt8>) -> Int? {
    var from = pattern.startIndex + 1
    if from < pattern.endIndex, pattern[from] == UInt8(ascii: "!") { from += 1 }
    guard from < pattern.endIndex else { return nil }
    return pattern[(from + 1)...].firstIndex(of: UInt8(ascii: "]"))
  }

  private static func isIn(_ byte: UInt8, _ set: ArraySlice<UInt8>) -> Bool {
    let isNegated = set.first == UInt8(ascii: "!")
    let members = Array(isNegated ? set.dropFirst() : set)
    var found = false
    var position = 0
    while position < members.count {
      if position + 2 < members.count, members[position + 1] == UInt8(ascii: "-") {
        found = found || (members[position] <= byte && byte <= members[position + 2])
        position += 3
      } else {
        found = found || members[position] == byte
        position += 1
      }
    }
    return found != isNegated
  }
}
