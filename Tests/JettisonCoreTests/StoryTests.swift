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

/// Every story in `traces/stories/` ends the way its header tells, under `lru` on its own device:
/// see ``StoryClaim``.
struct StoryTests {
  @Test("There are stories, they are short, and the guide to the traces names each")
  func count() throws {
    #expect(Stories.names.count >= 40)
    let guide = try String(
      contentsOf: Stories.folder.deletingLastPathComponent().appending(path: "README.md"),
      encoding: .utf8)
    for name in Stories.names {
      let trace = try TraceLoader.load(Stories.folder.appending(path: name).path)
      #expect(trace.events.count <= 20, "\(name)")
      #expect(guide.contains("`\(name)`"), "\(name)")
    }
  }

  @Test("A story ends as its header tells", arguments: Stories.names)
  func outcome(story: String) throws {
    let path = Stories.folder.appending(path: story).path
    let trace = try TraceLoader.load(path)
    let claims = StoryClaim.all(of: trace)
    #expect(!claims.isEmpty, "\(story) claims nothing")
    var configuration = try Self.configuration(trace, at: path)
    for footprints in [FootprintSource.arena, .declared] {
      configuration.footprints = footprints
      try Self.hold(claims, trace, configuration, on: .fast)
    }
    // The model engine knows two models; where memory is short, other phones act as under the older.
    if configuration.pressure != .ios4, configuration.pressure != .thresholds {
      configuration.pressure = .ios4
    }
    try Self.hold(claims, trace, configuration, on: .model)
  }

  private static func hold(
    _ claims: [StoryClaim], _ trace: Trace, _ configuration: RunConfiguration,
    on engine: NamedEngine
  ) throws {
    let (result, events, _) = engine.run(trace, configuration, "lru", "")
    for claim in claims {
      if let contradiction = try claim.contradiction(trace, result, events) {
        Issue.record("\(engine), \(configuration.footprints): \(contradiction)")
      }
    }
  }

  private static func configuration(_ trace: Trace, at path: String) throws -> RunConfiguration {
    let device = try DeviceTable.device(named: trace.header.device ?? "iphone-4")
    var issues = ImportIssues()
    let profiles = try Catalog(for: trace, at: path)
      .resolve(trace, on: device, issues: &issues).map(\.profile)
    var configuration = RunConfiguration(
      device: device, pressure: device.era?.pressureModel ?? .thresholds, profiles: profiles)
    configuration.checksArenas = true
    return configuration
  }
}
