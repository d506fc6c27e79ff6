import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

@Suite("From facts of a capture to a trace")
struct CaptureTimelineTests {
  private static let second: Int64 = 1_000_000_000

  /// The trace of a timeline that is filled by hand.
  private func trace(
    clock: CaptureClock = .unknown, options: ImportOptions = ImportOptions(),
    endsAt: Int64? = nil, _ fill: (inout CaptureTimeline) throws -> Void
  ) throws -> Trace {
    try withScratchFolder { folder in
      let file = folder.appendingPathComponent("capture.txt")
      try Data("x".utf8).write(to: file)
      var timeline = try CaptureTimeline(try TraceInput(path: file.path, formats: .all), options)
      try fill(&timeline)
      return try timeline.finish(clock: clock, source: "by hand", endsAt: endsAt)
    }
  }

  private static func at(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }

  @Test(
    "A zone that the capture does not say is the one that is given",
    arguments: [(nil, "1970-01-12T13:46:40+00:00"), (7200, "1970-01-12T15:46:40+02:00")])
  func zone(given: Int64?, start: String) throws {
    var options = ImportOptions()
    options.zoneOffsetSeconds = given
    let trace = try trace(clock: .epoch(offsetSeconds: nil), options: options) { timeline in
      let mail = timeline.process(named: "mail", ranBefore: false)
      try timeline.add(.inFront, at: Self.at(1e6), mail)
    }
    #expect(trace.header.start == start)
    #expect(trace.header.source?.contains("not known") == (given == nil))
  }

  @Test("A clock that no phone can have gives no start", arguments: [7_258_118_400, 8e9])
  func absurdClock(seconds: Double) throws {
    let trace = try trace(clock: .epoch(offsetSeconds: nil)) { timeline in
      let mail = timeline.process(named: "mail", ranBefore: false)
      try timeline.add(.inFront, at: Self.at(seconds), mail)
    }
    #expect(trace.header.start == nil)
    #expect(trace.issues.all.contains { $0.text.hasPrefix("a clock that no phone can have") })
  }

  @Test(
    "A zone that no phone can have gives no start",
    arguments: [Int64.min, -86_400, 86_400, .max])
  func absurdZone(offset: Int64) throws {
    let trace = try trace(clock: .epoch(offsetSeconds: offset)) { timeline in
      let mail = timeline.process(named: "mail", ranBefore: false)
      try timeline.add(.inFront, at: Self.at(1e9), mail)
    }
    #expect(trace.header.start == nil)
    #expect(trace.issues.all.contains { $0.text.hasPrefix("a clock that no phone can have") })
  }

  @Test("A process of another timeline is refused")
  func foreignProcess() throws {
    let trace = try trace { timeline in
      let known = timeline.process(named: "mail", ranBefore: false)
      try timeline.add(.front, at: 0, known)
      let foreign = CaptureProcess(number: 7)
      #expect(throws: TraceError.self) { try timeline.add(.left, at: 1, foreign, line: 3) }
      timeline.rename(foreign, to: "x")
      timeline.describe(foreign, catalogKeys: "kind: daemon")
      timeline.startsRanked(foreign)
      timeline.startsUnshown(foreign)
      #expect(timeline.name(of: foreign).isEmpty)
    }
    #expect(summary(trace).first == "0 mail launch")
  }

  @Test("A band that no system has is left out, and the rest stands")
  func absurdBand() throws {
    let trace = try trace { timeline in
      let mail = timeline.process(named: "mail", ranBefore: false)
      try timeline.add(.inFront, at: Self.at(1), mail)
      let chess = timeline.process(named: "chess", ranBefore: false)
      try timeline.add(.exited(.observed(cause: nil, band: 100_001)), at: Self.at(2), mail)
      try timeline.add(.inFront, at: Self.at(3), chess)
      try timeline.add(.exited(.observed(cause: nil, band: -100_000)), at: Self.at(4), chess)
    }
    let exits = summary(trace).filter { $0.contains("exit") }
    #expect(exits.map { $0.contains("band=") } == [false, true])
  }

