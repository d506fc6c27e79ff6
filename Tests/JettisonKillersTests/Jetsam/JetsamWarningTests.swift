import JettisonCore
import JettisonTestSupport
import Testing

/// Levels and warnings of jetsam: a page is a percent of RAM; soft 15, critical 5.
extension JetsamEngineTests {
  private static let threeApps = """
    0s,b,launch
    0s,b,footprint,10MiB
    1s,b,background-mode,1,,mode=audio
    2s,c,launch
    2s,c,footprint,15MiB
    3s,c,background-mode,1,,mode=audio
    4s,a,launch
    4s,a,footprint,6MiB
    5s,a,pin,1
    5s,b,pin,1
    5s,c,pin,1

    """

  @Test(
    "One app at a time, lowest band and largest first, 250 ms apart, and not again while it lasts",
    arguments: JetsamPropertyTests.models)
  func delivery(model: PressureModelKind) throws {
    let replayed = try scenario(model).replay(
      Self.threeApps + "10s,a,footprint,61MiB\n86400s,,end", on: .fast)
    #expect(
      replayed.story(.warning) == [
        "10s c warning warning", "10.25s b warning warning", "10.5s a warning warning",
      ])
  }

  @Test("Really short memory leaves no time between two apps; a fall is sent after five seconds")
  func hurried() throws {
    let replayed = try scenario().replay(
      Self.threeApps
        + """
        10s,a,footprint,71MiB
        12s,a,footprint,67MiB
        20s,,end
        """, on: .fast)
    // At half way between soft and critical, 10, the pause is gone: 4, then 8 are available.
    #expect(
      replayed.story(.warning) == [
        "10s c warning critical", "10s b warning critical", "10s a warning critical",
        "17s a warning warning", "17s c warning warning", "17s b warning warning",
      ])
    let brief = try scenario().replay(
      Self.threeApps
        + """
        10s,a,footprint,71MiB
        12s,a,footprint,67MiB
        15s,a,footprint,71MiB
        20s,,end
        """, on: .fast)
    // Critical again within five seconds: everyone has heard already.
    #expect(brief.story(.warning).count == 3)
  }

  @Test("Small, suspended and idle processes hear nothing")
  func deaf() throws {
    let replayed = try scenario()
      .app("d") { $0.processKind = .daemon }
      .replay(
        """
        0s,d,background-launch
        0s,d,footprint,20MiB
        1s,s,launch
        1s,s,footprint,10MiB
        2s,m,launch
        2s,m,footprint,5MiB
        3s,m,background-mode,1,,mode=audio
        4s,a,launch
        10s,a,footprint,52MiB
        11s,,end
        """, on: .fast)
    #expect(replayed.story(.warning) == ["10s a warning warning"])
  }

  @Test("Where memory is compressed, levels follow the compressor")
  func compressorLevel() throws {
    var scenario = scenario()
    scenario.configuration.device.compression = .init(ratio: 2, suspendedShare: 1)
    scenario = scenario.with { $0.configuration.device.pressureParameters.jetsam.reaperPercent = 0 }
    let rows = """
      0s,a,launch
      0s,a,footprint,60MiB
      1s,b,launch
      1s,b,footprint,50MiB
      2s,b,background-mode,1,,mode=audio
      3s,,home
      10s,a,footprint,80MiB
      20s,a,footprint,98MiB
      21s,,end
      """
    // The compressor holds 30, then 40, then 49 of 100 MiB: never more than the rest.
    let calm = try scenario.replay(rows, on: .fast)
    #expect(calm.story(.warning) == [])
    // 10 MiB less for apps: 40 of 80 are not below half, 49 of 80 leave 31, below it.
    scenario.configuration.device.reserveBytes = 20 * Self.MiB
    let small = rows.replacing("1s,b,footprint,50MiB", with: "1s,b,footprint,8MiB")
    let warned = try scenario.replay(small, on: .fast)
    #expect(warned.story(.warning) == ["20s b warning warning"])
  }

  @Test("With a compressor the level rises when memory is taken next, not at a suspension")
  func takenMemory() throws {
    var scenario = scenario()
    scenario.configuration.device.compression = .init(ratio: 2, suspendedShare: 1)
    scenario.configuration.device.reserveBytes = 20 * Self.MiB
    // Of 80 MiB the compressor holds 35 from 6 s on and 45 from 21 s on: the rest is less.
    let rows = """
      0s,a,launch
      0s,a,footprint,70MiB
      5s,b,launch
      10s,b,footprint,20MiB
      20s,,home
      """
    let calm = try scenario.replay(rows + "\n40s,,end", on: .fast)
    #expect(calm.system.warningLevelNanoseconds == 0)
    let told = try scenario.replay(
      rows + "\n30s,c,launch\n30s,c,footprint,6MiB\n40s,,end", on: .fast)
    #expect(told.story(.warning) == ["30s c warning warning"])
    #expect(told.system.warningLevelNanoseconds == seconds(10))
  }

  // MARK: Sawtooth, renewal, latecomers

  /// Available: 14, 4, 8, 4, 8, 4; the levels are warning and critical in turn.
  private static let sawtooth =
    threeApps + """
      10s,a,footprint,61MiB
      20s,a,footprint,71MiB
      22s,a,footprint,67MiB
      30s,a,footprint,71MiB
      50s,a,footprint,67MiB
      60s,a,footprint,71MiB
      100s,,end
      """

  @Test("A return to a level within its rest warns no app, after it all apps")
  func rest() throws {
    let replayed = try scenario().replay(Self.sawtooth, on: .fast)
    // Everyone has heard of warning at 10.75 s and rests until 35.75 s, of critical at 20 s and
    // until 45 s. A fall is told after 5 s, the highest band first. Below 10 there is no pause.
    #expect(
      replayed.story(.warning) == [
        "10s c warning warning", "10.25s b warning warning", "10.5s a warning warning",
        "20s c warning critical", "20s b warning critical", "20s a warning critical",
        "55s a warning warning", "55s c warning warning", "55s b warning warning",
        "60s c warning critical", "60s b warning critical", "60s a warning critical",
      ])
    // With a longer rest only the first of each.
    let calm = try scenario { $0.warningRestNanoseconds = seconds(60) }
      .replay(Self.sawtooth, on: .fast)
    #expect(calm.story(.warning).count == 6)
    // iOS 7 to 11 have none: the fall of 22 s, and the rise of 30 s, are told too.
    let older = try scenario(.ios7).replay(Self.sawtooth, on: .fast)
    #expect(
      Array(older.story(.warning).dropFirst(6).prefix(6)) == [
        "27s a warning warning", "27s c warning warning", "27s b warning warning",
        "30s c warning critical", "30s b warning critical", "30s a warning critical",
      ])
    #expect(older.story(.warning).count == 18)
    // iOS 6 knows one level.
    let first = try scenario(.ios6).replay(Self.sawtooth, on: .fast)
    #expect(first.story(.warning).count == 3)
    #expect(first.system.criticalLevelNanoseconds == 0)
  }

  @Test("Normal for five seconds arms anew, a shorter time does not; in iOS 6 at once")
  func rearm() throws {
    // Available: 14, then 18 (above 17.25) for a while, then 14.
    for (model, pause, count) in [
      (PressureModelKind.ios18, 4, 3), (.ios18, 6, 6), (.ios7, 4, 3), (.ios7, 6, 6),
      (.ios6, 1, 6),
    ] {
      let replayed = try scenario(model).replay(
        Self.threeApps
          + """
          10s,a,footprint,61MiB
          20s,a,footprint,57MiB
          \(20 + pause)s,a,footprint,61MiB
          100s,,end
          """, on: .fast)
      #expect(replayed.story(.warning).count == count, "\(model) \(pause)")
    }
  }

  @Test("After 30 min at one level the next change of memory warns all apps, from iOS 14 on")
  func renewal() throws {
    // Available: 14 from 10 s on, 15 (still warning) at 1,809 s, 14 at 1,811 s, 15 at 1,900 s.
    let rows =
      Self.threeApps + """
        10s,a,footprint,61MiB
        1809s,a,footprint,60MiB
        1811s,a,footprint,61MiB
        1900s,a,footprint,60MiB
        90000s,,end
        """
    for model in [PressureModelKind.ios14, .ios17, .ios18] {
      let replayed = try scenario(model).replay(rows, on: .fast)
      #expect(
        Array(replayed.story(.warning).dropFirst(3)) == [
          "1811s c warning warning", "1811.25s b warning warning", "1811.5s a warning warning",
        ], "\(model)")
    }
    for model in [PressureModelKind.ios7, .ios12] {
      #expect(try scenario(model).replay(rows, on: .fast).story(.warning).count == 3, "\(model)")
    }
  }

  @Test("An app that starts to run while a level lasts hears of the next one; in iOS 6 of this one")
  func latecomer() throws {
    // Available: 14 from 10 s on, 7 with d, then 6, 15, 21 and 14. a is suspended at 61 s.
    let rows =
      Self.threeApps + """
        10s,a,footprint,61MiB
        60s,d,launch
        60s,d,footprint,7MiB
        70s,d,footprint,8MiB
        80s,b,footprint,1MiB
        81s,d,footprint,2MiB
        90s,d,footprint,9MiB
        100s,,end
        """
    let modern = try scenario { $0.reaperPercent = 0 }.replay(rows, on: .fast)
    // b is too small at 90 s.
    #expect(
      Array(modern.story(.warning).dropFirst(3)) == [
        "90s c warning warning", "90.25s d warning warning",
      ])
    let first = try scenario(.ios6).replay(rows, on: .fast)
    #expect(
      Array(first.story(.warning).dropFirst(3)) == [
        "60s d warning warning", "90s c warning warning", "90.25s b warning warning",
        "90.5s d warning warning",
      ])
  }

  @Test("iOS 6 warns no app while more than four apps are suspended")
  func manySuspended() throws {
    let names = ["e", "f", "g", "h", "i"]
    let launches = names.enumerated().map {
      "\($0)s,\($1),launch\n\($0)s,\($1),footprint,1MiB\n"
    }
    let replayed = try scenario(.ios6).replay(
      launches.joined()
        + """
        6s,a,launch
        10s,a,footprint,82MiB
        20s,i,quit
        30s,,end
        """, on: .fast)
    // 13 are available with five suspended apps, 14 with four.
    #expect(replayed.story(.warning) == ["20s a warning warning"])
    #expect(replayed.decisions.isEmpty)
  }
}
