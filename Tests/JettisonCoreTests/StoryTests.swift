import Foundation
import JettisonCore
import JettisonTestSupport
import JettisonTraces
import Testing

/// The shipped traces that tell a story.
private enum Stories {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "traces/stories")

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".csv") }.sorted()
  }()
}

/// Every story in `traces/stories/` ends the way its header tells.
///
/// A header's `source` closes with `Outcome: metric=value, app:metric=value, …` in the words of
/// `summary.csv` and `apps.csv`, under `lru` on the story's own device.
struct StoryTests {
  @Test("There are at least eight stories")
  func count() {
    #expect(Stories.names.count >= 8)
  }

  @Test(
    "A story ends as its header tells", arguments: Stories.names,
    [
      FootprintSource.arena, .declared,
    ])
  func outcome(story: String, footprints: FootprintSource) throws {
    let path = Stories.folder.appending(path: story).path
    let trace = try TraceLoader.load(path)
    let source = try #require(trace.header.source)
    let outcome = try #require(source.split(separator: "Outcome: ", maxSplits: 1).last)
    let result = try Self.replay(trace, at: path, footprints: footprints)
    for claim in outcome.split(separator: ", ") {
      let sides = claim.split(separator: "=")
      let place = sides[0].split(separator: ":")
      let app = place.count == 2 ? trace.apps.firstIndex(of: String(place[0])) : nil
      let metric = try MetricTable.metric(named: String(place[place.count - 1]))
      let value = MetricReader(result).value(of: metric, app: app.map { AppIndex($0) })
      #expect(value.number == Double(sides[1]), "\(story): \(claim), measured \(value)")
    }
  }

  static func replay(
    _ trace: Trace, at path: String, footprints: FootprintSource
  ) throws -> RunResult {
    let device = try DeviceTable.device(named: trace.header.device ?? "iphone-4")
    var issues = ImportIssues()
    let profiles = try Catalog(for: trace, at: path)
      .resolve(trace, on: device, issues: &issues).map(\.profile)
    let pressure: PressureModelKind = device.era == .ios4 ? .ios4 : .thresholds
    var configuration = RunConfiguration(device: device, pressure: pressure, profiles: profiles)
    configuration.footprints = footprints
    configuration.checksArenas = true
    return try PolicySpec(parsing: "lru").run(trace, configuration)
  }
}