  @Test("An app that is seen in front is launched only if it was not there before")
  func seenInFront() throws {
    let trace = try trace { timeline in
      let mail = timeline.process(named: "mail", ranBefore: true)
      let chess = timeline.process(named: "chess", ranBefore: true)
      for second in [0, 10, 20, 30] {
        try timeline.add(.inFront, at: Self.at(Double(second)), second < 20 ? mail : chess)
      }
      try timeline.add(.left, at: Self.at(40), chess)
      try timeline.add(.inFront, at: Self.at(40.5), chess)
    }
    #expect(
      summary(trace) == [
        "0 mail present state=front", "0 chess present state=suspended", "20 chess launch",
        "40.5 end reason=complete",
      ])
  }

  @Test("An app that is pinned when first reported was pinned from the beginning")
  func pinnedFromTheBeginning() throws {
    let trace = try trace { timeline in
      let mail = timeline.process(named: "mail", ranBefore: true)
      let server = timeline.process(named: "server", ranBefore: true)
      let chess = timeline.process(named: "chess", ranBefore: true)
      let late = timeline.process(named: "late", ranBefore: false)
      try timeline.add(.front, at: 0, mail)
      try timeline.add(.pinned(true), at: 0, server)
      try timeline.add(.pinned(false), at: 0, chess)
      try timeline.add(.pinned(true), at: Self.at(5), late)
      try timeline.add(.pinned(true), at: Self.at(10), chess)
      try timeline.add(.pinned(true), at: Self.at(10), server)
      try timeline.add(.pinned(false), at: Self.at(20), server)
    }
    #expect(
      summary(trace) == [
        "0 mail present state=suspended", "0 server present state=suspended",
        "0 chess present state=suspended", "0 server pin 1 reason=user", "0 mail launch",
        "5 late background-launch", "5 late pin 1 reason=user", "10 chess pin 1 reason=user",
        "20 server pin 0 reason=user", "20 end reason=complete",
      ])
  }

  @Test("What a capture says of a process beside its category is in its catalog entry")
  func catalogKeys() throws {
    let trace = try trace { timeline in
      for name in (1...150).map({ "daemon-\($0)" }) + ["mail"] {
        let process = timeline.process(named: name, ranBefore: true)
        timeline.describe(process, catalogKeys: "band: 40")
        try timeline.add(.suspended, at: 0, process)
      }
      try timeline.add(.suspended, at: 0, timeline.process(named: "chess", ranBefore: true))
    }
    let lines = trace.header.appsYAML?.split(separator: "\n") ?? []
    // 151 entries with keys leave no room for a guess.
    #expect(lines.count == 151)
    #expect(lines.first == "daemon-1: {band: 40}")
    #expect(lines.last == "mail: {category: messaging, band: 40}")
  }

  @Test("What ran before is present with its first figures, what starts later is launched")
  func beginnings() throws {
    let trace = try trace(endsAt: Self.at(130)) { timeline in
      let mail = timeline.process(named: "mail", ranBefore: true)
      let music = timeline.process(named: "music", ranBefore: true)
      let notes = timeline.process(named: "notes", ranBefore: true)
      let game = timeline.process(named: "game", ranBefore: false)
      let sync = timeline.process(named: "sync", ranBefore: false)
      _ = timeline.process(named: "never mentioned", ranBefore: true)
      try timeline.add(.left, at: Self.at(105), mail)
      try timeline.add(.footprint(bytes: 70, isDerived: false), at: Self.at(104), mail)
      try timeline.add(.background, at: Self.at(101), music)
      try timeline.add(.footprint(bytes: 50, isDerived: false), at: Self.at(100), notes)
      try timeline.add(.front, at: Self.at(105.5), game)
      try timeline.add(.launchTook(nanoseconds: 9, .cold), at: Self.at(105.5), game)
      try timeline.add(.started(.push), at: Self.at(107), sync)
      try timeline.add(.suspended, at: Self.at(109), music)
      try timeline.add(.footprint(bytes: 80, isDerived: true), at: Self.at(108), game)
      try timeline.add(.footprint(bytes: 80, isDerived: true), at: Self.at(109), game)
      try timeline.add(.left, at: Self.at(110), game)
    }
    #expect(
      summary(trace) == [
        "0 mail present 70 state=front", "0 music present state=background",
        "0 notes present 50 state=suspended", "0 music background-mode 1 mode=service",
        "5.5 game launch", "5.5 game observed-launch 9 kind=cold",
        "7 sync background-launch reason=push", "8 game footprint 80 derived=1",
        "9 music background-mode 0 mode=service", "10 home", "30 end reason=complete",
      ])
    #expect(trace.header.start == nil)
    #expect(trace.issues.count == 0)
  }

  @Test("A derived figure of what ran before is said to be derived, once")
  func derivedFromTheBeginning() throws {
    let trace = try trace { timeline in
      let mail = timeline.process(named: "mail", ranBefore: true)
      let music = timeline.process(named: "music", ranBefore: true)
      try timeline.add(.footprint(bytes: 70, isDerived: true), at: Self.at(1), mail)
      try timeline.add(.footprint(bytes: 70, isDerived: true), at: Self.at(2), mail)
      try timeline.add(.footprint(bytes: 50, isDerived: false), at: 0, music)
      try timeline.add(.footprint(bytes: 60, isDerived: true), at: Self.at(3), music)
      try timeline.add(.background, at: 0, mail)
    }
    #expect(
      summary(trace) == [
        "0 mail present 70 state=background", "0 mail footprint 70 derived=1",
        "0 music present 50 state=suspended", "0 mail background-mode 1 mode=service",
        "3 music footprint 60 derived=1", "3 end reason=complete",
      ])
  }

  @Test("A restart ends each life once, and later lives of a name begin with the first number")
  func restarts() throws {
    let trace = try trace { timeline in
      for boot in 0..<3 {
        let base = Self.at(Double(boot) * 10)
        let first = timeline.process(named: "tab", ranBefore: false)
        let second = timeline.process(named: "tab", ranBefore: false)
        try timeline.add(.started(.unknown), at: base + 1, first)
        try timeline.add(.started(.unknown), at: base + 2, second)
        try timeline.add(.exited(.byItself), at: base + 3, first)
        try timeline.add(.boot, at: base + 4)
      }
    }
    let rows = summary(trace).map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
    let life = ["tab background-launch", "tab:2 background-launch", "tab exit", "boot"]
    #expect(rows == life + life + life + ["end reason=complete"])
  }

  @Test("Processes of one name are numbered while they live, and numbers are used again")
  func names() throws {
    let trace = try trace { timeline in
      let first = timeline.process(named: "tab", ranBefore: false)
      let second = timeline.process(named: "tab", ranBefore: false)
      let third = timeline.process(named: "tab", ranBefore: false)
      let own = timeline.process(named: "draft", ranBefore: false)
      timeline.rename(own, to: "tab:2")
      #expect(timeline.name(of: own) == "tab:2")
      try timeline.add(.started(.unknown), at: 0, first)
      try timeline.add(.started(.unknown), at: 1, second)
      try timeline.add(.exited(.byItself), at: 2, first)
      try timeline.add(.started(.unknown), at: 3, third)
      try timeline.add(.started(.unknown), at: 4, own)
      try timeline.add(.exited(.observed(cause: "low-memory", band: 900)), at: 5, second)
      try timeline.add(.footprint(bytes: 1, isDerived: false), at: 6, second, line: 12)
    }
    #expect(
      trace.events.count == 7 && trace.apps == ["tab", "tab:2", "tab:3"])
    let rows = summary(trace).map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
    #expect(
      rows == [
        "tab background-launch", "tab:3 background-launch", "tab exit", "tab background-launch",
        "tab:2 background-launch", "tab:3 observed-exit cause=low-memory;band=900",
        "end reason=complete",
      ])
    #expect(issues(trace) == ["info 1 a process that is over already @12"])
  }

  @Test("Facts come in any order; equal times keep theirs")
  func order() throws {
    let trace = try trace(clock: .epoch(offsetSeconds: 3600)) { timeline in
      let app = timeline.process(named: "app", ranBefore: false)
      let base: Int64 = 1_600_000_000
      for seconds in [5, 7, 3, 4, 6, 2] as [Int64] {
        let time = (base + seconds) * Self.second + 250_000_000
        try timeline.add(.available(bytes: 100 + seconds), at: time)
        try timeline.add(.systemMemory(bytes: seconds), at: time)
      }
      try timeline.add(.front, at: (base + 1) * Self.second + 500_000_000, app)
    }
    #expect(trace.header.start == "2020-09-13T13:26:41+01:00")
    var rows = ["0.5 app launch"]
    for number in 2...7 {
      let seconds = Double(number) - 0.75
      rows.append("\(seconds) observed-available \(100 + number)")
      rows.append("\(seconds) system-memory \(number)")
    }
    rows.append("6.25 end reason=complete")
    #expect(summary(trace) == rows)
  }

  @Test(
    "An app that leaves goes home unless another follows within a second",
    arguments: [
      (1.0, ["0 a launch", "11 b launch"]), (1.1, ["0 a launch", "10 home", "11.1 b launch"]),
    ])
  func leaving(seconds: Double, rows: [String]) throws {
    let trace = try trace { timeline in
      let a = timeline.process(named: "a", ranBefore: false)
      let b = timeline.process(named: "b", ranBefore: false)
      try timeline.add(.front, at: 0, a)
      try timeline.add(.left, at: Self.at(10), a)
      try timeline.add(.front, at: Self.at(10 + seconds), b)
    }
    #expect(summary(trace).dropLast() == rows[...])
  }

  @Test("Two screens of one app are one launch, and what happened between them is kept")
  func screensOfOneApp() throws {
    let trace = try trace { timeline in
      let a = timeline.process(named: "a", ranBefore: false)
      try timeline.add(.front, at: 0, a)
      try timeline.add(.left, at: Self.at(10), a)
      try timeline.add(.footprint(bytes: 9, isDerived: false), at: Self.at(10.1), a)
      try timeline.add(.front, at: Self.at(10.5), a)
      try timeline.add(.left, at: Self.at(20), a)
      try timeline.add(.exited(.crashed), at: Self.at(20.2), a)
    }
    #expect(
      summary(trace) == [
        "0 a launch", "10.1 a footprint 9", "20 home", "20.2 a crash", "20.2 end reason=complete",
      ])
  }

  @Test("An app that --apps leaves out takes the place of the one in front")
  func filter() throws {
    var options = ImportOptions()
    options.apps = ["a*"]
    let trace = try trace(options: options) { timeline in
      let a = timeline.process(named: "a", ranBefore: false)
      let b = timeline.process(named: "b", ranBefore: false)
      try timeline.add(.front, at: 0, a)
      try timeline.add(.front, at: 5, b)
      try timeline.add(.footprint(bytes: 5, isDerived: false), at: 6, b)
    }
    #expect(trace.apps == ["a"])
    #expect(trace.index.kindCounts[Int(EventKind.home.rawValue)] == 1)
  }

  @Test("A restart ends everything; figures that cannot be are counted with their lines")
  func restartAndDamage() throws {
    let trace = try trace { timeline in
      let a = timeline.process(named: "", ranBefore: true)
      try timeline.add(.footprint(bytes: -5, isDerived: false), at: 0, a, line: 3)
      try timeline.add(.systemWarned(level: 3), at: 0, line: 4)
      try timeline.add(.footprint(bytes: 5, isDerived: false), at: 1, a, line: 5)
      try timeline.add(.pinned(true), at: 1, a, line: 5)
      try timeline.add(.pinned(true), at: 1, a, line: 6)
      try timeline.add(.boot, at: Self.second)
      try timeline.add(.background, at: Self.second, a, line: 7)
      try timeline.add(.boot, at: .max, line: 8)
    }
    #expect(
      summary(trace) == [
        "0 unknown present 5 state=background", "0 unknown background-mode 1 mode=service",
        "0 unknown pin 1 reason=user", "0.999999999 boot", "0.999999999 end reason=complete",
      ])
    #expect(
      issues(trace) == [
        "error 2 a negative size, or an unknown level or rank @3,4",
        "info 1 a process that is over already @7",
        "error 1 a time more than a hundred years after the first @8",
      ])
  }

  @Test("A capture that says nothing is refused")
  func nothing() {
    #expect(throws: TraceError.self) { try trace { _ in } }
  }
}
