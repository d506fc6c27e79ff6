import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonTraces

/// A process as the tests tell of it.
private func process(
  _ number: Int32, _ name: String, parent: Int32 = 1, start: Int64 = 0, state: String = "S",
  exit: Int32? = nil
) -> ProcessStatus {
  ProcessStatus(
    identity: ProcessStatus.Identity(number: number, startTicks: start), name: name,
    state: state.utf8.first ?? 0, parent: parent, activity: [], exitStatus: exit)
}

/// A recording of invented moments, one a second, with 100 ticks each.
private struct Story {
  var recording: ProcessRecording
  var second: Int64 = 0
  /// Bytes of each process, by number.
  var footprints: [Int32: Int64] = [:]
  /// Processes whose bytes are a guess.
  var derived: Set<Int32> = []
  var rows: [String] = []

  init(_ names: [String] = ["*"], edit: (inout ProcessSelection) -> Void = { _ in }) {
    var selection = ProcessSelection()
    selection.names = names.map { NameGlob($0) }
    edit(&selection)
    recording = ProcessRecording(
      ProcessFollower(selection, ourselves: 9), writesSystemMemory: false, ticksPerSecond: 100)
  }

  /// Shows a moment; returns its rows without their empty ends.
  @discardableResult
  mutating func see(
    _ processes: [ProcessStatus], edit: (inout ProcessSnapshot) -> Void = { _ in }
  ) -> [String] {
    var snapshot = ProcessSnapshot()
    snapshot.timeNanoseconds = second * 1_000_000_000
    snapshot.ticks = 1_000 + second * 100
    snapshot.processes = processes
    edit(&snapshot)
    let (sizes, derived) = (footprints, derived)
    recording.take(snapshot) { process in
      let number = process.identity.number
      return sizes[number].map {
        MeasuredFootprint(bytes: $0, isDerived: derived.contains(number))
      }
    }
    second += 1
    let text = String(decoding: recording.takeRows(), as: UTF8.self)
    return text.split(separator: "\n").map { line in
      var line = line
      while line.last == "," { line.removeLast() }
      return String(line).replacing("000000000,", with: ",").replacing(",,,", with: ",")
    }
  }
}

