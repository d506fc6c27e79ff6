import JettisonTestSupport

@testable import JettisonCore

/// A policy that is told of launches by hand, without an engine.
///
/// Apps are called `a`, `b`, `c` and so on. As on the textbook cache, nothing is ever suspended.
struct HandDriven<Policy: PurgePolicy>: ~Copyable {
  var policy: Policy
  var apps: AppTable
  var time: Int64 = 0

  /// Makes a table of apps with the given footprints in bytes and relaunch costs in seconds.
  init(_ policy: Policy, apps count: Int, bytes: [Int64] = [], seconds: [Double] = []) throws {
    var text = TraceText()
    for app in 0..<count { text = text.row(0, Self.name(app), "launch") }
    let profiles = (0..<count).map { app in
      var profile = AppProfile()
      profile.coldLaunchNanoseconds =
        app < seconds.count ? Int64((seconds[app] * 1e9).rounded()) : 1_000_000_000
      return profile
    }
    apps = AppTable(trace: try text.end(1).trace(), profiles: profiles)
    for app in 0..<count {
      apps[AppIndex(app)].footprintBytes = app < bytes.count ? bytes[app] : 1
    }
    self.policy = policy
  }

  static func name(_ app: Int) -> String { String(UnicodeScalar(UInt8(97 + app))) }

  /// Launches apps by their letters, a second apart.
  mutating func launch(_ letters: String) {
    for letter in letters.utf8 { launch(app: Int(letter) - 97) }
  }

  mutating func launch(app: Int) {
    time += 1_000_000_000
    let app = AppIndex(app)
    apps[app].launchesSeen += 1
    policy.observe(EngineEvent(.requested, app: app, at: time), apps: apps)
    policy.observe(EngineEvent(.launched, app: app, at: time), apps: apps)
  }

  /// Purges an app by its letter.
  mutating func purge(_ letter: String) {
    policy.observe(
      EngineEvent(
        .ended, app: AppIndex(Int(letter.utf8[letter.utf8.startIndex]) - 97), at: time,
        endCause: .purge),
      apps: apps)
  }

  /// Scores of apps by their letters.
  mutating func scores(_ letters: String) throws -> [Double] {
    let request = PurgeRequest(
      timeNanoseconds: time, decision: 1, neededBytes: 1, availableBytes: 0, level: .normal,
      trigger: .capacity)
    let candidates = letters.utf8.map { AppIndex(Int($0) - 97) }
    return try policy.scores(
      of: candidates, for: request, apps: apps, appNames: candidates.map { Self.name($0.position) })
  }
}

/// Whether numbers agree but for rounding.
func agree(_ a: [Double], _ b: [Double], within tolerance: Double = 1e-12) -> Bool {
  a.count == b.count
    && zip(a, b).allSatisfy { $0 == $1 || abs($0 - $1) <= tolerance * max(1, abs($1)) }
}
