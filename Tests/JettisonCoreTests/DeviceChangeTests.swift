import JettisonCore
import JettisonTestSupport
import Testing

/// Changes of the device, told at once or kept: see *Changes meanwhile* in "The model".
struct DeviceChangeTests {
  let roomy = Scenario(ramMiB: 10_000).app("a").app("b").app("c")

  /// Messages of device changes with the texts of the rows that they tell of.
  func changes(_ rows: String, on engine: NamedEngine) throws -> [String] {
    let trace = try Trace(rows: rows)
    return try roomy.replay(rows, on: engine).outcome.events.compactMap { event in
      guard let change = event.change else { return nil }
      return "\(event.timeNanoseconds / 1_000_000_000)s \(trace.apps[event.app.position]) "
        + "\(event.message) \(trace.detailTexts[Int(change)])"
    }
  }

  @Test(arguments: enginesUnderTest)
  func `a running app hears at once, in front, inactive and in the background`(
    engine: NamedEngine
  ) throws {
    // c is suspended, b in the background with a mode, a in front, active and then inactive.
    let told = try changes(
      """
      0s,c,launch
      1s,b,launch
      1s,b,background-mode,1,,mode=audio
      3s,a,launch
      5s,,device-change,,,kind=orientation;to=portrait
      6s,,interrupt
      7s,,device-change,,,kind=battery
      """, on: engine)
    #expect(
      told == [
        "5s a orientationChange kind=orientation;to=portrait",
        "5s b orientationChange kind=orientation;to=portrait",
        "7s a batteryChange kind=battery", "7s b batteryChange kind=battery",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a suspended app hears one of each kind, with the last value, in order`(
    engine: NamedEngine
  ) throws {
    let told = try changes(
      """
      0s,a,launch
      1s,,device-change,,,kind=orientation;to=upside-down
      2s,,home
      5s,,device-change,,,kind=time
      6s,,device-change,,,kind=orientation;to=landscape
      7s,,device-change,,,kind=orientation;to=portrait
      8s,a,launch
      9s,,device-change,,,kind=orientation;to=landscape
      """, on: engine)
    #expect(
      told == [
        "1s a orientationChange kind=orientation;to=upside-down",
        "8s a orientationChange kind=orientation;to=portrait", "8s a timeChange kind=time",
        "9s a orientationChange kind=orientation;to=landscape",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `what goes has a name of its own`(engine: NamedEngine) throws {
    let told = try changes(
      """
      0s,a,launch
      1s,,device-change,,,kind=display;to=connected
      2s,,device-change,,,kind=display;to=disconnected
      3s,,home
      5s,,device-change,,,kind=accessory;to=disconnected
      6s,,device-change,,,kind=accessory;to=keyboard
      7s,,device-change,,,kind=display;to=tv
      8s,,device-change,,,kind=display;to=disconnected
      9s,,device-change,,,kind=battery;to=disconnected
      10s,a,launch
      """, on: engine)
    #expect(
      told == [
        "1s a displayChange kind=display;to=connected",
        "2s a displayDisconnect kind=display;to=disconnected",
        "10s a displayDisconnect kind=display;to=disconnected",
        "10s a accessoryChange kind=accessory;to=keyboard",
        "10s a batteryChange kind=battery;to=disconnected",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a wake delivers, and at T11 it happens in the background`(engine: NamedEngine) throws {
    let rows = """
      0s,a,launch
      1s,,home
      5s,,device-change,,,kind=locale;to=de
      6s,a,background-launch
      9s,,device-change,,,kind=locale;to=fr
      12s,a,launch
      """
    #expect(
      try changes(rows, on: engine) == [
        "6s a localeChange kind=locale;to=de", "12s a localeChange kind=locale;to=fr",
      ])
    let events = try roomy.replay(rows, on: engine).outcome.events
    let at = try #require(events.lastIndex { $0.change != nil })
    #expect(events[at - 1].message == .willEnterForegroundNotification)
    #expect(events[at - 3].stateAfter == .background)
    #expect(events[at + 1].stateAfter == .inactive)
  }

  @Test(arguments: enginesUnderTest)
  func `an end drops what was kept`(engine: NamedEngine) throws {
    let told = try changes(
      "0s,a,launch\n1s,,home\n5s,,device-change,,,kind=time\n6s,a,quit\n7s,a,launch", on: engine)
    #expect(told == [])
  }

  @Test func `daemons have no use for it`() throws {
    let daemon = roomy.app("b") { $0.processKind = .daemon }
    let replayed = try daemon.replay(
      "0s,a,launch\n1s,b,background-launch\n5s,,device-change,,,kind=time", on: .fast)
    let told = replayed.outcome.events.filter { $0.change != nil }
    #expect(told.map { replayed.apps[$0.app.position] } == ["a"])
  }

  @Test(arguments: enginesUnderTest)
  func `the most kinds that a trace may have have a place each`(engine: NamedEngine) throws {
    // Ten kinds have names; k11 to k63 are numbered after them. A trace with a 64th is refused.
    let rows = (11...63).map { "5s,,device-change,,,kind=k\($0)" }.joined(separator: "\n")
    let told = try changes("0s,a,launch\n1s,,home\n\(rows)\n9s,a,launch", on: engine)
    #expect(told == (11...63).map { "9s a deviceChange kind=k\($0)" })
  }
}
