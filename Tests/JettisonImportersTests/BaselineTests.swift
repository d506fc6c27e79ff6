import Foundation
import JettisonImporters
import JettisonTraces
import Testing

/// What reading a capture costs is recorded for every format, so that a review sees a change of it.
@Suite("Baselines of the benchmarks")
struct BaselineTests {
  @Test("Every format has one")
  func everyFormat() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Benchmarks/baselines.csv")
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let cases = rows.dropFirst().map { $0.prefix { $0 != "," } }
    for format in TraceFormats.all.list {
      #expect(
        cases.contains { $0 == format.name || $0.hasPrefix("\(format.name)-") }, "\(format.name)")
    }
  }
}