@Suite("Recording of processes")
struct ProcessRecordingTests {
  @Test("What runs first is present: the only one that runs is in front, stopped ones suspended")
  func present() {
    var story = Story()
    story.footprints = [11: 4096, 12: 8192]
    let rows = story.see([
      process(11, "emacs"), process(12, "gimp", state: "T"),
    ])
    #expect(
      rows == ["0,emacs,present,4096,,state=front", "0,gimp,present,8192,,state=suspended"])
    var guess = Story()
    guess.footprints = [11: 4096]
    guess.derived = [11]
    #expect(
      guess.see([process(11, "emacs")]) == [
        "0,emacs,present,4096,,state=front", "0,emacs,footprint,4096,,derived=1",
      ])
    #expect(guess.see([process(11, "emacs")]).isEmpty)
    var two = Story()
    #expect(
      two.see([process(11, "emacs"), process(12, "redis")]) == [
        "0,emacs,present,state=background", "0,redis,present,state=background",
        "0,emacs,background-mode,1,,mode=service", "0,redis,background-mode,1,,mode=service",
      ])
  }

  @Test("Starts and goings on are launches, stops are leaving")
  func focus() {
    var story = Story()
    story.see([])
    // Started 0.6 s before it was seen.
    #expect(story.see([process(11, "emacs", start: 1_040)]) == ["400000000,emacs,launch"])
    let gimp = process(12, "gimp", start: 1_150)
    #expect(
      story.see([process(11, "emacs", start: 1_040, state: "T"), gimp]) == [
        "1500000000,gimp,launch"
      ])
    #expect(story.see([process(11, "emacs", start: 1_040, state: "T"), gimp]) == [])
    #expect(
      story.see([
        process(11, "emacs", start: 1_040), process(12, "gimp", start: 1_150, state: "T"),
      ]) == ["4,emacs,launch"])
    #expect(
      story.see([
        process(11, "emacs", start: 1_040, state: "T"),
        process(12, "gimp", start: 1_150, state: "T"),
      ]) == ["5,,home"])
  }

  @Test("What runs behind for two looks runs in the background, until it is stopped or in front")
  func background() {
    var story = Story()
    story.see([])
    let redis = process(11, "redis", start: 1_100)
    let vim = process(12, "vim", start: 1_200)
    #expect(story.see([redis]) == ["1,redis,launch"])
    #expect(story.see([redis, vim]) == ["2,vim,launch"])
    #expect(story.see([redis, vim]) == ["3,redis,background-mode,1,,mode=service"])
    #expect(
      story.see([process(11, "redis", start: 1_100, state: "T"), vim]) == [
        "4,redis,background-mode,0,,mode=service"
      ])
  }

  @Test(
    "Ends have the cause that is known",
    arguments: [
      (Int32(0), false, "exit"), (3 << 8, false, "exit"), (11, false, "crash"),
      (134, false, "crash"),
      (15, false, "quit"), (2, false, "quit"), (9, false, "observed-exit,cause=signal"),
      (9, true, "observed-exit,cause=low-memory"), (10, false, "observed-exit,cause=signal"),
    ])
  func ends(_ status: Int32, _ isMemory: Bool, _ row: String) {
    var story = Story()
    let vim = process(12, "vim")
    story.see([vim])
    let rows = story.see([]) {
      $0.exits[vim.identity] = status
      $0.hasKilledForMemory = isMemory
    }
    #expect(rows == ["1,vim,\(row)"])
    var zombie = Story()
    zombie.see([vim])
    let ended = process(12, "vim", state: "Z", exit: status)
    #expect(zombie.see([ended]) { $0.hasKilledForMemory = isMemory } == ["1,vim,\(row)"])
  }

  @Test("An end that nobody tells of is unknown")
  func unknownEnd() {
    var story = Story()
    story.see([process(12, "vim")])
    #expect(story.see([]) == ["1,vim,observed-exit,cause=unknown"])
  }

  @Test("Helpers belong to what started them, also when that is gone")
  func helpers() {
    var story = Story(["surf"])
    story.footprints = [11: 1_000, 12: 200, 13: 30]
    let helpers = [
      process(12, "WebKitWebProcess", parent: 11, start: 5),
      process(13, "surf", parent: 12, start: 6),
    ]
    #expect(story.see([process(11, "surf")] + helpers) == ["0,surf,present,1230,,state=front"])
    let orphans = [
      process(12, "WebKitWebProcess", parent: 1, start: 5),
      process(13, "surf", parent: 12, start: 6),
    ]
    #expect(story.see(orphans) == ["1,surf,footprint,230"])
    #expect(story.see([]) == ["2,surf,observed-exit,cause=unknown"])
  }

  @Test("A helper that is followed under a name of its own is an app of its own")
  func followedHelper() {
    var story = Story(["python3", "convert"])
    let python = process(11, "python3")
    story.see([python])
    // Before it becomes another program it is a copy of its parent.
    #expect(story.see([python, process(12, "python3", parent: 11, start: 1_100)]) == [])
    #expect(
      story.see([python, process(12, "convert", parent: 11, start: 1_100)]) == [
        "1,convert,launch"
      ])
  }

  @Test("Apps of one name are numbered, and a number that is free is used again")
  func numbers() {
    var story = Story { $0.isEachAnApp = true }
    story.see([])
    let first = process(11, "sh", start: 1_100)
    let second = process(12, "sh", parent: 11, start: 1_100)
    #expect(story.see([first, second]) == ["1,sh,launch", "1,sh:2,launch"])
    #expect(story.see([second]) == ["2,sh,observed-exit,cause=unknown"])
    #expect(
      story.see([second, process(11, "sh", start: 1_300)]) == ["3,sh,launch"])
    #expect(story.recording.names == ["sh", "sh:2"])
  }

  @Test("A number that is used again is another process")
  func reusedNumber() {
    var story = Story()
    story.see([process(11, "vim", start: 5)])
    #expect(
      story.see([process(11, "vim", start: 1_090)]) == [
        "1,vim,observed-exit,cause=unknown", "1,vim,launch",
      ])
  }

  @Test("Only what is below the command is followed by name with a command")
  func command() {
    var story = Story(["vim"]) { $0.followsCommand = true }
    story.see([process(11, "vim")])
    story.recording.follow(command: 20)
    let below = [
      process(11, "vim"), process(20, "sh", parent: 9, start: 1_050),
      process(21, "vim", parent: 20, start: 1_100),
    ]
    #expect(story.see(below) == ["1,vim,launch"])
    // Its parent ended, and it has become ours.
    #expect(story.see([process(11, "vim"), process(21, "vim", parent: 9, start: 1_100)]) == [])
  }

  @Test("Names of processes are written so that the trace can be read")
  func hostileNames() throws {
    var story = Story()
    let names = ["a,b", "two\nlines", "#;=%\"", "メモ帳", "\u{1B}[31m", "-", " "]
    story.see([])
    let snapshot = names.enumerated().map { offset, name in
      process(Int32(20 + offset), name, start: 1_100 + Int64(offset))
    }
    var text = "# jettison-trace: 1\ntime_ns,app,event,value,id,detail\n"
    var moment = ProcessSnapshot()
    moment.timeNanoseconds = 5_000_000_000
    moment.ticks = 2_000
    moment.processes = snapshot
    story.recording.take(moment) { _ in MeasuredFootprint(bytes: 1, isDerived: true) }
    story.recording.finish(at: 6_000_000_000)
    text += String(decoding: story.recording.takeRows(), as: UTF8.self)
    let trace = try TraceLoader.read(text: Array(text.utf8).span, name: "hostile")
    #expect(Set(trace.apps) == Set(names))
    #expect(trace.issues.all.isEmpty)
  }

  @Test(
    "Memory of the system is told when it has changed by a mebibyte, stalls when there were any")
  func system() {
    var story = Story()
    func rows(_ available: Int64, _ stall: Int64) -> [String] {
      story.see([]) {
        $0.availableBytes = available
        $0.someStallMicroseconds = stall
        $0.fullStallMicroseconds = stall / 2
      }
    }
    #expect(rows(1 << 30, 100) == ["0,,observed-available,1073741824"])
    #expect(rows((1 << 30) - 4096, 100) == [])
    #expect(rows((1 << 30) + 4096, 300).last == "2,,x-stall,200,,x-full_us=100")
  }
}
