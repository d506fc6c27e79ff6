import Foundation
import JettisonCore
import JettisonImporters
import JettisonReports
import JettisonTraces
import Testing

@testable import JettisonExperiments

/// Real programs that a real kernel killed: `traces/captured/kills`, made by `record-kills.py`.
@Suite("Kills by the Linux kernel")
struct CapturedKillsTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../traces/captured/kills").standardizedFileURL.path

  /// What `linux-oom` makes of the traces of one half.
  private static func figures(of half: String, modelledRanks: Bool = false) throws
    -> (settings: Int, figures: ValidationFigures)
  {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(half)").sorted()
    var rows: [ValidationRow] = []
    for name in names {
      let path = "\(folder)/\(half)/\(name)"
      let trace = try TraceLoader.load(path, formats: .all)
      var options = SpecificationText()
      options.add(.policies, "linux-oom")
      if modelledRanks { options.add(.adj, "modelled") }
      let plan = try RunPlanner(options.specification(for: .inspect)).plan([
        LoadedTrace(path: path, trace: trace, catalog: try Catalog(for: trace, at: path))
      ])
      rows += try ValidationRunner().run(0, of: plan).rows
    }
    return (names.count, ValidationFigures(rows))
  }

  @Test("There are 300 kills in 30 settings, half of them only to test")
  func enough() throws {
    let develop = try Self.figures(of: "develop")
    let test = try Self.figures(of: "test")
    #expect(develop.settings >= 15 && test.settings >= 15)
    #expect(develop.figures.observedKills + test.figures.observedKills >= 300)
  }

  @Test("Of the kernel's victims at least 95 % are named, on the half that is only to test")
  func victims() throws {
    let figures = try Self.figures(of: "test").figures
    #expect(figures.rankedKills == figures.observedKills, "everybody who died could have")
    #expect(figures.firstShare ?? 0 >= 0.95, "\(figures.firstKills) of \(figures.rankedKills)")
    // No idea at all, and no ranks, would be worth this much.
    #expect(figures.chanceOfFirstKills < 0.3 * Double(figures.rankedKills))
    let modelled = try Self.figures(of: "test", modelledRanks: true).figures
    #expect(modelled.firstKills < figures.firstKills)
  }
}
