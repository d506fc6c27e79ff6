import JettisonCore
import JettisonPolicies
import JettisonSynthetic
import JettisonTestSupport
import Testing

/// What Lee and Kyung found on the phones of 279 people (Electronics 15(11):2415, 2026), on people
/// invented to be like them.
///
/// Published for a cache of five apps: 76.2 % of launches find their app under LRU, 62.8 % under raw
/// predictions of relaunch distance, 76.9 % under calibrated ones.
struct RelaunchDistanceTests {
  private static let users = 12

  /// The launches of a user alone: what the study knew of its people.
  private static func launches(of user: Int) throws -> Trace {
    let trace = try SyntheticUsers.generate(user: user, days: 14, seed: 1)
    var text = TraceText()
    trace.events.withEvents { events in
      for position in 0..<events.count where events[position].kind == .launch {
        let event = events[position]
        text = text.row(
          Double(event.timeNanoseconds) / 1e9, trace.apps[event.app.position], "launch")
      }
    }
    return try text.end(14 * 86_400).trace()
  }

  /// Share of launches that find their app, by policy; launches of the app in front do not count.
  private static func hitShares(_ policies: [String], capacity: Int64) throws -> [Double] {
    var shares = [Double](repeating: 0, count: policies.count)
    for user in 0..<users {
      let trace = try launches(of: user)
      var launches = 0
      trace.events.withEvents { events in
        var last = AppIndex.none
        for position in 0..<events.count where events[position].kind == .launch {
          if events[position].app != last { launches += 1 }
          last = events[position].app
        }
      }
      for (position, policy) in policies.enumerated() {
        var configuration = RunConfiguration(
          device: try DeviceTable.device(named: "ideal-cache"), pressure: .idealCache,
          profiles: trace.apps.map { _ in AppProfile() })
        configuration.capacityApps = capacity
        configuration.footprints = .declared
        let result = try PolicySpec(parsing: policy).run(trace, configuration)
        let cold = result.apps.reduce(0) { $0 + $1.coldLaunches }
        shares[position] += (1 - Double(cold) / Double(launches)) / Double(users)
      }
    }
    return shares
  }

  @Test("Raw predictions do harm, calibrated ones help", arguments: [Int64(5), 9, 13])
  func reproduction(capacity: Int64) throws {
    let shares = try Self.hitShares(
      ["lru", "relaunch-distance", "relaunch-distance-calibrated", "belady-size"],
      capacity: capacity)
    let (lru, raw, calibrated, best) = (shares[0], shares[1], shares[2], shares[3])
    #expect(raw < lru)
    #expect(calibrated >= lru)
    guard capacity == 5 else { return }
    #expect(abs(lru - 0.76) <= 0.03)
    #expect(lru - raw > 0.05)
    // With sizes alike, belady-size is Belady's optimum.
    let gap = (calibrated - lru) / (best - lru)
    #expect(gap > 0.1 && gap < 0.35)
  }
}
