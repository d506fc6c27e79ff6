import JettisonCore
import JettisonPolicies
import JettisonTestSupport

/// Accesses to a textbook cache and what became of them, in one line.
///
/// `a b a+ c>b` is: a and b launched cold, a again and hot, c cold after b was purged for it. Two
/// victims are `c>ba`, in the order in which they went. One access a second.
enum CacheStory {
  /// The accesses of a story.
  static func accesses(of story: String) -> [String] {
    story.split(separator: " ").map { String($0.prefix(1)) }
  }

  /// Replays accesses on `ideal-cache` and tells the story.
  ///
  /// Without `sizes` the capacity counts apps; sizes are bytes by the app's letter.
  static func told(
    _ accesses: [String], under policy: String, capacity: Int64, sizes: [String: Int64] = [:],
    seed: UInt64 = 1, pinned: [String] = []
  ) throws -> String {
    var text = TraceText()
    for (second, app) in accesses.enumerated() { text = text.row(Double(second), app, "launch") }
    return try told(
      text.end(Double(accesses.count)).trace(), under: policy, capacity: capacity, sizes: sizes,
      seed: seed, pinned: pinned)
  }

  /// Replays a trace on `ideal-cache` and tells the story of its launches.
  static func told(
    _ trace: Trace, under policy: String, capacity: Int64, sizes: [String: Int64] = [:],
    seed: UInt64 = 1, pinned: [String] = []
  ) throws -> String {
    var device = try DeviceTable.device(named: "ideal-cache")
    if !sizes.isEmpty { device.ramBytes = capacity }
    var configuration = RunConfiguration(
      device: device, pressure: .idealCache,
      profiles: trace.apps.map {
        var profile = AppProfile()
        profile.launchFootprintBytes = sizes[$0] ?? 1
        return profile
      })
    configuration.capacityApps = sizes.isEmpty ? capacity : nil
    configuration.footprints = .declared
    configuration.seed = seed
    configuration.pinned = trace.apps.indices.filter { pinned.contains(trace.apps[$0]) }
      .map { AppIndex($0) }
    let recorder = CapturingRecorder(wantsFootprints: false)
    _ = try PolicySpec(parsing: policy).run(trace, configuration, recorder: recorder)
    return story(recorder.events, trace.apps)
  }

  private static func story(_ events: [EventRecord], _ names: [String]) -> String {
    var words: [String] = []
    var victims = ""
    for event in events {
      switch event.kind {
      case .purge: victims += names[event.app.position]
      case .launch:
        let hit = event.cause == .cold ? "" : "+"
        words.append(names[event.app.position] + hit + (victims.isEmpty ? "" : ">" + victims))
        victims = ""
      default: break
      }
    }
    return words.joined(separator: " ")
  }
}
