package import JettisonCore

/// A trace of nothing but launches, as caches are compared with, and a textbook cache for it.
package struct RandomLaunches: Sendable {
  package let trace: Trace
  package let configuration: RunConfiguration

  /// Makes launches of 3 to 14 apps, often several at one instant, sometimes more than ten minutes apart.
  ///
  /// The cache holds a part of them: by size, or by number in every fourth.
  package init(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func draw(_ bound: UInt64) -> Int64 { Int64(random.next() % bound) }
    let apps = 3 + draw(12)
    var text = TraceText()
    var time = 0.0
    for _ in 0..<300 {
      time += [0, 0, 0.5, 5, 40, 100, 700][Int(draw(7))]
      // Popular apps have small numbers.
      text = text.row(time, "app\(min(draw(UInt64(apps)), draw(UInt64(apps))))", "launch")
    }
    trace = try text.end(time + [0, 30, 1000][Int(draw(3))]).trace()
    var configuration = try RunConfiguration.cache(ofApps: 1 + draw(UInt64(apps)), for: trace)
    for position in trace.apps.indices {
      configuration.profiles[position].launchFootprintBytes = 1 + draw(50)
      configuration.profiles[position].coldLaunchNanoseconds = (1 + draw(4)) * 1_000_000_000
      configuration.profiles[position].hotLaunchNanoseconds = 100_000_000
    }
    let sizes = configuration.profiles.map(\.launchFootprintBytes)
    if seed % 4 > 0 {
      configuration.capacityApps = nil
      configuration.device.ramBytes =
        (sizes.max() ?? 0) + draw(UInt64(sizes.reduce(1, +)))
    }
    self.configuration = configuration
  }
}
