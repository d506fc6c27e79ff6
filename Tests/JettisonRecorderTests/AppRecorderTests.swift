import Foundation
import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import JettisonTraces
import Synchronization
import Testing

@testable import JettisonRecorder

/// Clocks that go when the test says so.
final class HandClock: Sendable {
  private let reading = Mutex(
    RecorderClock.Reading(sinceBoot: 500_000_000_000, sinceEpoch: 1_577_872_800_250_000_000))

  private let darkness = Mutex(false)

  /// What the app sees of the screen.
  var isScreenDark: Bool {
    get { darkness.withLock { $0 } }
    set { darkness.withLock { $0 = newValue } }
  }

  var clock: RecorderClock {
    RecorderClock(now: { self.reading.withLock { $0 } }, zoneOffset: { _ in 3600 })
  }

  /// Lets time pass; the wall clock may be set meanwhile, the device may start anew.
  func pass(_ seconds: Double, wallMoves: Double = 0, restarts: Bool = false) {
    reading.withLock {
      $0.sinceBoot = restarts ? 5_000_000_000 : $0.sinceBoot + Int64(seconds * 1e9)
      $0.sinceEpoch += Int64((seconds + wallMoves) * 1e9)
    }
  }
}

/// A recording in a scratch folder, life by life.
struct Recording {
  let path: String
  let time = HandClock()
  var settings = RecorderSettings(app: "com.example.notes")

  init(in folder: URL, named name: String = "notes.csv") {
    path = folder.appendingPathComponent(name).path
  }

  func life(_ body: (AppRecorder) throws -> Void) throws {
    try body(
      try AppRecorder(
        path: path, settings: settings, clock: time.clock, seesLock: { time.isScreenDark }))
  }

  /// The rows after the header, and the trace that a reader makes of them.
  func rows() throws -> [String] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasSuffix("\n"))
    let lines = text.split(separator: "\n").map(String.init)
    let header = try #require(lines.firstIndex(of: "time_ns,app,event,value,id,detail"))
    return lines[(header + 1)...].map {
      $0.replacingOccurrences(of: "com.example.notes", with: "A")
    }
  }

  /// Reads the file like any trace; issues are those that are documented.
  @discardableResult
  func trace() throws -> Trace {
    let trace = try TraceLoader.load(path)
    let known = [
      "no 'end' row: the capture ends at its last event", "event 'x-lost-rows' ignored",
    ]
    #expect(trace.issues.all.allSatisfy { $0.severity == .info && known.contains($0.text) })
    return trace
  }
}

extension Recording {
  /// When the app is told something in a replay of the recording.
  func secondsTold(_ message: Message, on device: String) throws -> [Int64] {
    let trace = try trace()
    let device = try DeviceTable.device(named: device)
    let configuration = RunConfiguration(
      device: device, pressure: .thresholds,
      profiles: try TraceLoader.profiles(of: trace, at: path, on: device))
    let recorder = CapturingRecorder()
    _ = try PolicySpec(parsing: "lru").run(trace, configuration, recorder: recorder)
    return recorder.events.filter { $0.kind == .message && $0.message == message }
      .map { $0.timeNanoseconds / 1_000_000_000 }
  }
}

@Suite("The recorder of apps")
struct AppRecorderTests {
  private static let never = "31622400000.000"

