import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonExperiments

/// How many apps a capture shows cached at once, and what that says of a limit.
struct CachedPeakTests {
  private static func peak(_ rows: String, home: String = "") throws -> CachedPeak? {
    let trace = try Trace(rows: rows)
    return CachedPeak(
      trace,
      profiles: trace.apps.map { name in
        var profile = AppProfile()
        if name == home { profile.oomScoreAdj = 600 }
        return profile
      })
  }

  @Test func `natives, the front, the home screen and working apps do not count`() throws {
    let rows = """
      0s,init,present,,,state=suspended
      0s,a,present,,,state=suspended
      0s,b,present,,,state=suspended
      0s,c,present,,,state=background
      0s,d,present,,,state=front
      0s,home,present,,,state=suspended
      0s,init,pin,1
      10s,e,launch
      20s,f,background-launch
      60s,a,observed-exit,,,cause=memory
      70s,,end
      """
    // Before 10 s: a and b, of which one is the previous app. Then d as well; from 50 s on f, which
    // has not been shown.
    let peak = try #require(try Self.peak(rows, home: "home"))
    #expect(peak.shown == 2 && peak.empty == 1)
    #expect(peak.leastLimit == 4)
  }

  @Test func `what a capture lists as never shown counts among the empty`() throws {
    // 14 empty and 14 shown apps, one of which is the previous: within 16 of each.
    let rows =
      (0..<14).map { "0s,e\($0),present,,,state=suspended;shown=0" }
      + (0..<14).map { "0s,s\($0),present,,,state=suspended" } + ["1s,,end"]
    let peak = try #require(try Self.peak(rows.joined(separator: "\n")))
    #expect(peak.shown == 13 && peak.empty == 14)
    var device = try DeviceTable.device(named: "pixel-6")
    device.apiLevel = 29
    #expect(
      peak.excess(
        in: RunConfiguration(device: device, pressure: .androidLMKD, profiles: [])) == nil)
    // One that is launched has been shown.
    let launched = try #require(
      try Self.peak(rows.dropLast().joined(separator: "\n") + "\n1s,e0,launch\n2s,,home\n3s,,end"))
    #expect(launched.shown == 14 && launched.empty == 14)
  }

  @Test func `a log of launches says nothing about what lived`() throws {
    #expect(try Self.peak("0s,a,launch\n1s,b,launch\n2s,,end") == nil)
  }

  @Test func `more than the limit allows are reported with the limit that fits`() throws {
    let rows = (0..<20).map { "0s,a\($0),present,,,state=suspended" } + ["1s,,end"]
    let peak = try #require(try Self.peak(rows.joined(separator: "\n")))
    #expect(peak.shown == 19)
    var device = try DeviceTable.device(named: "pixel-6")
    func excess(_ model: PressureModelKind = .androidLMKD) -> String? {
      peak.excess(in: RunConfiguration(device: device, pressure: model, profiles: []))
    }
    #expect(
      excess()
        == "the capture shows 19 apps that had been shown and 0 that had not cached at once, and "
        + "'pixel-6' keeps 32, half of each kind: its phone kept more, unless it lists apps before "
        + "they were cached (the setting android.max-cached=38 keeps all of them)")
    #expect(excess(.thresholds) == nil)
    device.apiLevel = 34
    #expect(excess() == nil)
    device.pressureParameters.android.cachedLimit = 37
    #expect(excess() != nil)
    device.pressureParameters.android.cachedLimit = 38
    #expect(excess() == nil)
  }
}
