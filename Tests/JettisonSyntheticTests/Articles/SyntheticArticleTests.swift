import Foundation
import JettisonCore
import JettisonTestSupport
import JettisonTraces
import Testing

/// The sample of the module's page, which `WritePeople.swift` beside this file holds.
@Suite("The page of JettisonSynthetic")
struct SyntheticArticleTests {
  @Test("The sample of the page is the one that is tested")
  func sample() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let code = try String(
      contentsOf: folder.appendingPathComponent("WritePeople.swift"), encoding: .utf8)
    let page = try String(
      contentsOf: folder.appendingPathComponent(
        "../../../Sources/JettisonSynthetic/JettisonSynthetic.docc/JettisonSynthetic.md"),
      encoding: .utf8)
    #expect(page.contains("```swift\n\(code)```"))
  }

  @Test("It writes a trace for each person, who has the app")
  func traces() throws {
    try withScratchFolder { folder in
      try writePeople(into: folder.path)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(names.count == 20)
      #expect(names.first == "2010-0.csv")
      #expect(names.last == "today-9.csv")
      for name in names {
        let trace = try TraceLoader.load(folder.appendingPathComponent(name).path)
        #expect(trace.apps.contains("com.example.mine"), "\(name)")
      }
    }
  }
}
