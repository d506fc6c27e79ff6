import Testing

@testable import JettisonCore

@Suite("Linux: control groups")
struct ControlGroupTreeTests {
  static let tree = ControlGroupTree(paths: [
    "user.slice/app-a", "user.slice/app-b", "system.slice/x", "user.slice/app-a", "top",
    "user.slice/user-1.slice/app-c",
  ])

  static func paths(_ numbers: [Int]) -> [String] { numbers.map { tree.nodes[$0].path } }

  @Test("A tree has each group once, parents before children")
  func builds() {
    #expect(
      Self.paths(Array(Self.tree.nodes.indices)) == [
        "", "user.slice", "user.slice/app-a", "user.slice/app-b", "system.slice",
        "system.slice/x", "top", "user.slice/user-1.slice", "user.slice/user-1.slice/app-c",
      ])
    #expect(Self.tree.nodeOfApp == [2, 3, 5, 2, 6, 8])
    #expect(Self.tree.contains(1, 8))
    #expect(!Self.tree.contains(4, 8))
    #expect(Self.tree.contains(0, 6))
    #expect(Self.tree.leaves(below: 1) == [2, 3, 8])
    #expect(Self.tree.leaves(below: 6) == [6])
  }

  @Test(
    "Patterns name groups by parts of their paths",
    arguments: [
      ("/", [""]), ("user.slice", ["user.slice"]),
      ("user.slice/*", ["user.slice/app-a", "user.slice/app-b", "user.slice/user-1.slice"]),
      ("user.slice/app-?,top", ["user.slice/app-a", "user.slice/app-b", "top"]),
      ("*.slice/[!a]*", ["system.slice/x", "user.slice/user-1.slice"]),
      ("top,top", ["top"]), ("user.slice/*/*", ["user.slice/user-1.slice/app-c"]),
      ("none", []), ("", []),
    ] as [(String, [String])])
  func matches(_ patterns: String, _ expected: [String]) {
    #expect(Self.paths(Self.tree.matches(patterns)) == expected)
  }

  @Test(
    "Wildcards within a part",
    arguments: [
      ("abc", "a*c", true), ("abc", "*", true), ("", "*", true), ("abc", "a?c", true),
      ("abc", "a[a-c]c", true), ("abc", "a[!a-c]c", false), ("a]c", "a[]]c", true),
      ("a[c", "a[c", true), ("abcabc", "*abc", true), ("abcab", "*abc", false),
      ("aaaaaaaaaaaaaaaaaaaaaaaa", "*a*a*a*a*a*a*a*b", false), ("abc", "", false),
      ("", "?", false),
    ] as [(String, String, Bool)])
  func wildcards(_ text: String, _ pattern: String, _ expected: Bool) {
    #expect(ShellPattern.matches(Array(text.utf8), Array(pattern.utf8)[...]) == expected)
  }

  @Test("A path of absurd depth is cut, not followed")
  func depth() {
    let tree = ControlGroupTree(paths: [String(repeating: "a/", count: 100_000)])
    #expect(tree.nodes.count == ControlGroupTree.maximumDepth + 1)
    #expect(tree.leaves(below: 0).count == 1)
  }
}
