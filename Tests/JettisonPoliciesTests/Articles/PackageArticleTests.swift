import Foundation
import Testing

/// The package of the article on policies of one's own, whose source `LeastHarm.swift` beside this
/// file holds.
struct PackageArticleTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("The source of the article is the one that is tested")
  func sample() throws {
    let article = try Self.text("../../../Sources/JettisonCore/JettisonCore.docc/YourOwnPolicy.md")
    #expect(article.contains("```swift\n\(try Self.text("LeastHarm.swift"))```"))
  }

  @Test("It prints what the article says")
  func output() throws {
    let article = try Self.text("../../../Sources/JettisonCore/JettisonCore.docc/YourOwnPolicy.md")
    let trace = Self.folder.appendingPathComponent("../../../traces/users-2010/user-006.csv").path
    let lines = try comparison(of: trace).joined(separator: "\n")
    #expect(article.contains("```\n$ swift run my-policies user-006.csv\n\(lines)\n```"))
  }
}