  @Test("Everything an app does becomes a row, in order of time")
  func recordsALife() throws {
    try withScratchFolder { folder in
      var recording = Recording(in: folder)
      recording.settings.category = .notes
      recording.settings.device = "iphone-12"
      recording.settings.user = "somebody \"else\""
      recording.settings.source = "iPhone13,2\n\u{7F}"
      try recording.life { recorder in
        recorder.launch()
        recorder.launch()
        recording.time.pass(1)
        recorder.footprint(bytes: 60_000_000)
        recording.time.pass(3.5)
        recorder.edit(bytes: 2048, work: .milliseconds(3500), scene: "Brief 7; draft, \"x\"\n=é")
        recorder.edit(bytes: 8, work: .zero, isPosition: true, isSynced: true)
        recorder.interrupt(by: .call)
        recorder.interrupt()
        recording.time.pass(1)
        recorder.endInterrupt()
        recorder.memoryWarning()
        let save = recorder.beginSave(trigger: .background, isAtomic: true)
        recorder.home()
        recording.time.pass(0.25)
        save.end()
        save.end()
        recorder.backgroundLaunch(.push)
        recorder.quit()
        recorder.launch()
        recorder.edit(bytes: 1, work: .zero)
      }
      #expect(
        try recording.rows() == [
          "250000000,A,launch,,,", "1250000000,A,footprint,60000000,,",
          "4750000000,A,edit,2048,,work_ms=3500;scene=Brief 7%3B draft%2C %22x%22%0A%3Dé",
          "4750000000,A,edit,8,,work_ms=0;kind=position;synced=1",
          "4750000000,,interrupt,,,by=call", "5750000000,,interrupt-end,,,outcome=dismissed",
          "5750000000,A,observed-warning,1,,",
          "5750000000,,home,,,",
          "5750000000,A,save,,,atomic=1;duration_ms=00000000250.000;trigger=background;complete=1",
          "6000000000,A,background-launch,,,reason=push",
          "6000000000,A,quit,,,",
        ])
      let trace = try recording.trace()
      #expect(trace.header.start == "2020-01-01T11:00:00+01:00")
      #expect(trace.header.device == "iphone-12")
      #expect(trace.header.user == "somebody \"else\"")
      #expect(trace.header.source == "recorded by the app itself: iPhone13,2\n\u{7F}")
      #expect(trace.header.appsYAML == "com.example.notes: {category: notes}")
    }
  }

  @Test("A file keeps the person that it began with")
  func user() throws {
    try withScratchFolder { folder in
      var recording = Recording(in: folder)
      for user in ["tester-7", "tester-8", nil] {
        recording.settings.user = user
        try recording.life { $0.launch() }
        #expect(try recording.trace().header.user == "tester-7")
      }
    }
  }

  @Test(
    "Every name is read back, and is the same in rows and header",
    arguments: [
      "com.example.notes", "a\u{FEFF}b", "x\u{FFFF}y\u{FFFE}", "\u{2028}\u{85}\u{0}\u{9F}\n\"\\",
      "#;=%,: {}", String(repeating: "x", count: 5000), String(repeating: "\"", count: 1100),
      String(repeating: "\u{1}", count: 255), String(repeating: "🙂é", count: 600), " a ",
    ])
  func names(name: String) throws {
    try withScratchFolder { folder in
      var recording = Recording(in: folder)
      recording.settings.app = name
      recording.settings.user = name
      recording.settings.source = name
      recording.settings.category = .largeGame
      for _ in 0..<2 { try recording.life { $0.launch() } }
      let trace = try recording.trace()
      #expect(trace.index.launchStarts.count == 2)
      let app = try #require(trace.apps.first)
      #expect(name.utf8.starts(with: app.utf8))
      #expect(app.utf8.count == min(name.utf8.count, 255) || app.utf8.count > 255 - 4)
      #expect(name.utf8.starts(with: trace.header.user.utf8))
      // What the header says of the app is said of the app of the rows.
      let device = try DeviceTable.device(named: "iphone-12")
      let game = try TraceLoader.profiles(of: trace, at: recording.path, on: device)
      var other = Recording(in: folder, named: "other.csv")
      other.settings.category = .largeGame
      try other.life { $0.launch() }
      let expected = try TraceLoader.profiles(of: other.trace(), at: other.path, on: device)
      #expect(game == expected)
    }
  }

  @Test("Short work adds up")
  func shortWork() throws {
    try withScratchFolder { folder in
      let recording = Recording(in: folder)
      let lengths: [Duration] = [
        .microseconds(900), .nanoseconds(1), .microseconds(1_000_050), .milliseconds(7),
        .nanoseconds(1_999_999),
      ]
      try recording.life { recorder in
        recorder.launch()
        for work in lengths { recorder.edit(bytes: 1, work: work) }
      }
      let details = try recording.rows().dropFirst().compactMap { $0.split(separator: "=").last }
      #expect(details == ["0.9", "0.000001", "1000.05", "7", "1.999999"])
      let trace = try recording.trace()
      let work = trace.events.facts {
        $0.kind == .edit
      } _: {
        trace.details[Int($0.detail)].workNanoseconds
      }
      #expect(work == [900_000, 1, 1_000_050_000, 7_000_000, 1_999_999])
    }
  }

  @Test(
    "What no trace may hold is not written",
    arguments: [(0, "31622400000"), (1, "31622399999.999999")])
  func staysLegal(nanosecondsLess: Int, milliseconds: String) throws {
    try withScratchFolder { folder in
      let recording = Recording(in: folder)
      let year = Duration.seconds(366 * 86_400) - .nanoseconds(nanosecondsLess)
      for life in 0..<2 {
        try recording.life { recorder in
          recorder.deviceChange("", to: "")
          recorder.launch()
          for _ in 0..<50 { recorder.edit(bytes: .max, work: year, scene: "d") }
          recorder.deviceChange("", to: "x")
          recorder.quit()
          #expect(recorder.lostRows == 0)
        }
        let trace = try recording.trace()
        #expect(trace.index.kindCounts[Int(EventKind.deviceChange.rawValue)] == 0)
        #expect(trace.index.kindCounts[Int(EventKind.edit.rawValue)] == 50 * (life + 1))
      }
      let rows = try recording.rows().filter { $0.contains("edit") }
      #expect(rows.first?.hasSuffix("work_ms=\(milliseconds);scene=d") == true)
      #expect(rows.last?.hasSuffix("work_ms=0;scene=d") == true)
    }
  }

  @Test("A life that ended without a word is ended when the next one begins")
  func nextLives() throws {
    try withScratchFolder { folder in
      var recording = Recording(in: folder)
      try recording.life { recorder in
        recorder.launch()
        recording.time.pass(5)
        recorder.home()
      }
      // Purged in the background at some time, opened again an hour later.
      recording.time.pass(3600)
      try recording.life { recorder in
        recording.time.pass(1)
        recorder.launch()
        recording.time.pass(10)
        recorder.footprint(bytes: 7)
      }
      // Died in front; the wall clock was set back meanwhile.
      recording.time.pass(60, wallMoves: -10_000)
      try recording.life { $0.launch() }
      recording.time.pass(60, wallMoves: 10_000)
      recording.settings.lastEnd = .crash
      try recording.life { $0.backgroundLaunch() }
      recording.settings.lastEnd = .unknown
      recording.time.pass(500, restarts: true)
      try recording.life { $0.launch() }
      recording.settings.lastEnd = .update
      recording.time.pass(1)
      try recording.life { $0.exit() }
      try recording.life { $0.launch() }
      #expect(
        try recording.rows() == [
          "250000000,A,launch,,,", "5250000000,,home,,,",
          "3605250000000,A,observed-exit,,,cause=unknown", "3606250000000,A,launch,,,",
          "3616250000000,A,footprint,7,,",
          "3616250000000,,home,,,", "3616250000000,A,observed-exit,,,cause=unknown",
          "3616250000000,A,launch,,,",
          "3616250000000,A,crash,,,", "3736250000000,A,background-launch,,,",
          "4231250000000,,boot,,,", "4236250000000,A,launch,,,",
          "4237250000000,A,update,,,", "4237250000000,A,background-launch,,,",
          "4237250000000,A,exit,,,", "4237250000000,A,launch,,,",
        ])
      try recording.trace()
    }
  }

  @Test("A save that does not end stays one that never ends, and a failed one may be left open")
  func openSaves() throws {
    try withScratchFolder { folder in
      let recording = Recording(in: folder)
      try recording.life { recorder in
        let first = recorder.beginSave(trigger: .timer)
        let second = recorder.beginSave(trigger: .user, isAtomic: false)
        recording.time.pass(2)
        second.end(isComplete: false)
        _ = first
      }
      #expect(
        try recording.rows() == [
          "250000000,A,background-launch,,,",
          "250000000,A,save,,,duration_ms=\(Self.never);trigger=timer;complete=0",
          "250000000,A,save,,,atomic=0;duration_ms=00000002000.000;trigger=user;complete=0",
        ])
      let trace = try recording.trace()
      let longest = trace.details.map(\.durationNanoseconds).max()
      #expect(longest == RowText.longestSave)
    }
  }

  @Test("Time for which the process was suspended is no part of a save")
  func suspendedSave() throws {
    try withScratchFolder { folder in
      let recording = Recording(in: folder)
      try recording.life { recorder in
        recorder.launch()
        recorder.poll()
        let save = recorder.beginSave(trigger: .user)
        recording.time.pass(1)
        recorder.poll()
        recording.time.pass(3600)
        save.end()
        // The sampler is late, but the process runs all the time.
        recording.time.pass(4.5)
        let short = recorder.beginSave(trigger: .user)
        recording.time.pass(1)
        short.end()
      }
      let rows = try recording.rows().filter { $0.contains("save") }
      #expect(rows.first?.contains("duration_ms=00000002000.000;") == true)
      #expect(rows.last?.contains("duration_ms=00000001000.000;") == true)
    }
  }

  @Test(
    "Looks of the app itself show no suspension", arguments: [.zero, .seconds(1)] as [Duration])
  func ownPace(interval: Duration) throws {
    try withScratchFolder { folder in
      var recording = Recording(in: folder)
      recording.settings.sampleInterval = interval
      try recording.life { recorder in
        recorder.launch()
        recorder.sampleFootprint()
        let save = recorder.beginSave(trigger: .user)
        recording.time.pass(60)
        recorder.sampleFootprint()
        recording.time.pass(6.5)
        save.end()
      }
      let row = try #require(try recording.rows().first { $0.contains("save") })
      #expect(row.contains("duration_ms=00000066500.000;"))
    }
  }

  @Test("The sampler writes changes and signs of life, and waits for a launch")
  func sampling() throws {
    try withScratchFolder { folder in
      var recording = Recording(in: folder)
      recording.settings.footprintStepBytes = 1 << 40
      try recording.life { recorder in
        recorder.sampleFootprint()
        let early = try recording.rows()
        #expect(early == [])
        recording.time.pass(1)
        recorder.launch()
        for _ in 0..<125 {
          recorder.sampleFootprint()
          recording.time.pass(1)
        }
      }
      let times = try recording.rows().filter { $0.contains("footprint") }.map { $0.prefix(4) }
      #expect(times == ["1250", "6125", "1212"])
      recording.settings.footprintStepBytes = 0
      try recording.life { recorder in
        recording.time.pass(6)
        recorder.sampleFootprint()
      }
      let events = try recording.rows().suffix(2).map { $0.split(separator: ",")[2] }
      #expect(events == ["background-launch", "footprint"])
    }
  }

  @Test("Messages of the system are what they mean")
  func messages() throws {
    try withScratchFolder { folder in
      let recording = Recording(in: folder)
      try recording.life { recorder in
        for message: LifeCycleMessage in [
          .willEnterForeground, .didBecomeActive, .willResignActive, .didBecomeActive,
          .willResignActive, .didEnterBackground, .didReceiveMemoryWarning, .willEnterForeground,
          .didBecomeActive, .willTerminate,
        ] {
          recorder.take(message)
        }
      }
      let rows = try recording.rows().filter { !$0.contains("footprint") }
      #expect(
        rows.map { $0.split(separator: ",", omittingEmptySubsequences: false)[2] } == [
          "launch", "interrupt", "interrupt-end", "interrupt", "home", "observed-warning",
          "launch", "quit",
        ])
      try recording.trace()
    }
  }

  @Test("The dark screen tells a lock from leaving, in either order of messages")
  func locks() throws {
    try withScratchFolder { folder in
      let recording = Recording(in: folder)
      try recording.life { recorder in
        recorder.launch()
        recording.time.pass(1)
        recorder.take(.willResignActive)
        recording.time.isScreenDark = true
        let save = recorder.beginSave(trigger: .background)
        recorder.take(.didEnterBackground)
        save.end()
        recorder.take(.protectedDataWillBecomeUnavailable)
        recording.time.pass(8)
        recorder.backgroundLaunch(.push)
        recording.time.isScreenDark = false
        recorder.take(.willEnterForeground)
        recorder.take(.didBecomeActive)
        recorder.beginSave(trigger: .resign).end()
        recorder.take(.willResignActive)
        recorder.deviceChange("orientation", to: "portrait")
        recorder.take(.didEnterBackground)
        recorder.beginSave(trigger: .expiration).end()
        recorder.unlock()
      }
      let rows = try recording.rows().filter { !$0.contains("footprint") }
        .map { $0.drop { $0 != "," } }
        .map { $0.replacingOccurrences(of: "duration_ms=00000000000.000;", with: "") }
      #expect(
        rows == [
          ",A,launch,,,", ",,interrupt,,,", ",,screen,0,,",
          ",,interrupt-end,,,outcome=dismissed", ",A,save,,,trigger=background;complete=1",
          ",A,background-launch,,,reason=push", ",,screen,1,,", ",,interrupt,,,",
          ",A,save,,,trigger=resign;complete=1", ",,device-change,,,kind=orientation;to=portrait",
          ",,home,,,", ",A,save,,,trigger=expiration;complete=1",
        ])
      // Whichever way a device locks: active at the start and after the unlock, not in between.
      for device in ["iphone-6s", "iphone-4"] {
        #expect(try recording.secondsTold(.didBecomeActive, on: device) == [0, 9], "\(device)")
      }
      // What a life that ended behind a locked screen was is known to the next.
      recording.time.pass(60)
      try recording.life { recorder in
        recorder.launch()
        recorder.lock()
      }
      recording.time.pass(60)
      try recording.life { $0.launch() }
      let last = try recording.rows().suffix(3).map { $0.drop { $0 != "," } }
      #expect(last == [",,screen,0,,", ",A,observed-exit,,,cause=unknown", ",A,launch,,,"])
      try recording.trace()
    }
  }

  @Test("Values beyond what a trace may hold are clipped")
  func extremes() throws {
    try withScratchFolder { folder in
      var recording = Recording(in: folder)
      recording.settings.app = ""
      try recording.life { recorder in
        recorder.footprint(bytes: .max)
        recorder.footprint(bytes: -1)
        recorder.edit(bytes: .min, work: .seconds(Int64.max))
        recorder.edit(bytes: .max, work: .seconds(Int64.min), scene: "")
        recorder.edit(bytes: 1, work: .zero, scene: String(repeating: "🙂", count: 5000))
        recorder.memoryWarning(level: 99)
        recording.time.pass(4_000_000_000)
        recorder.launch()
      }
      let trace = try recording.trace()
      #expect(trace.apps == ["app"])
      #expect(trace.events.count == 7)
    }
  }

  private static let longest = Duration.seconds(Int64.max) + .seconds(Int64.max)
  private static let shortest = Duration.seconds(Int64.min) + .seconds(Int64.min)

  @Test(
    "No setting stops the app",
    arguments: [
      Self.longest, .seconds(Int64.max), .seconds(4_000_000_000), .seconds(-5),
      .seconds(Int64.min), Self.shortest,
    ])
  func extremeSettings(interval: Duration) throws {
    try withScratchFolder { folder in
      for size in [Int64.min, 0, .max] {
        var recording = Recording(in: folder)
        recording.settings.sampleInterval = interval
        recording.settings.footprintStepBytes = size
        recording.settings.fileLimitBytes = size
        try recording.life { recorder in
          recorder.launch()
          recorder.startSampling()
          recorder.poll()
          recorder.edit(bytes: .min, work: Self.longest)
          recorder.edit(bytes: .max, work: Self.shortest)
          recording.time.pass(3)
          recorder.beginSave(trigger: .user).end()
          #expect((recorder.lostRows > 0) == (size <= 0))
        }
        if size > 0 { try recording.trace() }
      }
    }
  }

  @Test("Longer than a day counts as a day")
  func longInterval() throws {
    try withScratchFolder { folder in
      var recording = Recording(in: folder)
      recording.settings.sampleInterval = .seconds(Int64.max)
      try recording.life { recorder in
        recorder.launch()
        recorder.poll()
        let save = recorder.beginSave(trigger: .user)
        recording.time.pass(4 * 86_400)
        save.end()
      }
      let row = try #require(try recording.rows().first { $0.contains("save") })
      #expect(row.contains("duration_ms=00086400000.000;"))
    }
  }

  @Test(
    "Times that no recorder wrote do not stop the app",
    arguments: ["9999-12-31T23:59:59+00:00", "2020-01-01T11:00:00+01:00"])
  func extremeTimes(start: String) throws {
    try withScratchFolder { folder in
      let recording = Recording(in: folder)
      let text = """
        # jettison-trace: 1
        # start: "\(start)"
        # source: "recorded by the app itself"
        time_ns,app,event,value,id,detail
        \(Int64.max),com.example.notes,launch,,,

        """
      try text.write(toFile: recording.path, atomically: false, encoding: .utf8)
      if start.hasPrefix("9999") {
        #expect(throws: RecorderError.foreign(path: recording.path)) { try recording.life { _ in } }
      } else {
        try recording.life { $0.launch() }
      }
    }
  }

  @Test("Of more kinds of changes than a trace has, the first are written and the others counted")
  func manyKinds() throws {
    try withScratchFolder { folder in
      let recording = Recording(in: folder)
      try recording.life { recorder in
        for _ in 0..<2 { for kind in 0..<60 { recorder.deviceChange("kind \(kind)", to: "on") } }
        #expect(recorder.lostRows == 14)
      }
      let trace = try recording.trace()
      #expect(trace.index.kindCounts[Int(EventKind.deviceChange.rawValue)] == 106)
    }
  }

  @Test("Beyond its limit a file does not grow, and what is missing is counted")
  func fileLimit() throws {
    try withScratchFolder { folder in
      var recording = Recording(in: folder)
      recording.settings.fileLimitBytes = 400
      try recording.life { recorder in
        recorder.launch()
        for _ in 0..<100 { recorder.edit(bytes: 1, work: .zero) }
        #expect(recorder.lostRows > 90)
      }
      try recording.trace()
      #expect(try Data(contentsOf: URL(filePath: recording.path)).count <= 400)
      recording.settings.fileLimitBytes = 4000
      try recording.life { $0.launch() }
      try recording.trace()
    }
  }

  @Test(
    "A file of anything else is never touched",
    arguments: [
      "x", "#!", "# jettison-trace: 2\n",
      "# jettison-trace: 1\n# user: me\n# privacy: my notes, a day of work\n",
      "# jettison-trace: 1\n# source: \"recorded by the app in",
      TraceFixtures.everyEvent.text, TraceFixtures.workedExample,
      "# jettison-trace: 1\n# start: \"2020-01-01T11:00:00+01:00\"\n# source: me\n",
      "# jettison-trace: 1\n# start: \"2020-01-01T11:00:00+01:00\"\ntime_ns,app\n",
    ])
  func foreignFiles(text: String) throws {
    try withScratchFolder { folder in
      let recording = Recording(in: folder)
      try text.write(toFile: recording.path, atomically: false, encoding: .utf8)
      #expect(throws: RecorderError.foreign(path: recording.path)) { try recording.life { _ in } }
      #expect(try String(contentsOfFile: recording.path, encoding: .utf8) == text)
      let missing = folder.appendingPathComponent("no/such/folder.csv").path
      #expect(throws: RecorderError.file(path: missing, code: 2)) {
        try AppRecorder(path: missing, settings: recording.settings)
      }
    }
  }

  @Test("The recording of another app is not gone on with", arguments: [false, true])
  func otherApp(hasRows: Bool) throws {
    try withScratchFolder { folder in
      var recording = Recording(in: folder)
      recording.settings.category = .notes
      try recording.life { recorder in
        guard hasRows else { return }
        recorder.launch()
        recorder.edit(bytes: 10, work: .seconds(3))
      }
      let before = try Data(contentsOf: URL(filePath: recording.path))
      // Without a word on the kind of app the header names none, but the rows do.
      for category: RecorderSettings.Category? in [.notes, nil] {
        recording.settings.category = category
        for app in ["com.example.note", "com.example.notes2", "", "Com.example.notes"] {
          recording.settings.app = app
          #expect(throws: RecorderError.foreign(path: recording.path)) {
            try recording.life { $0.launch() }
          }
        }
      }
      #expect(try Data(contentsOf: URL(filePath: recording.path)) == before)
      recording.settings.app = "com.example.notes"
      try recording.life { $0.launch() }
      try recording.trace()
    }
  }

  @Test("One recorder serves one file, by whatever name, until it is gone")
  func secondRecorder() throws {
    try withScratchFolder { folder in
      let recording = Recording(in: folder)
      let link = folder.appendingPathComponent("link.csv").path
      try recording.life { recorder in
        recorder.launch()
        try FileManager.default.createSymbolicLink(
          atPath: link, withDestinationPath: recording.path)
        for path in [recording.path, link] {
          #expect(throws: RecorderError.inUse(path: path)) {
            try AppRecorder(path: path, settings: recording.settings)
          }
        }
        let save = recorder.beginSave(trigger: .user)
        recorder.edit(bytes: 7, work: .zero)
        save.end()
      }
      try recording.life { $0.launch() }
      let events = try recording.rows().map {
        $0.split(separator: ",", omittingEmptySubsequences: false)[2]
      }
      #expect(events == ["launch", "save", "edit", "home", "observed-exit", "launch"])
      try recording.trace()
      // What is refused is claimed by nobody.
      let foreign = folder.appendingPathComponent("foreign.csv").path
      try "x".write(toFile: foreign, atomically: false, encoding: .utf8)
      for _ in 0..<2 {
        #expect(throws: RecorderError.foreign(path: foreign)) {
          try AppRecorder(path: foreign, settings: recording.settings)
        }
      }
    }
  }

  @Test("A file is free when its recorder is let go, whatever the sampler does then")
  func nextRecorder() throws {
    try withScratchFolder { folder in
      var recording = Recording(in: folder)
      recording.settings.sampleInterval = .nanoseconds(1)
      for _ in 0..<200 {
        try recording.life { recorder in
          recorder.launch()
          recorder.startSampling()
          usleep(100)
        }
      }
      try recording.trace()
    }
  }

  @Test("An error says what is wrong and what to do")
  func remedies() {
    #expect(
      RecorderError.file(path: "a.csv", code: 2).description
        == "a.csv: cannot be used (No such file or directory): name a file where the app may write")
    #expect(
      RecorderError.full(path: "a.csv").description
        == "a.csv: cannot be written: no room is left: free some and begin again")
    #expect(
      RecorderError.foreign(path: "a.csv").description
        == "a.csv: is not a recording of this app, and was left as it is: name another file")
    #expect(
      RecorderError.inUse(path: "a.csv").description
        == "a.csv: another recorder of this process writes to it: use that one or name another file"
    )
  }

  @Test("A file that was cut anywhere is mended by the next life")
  func cutFiles() throws {
    try withScratchFolder { folder in
      let recording = Recording(in: folder)
      try recording.life { recorder in
        recorder.launch()
        recorder.edit(bytes: 4096, work: .seconds(4), scene: "a")
        recorder.beginSave(trigger: .user).end()
        recorder.home()
      }
      let whole = try Data(contentsOf: URL(filePath: recording.path))
      for length in 0..<whole.count {
        try writeScratch(whole.prefix(length), to: URL(filePath: recording.path))
        try recording.life { $0.launch() }
        let trace = try recording.trace()
        #expect(trace.events.count >= 1, "cut at \(length)")
        // What was whole before the cut is still there.
        let kept = whole.prefix(length)
        if let end = kept.lastIndex(of: 0x0A), length > 200 {
          let mended = try Data(contentsOf: URL(filePath: recording.path))
          #expect(mended.starts(with: kept[...end]), "cut at \(length)")
        }
      }
    }
  }

  @Test("Many threads write whole rows whose times do not decrease")
  func threads() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "jettison-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("threads.csv").path
    let recorder = try AppRecorder(path: path, settings: RecorderSettings(app: "com.example.app"))
    recorder.launch()
    recorder.startSampling()
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<500 {
            let save = recorder.beginSave(trigger: .timer)
            recorder.edit(bytes: Int64(number), work: .milliseconds(1), scene: "\(task)")
            if number % 3 > 0 { save.end() }
          }
        }
      }
    }
    let trace = try TraceLoader.load(path)
    #expect(trace.events.count >= 1 + 8 * 500 * 2)
    #expect(recorder.lostRows == 0)
    let endless = trace.events.facts {
      $0.kind == .save
    } _: {
      trace.details[Int($0.detail)]
    }
    .count { $0.durationNanoseconds == RowText.longestSave }
    #expect(endless == 8 * 167)
  }

  @Test("A process that is killed in the middle leaves a trace, and its next life goes on with it")
  func killedProcess() throws {
    try withScratchFolder { folder in
      let path = folder.appendingPathComponent("victim.csv").path
      for life in 1...3 {
        let (running, output) = try Command.piped([Self.program.path, path])
        #expect(try output.read(upToCount: 6) == Data("ready\n".utf8))
        usleep(useconds_t(20_000 * life))
        #expect(running.end(by: SIGKILL) == 128 + SIGKILL)
        // The system writes page by page, and may be stopped within a row; the next life takes it off.
        guard try Data(contentsOf: URL(filePath: path)).last == UInt8(ascii: "\n") else { continue }
        let trace = try TraceLoader.load(path)
        let known = "no 'end' row: the capture ends at its last event"
        #expect(trace.issues.all.map(\.text) == [known])
        #expect(trace.index.launchStarts.count >= 1)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.components(separatedBy: ",launch,").count == life + 1)
        #expect(text.components(separatedBy: ",observed-exit,").count == life)
        #expect(text.contains(",edit,"))
      }
    }
  }

  /// The program that records itself, which is built beside the tests.
  private static var program: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "RecordedProcess")
  }

  @Test("The footprint of this process is measured")
  func ownFootprint() throws {
    try withScratchFolder { folder in
      let recording = Recording(in: folder)
      try recording.life { recorder in
        recorder.launch()
        recorder.sampleFootprint()
      }
      let row = try #require(try recording.rows().last)
      let bytes = try #require(Int64(row.split(separator: ",")[3]))
      #expect((1 << 20..<1 << 34).contains(bytes))
    }
  }

  @Test(
    "Dates are written and read back",
    arguments: [
      (0, 0, "1970-01-01T00:00:00+00:00"), (1_709_208_000, -12_600, "2024-02-29T08:30:00-03:30"),
      (4_102_444_799, 3600, "2100-01-01T00:59:59+01:00"),
      (1_577_836_799, 0, "2019-12-31T23:59:59+00:00"),
    ] as [(Int64, Int64, String)])
  func dates(seconds: Int64, offset: Int64, text: String) {
    #expect(RecorderDate.text(seconds: seconds, offset: offset) == text)
    #expect(RecorderDate.seconds(text[...]) == seconds)
  }
}

extension EventStorage {
  /// Facts of the events of one kind.
  fileprivate func facts<Fact>(
    where isWanted: (TraceEvent) -> Bool, _ fact: (TraceEvent) -> Fact
  ) -> [Fact] {
    var facts: [Fact] = []
    withEvents { events in
      for position in 0..<events.count where isWanted(events[position]) {
        facts.append(fact(events[position]))
      }
    }
    return facts
  }
}
