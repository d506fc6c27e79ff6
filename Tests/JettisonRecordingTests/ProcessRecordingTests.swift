import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonRecording
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
  /// `oom_score_adj` of each process, by number.
  var adjustments: [Int32: Int64] = [:]
  /// Processes whose bytes are a guess.
  var derived: Set<Int32> = []
  var rows: [String] = []

  init(
    _ names: [String] = ["*"], writesSystemMemory: Bool = false,
    edit: (inout ProcessSelection) -> Void = { _ in }
  ) {
    var selection = ProcessSelection()
    selection.names = names
    edit(&selection)
    recording = ProcessRecording(
      ProcessFollower(selection, ourselves: 9), writesSystemMemory: writesSystemMemory,
      ticksPerSecond: 100)
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
    let (sizes, derived, adjustments) = (footprints, derived, adjustments)
    recording.take(snapshot) { process in
      let number = process.identity.number
      return sizes[number].map {
        MeasuredFootprint(
          bytes: $0, isDerived: derived.contains(number), adjustment: adjustments[number])
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

  @Test("What runs behind for two samples runs in the background, until it is stopped or in front")
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
      $0.memoryKills = isMemory ? 1 : 0
    }
    #expect(rows == ["1,vim,\(row)"])
    var zombie = Story()
    zombie.see([vim])
    let ended = process(12, "vim", state: "Z", exit: status)
    #expect(zombie.see([ended]) { $0.memoryKills = isMemory ? 1 : 0 } == ["1,vim,\(row)"])
  }

  @Test("An end without a report is unknown")
  func unknownEnd() {
    var story = Story()
    story.see([process(12, "vim")])
    #expect(story.see([]) == ["1,vim,observed-exit,cause=unknown"])
  }

  @Test("A process is as large from its start as it is found first")
  func firstFootprint() {
    var story = Story()
    story.footprints = [12: 4096]
    story.see([])
    #expect(
      story.see([process(12, "vim", start: 1_050)]) == [
        "500000000,vim,launch", "500000000,vim,footprint,4096",
      ])
    #expect(story.see([process(12, "vim", start: 1_050)]) == [])
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
    "Memory of the system is written when it has changed by a mebibyte, stalls when there were any")
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

@Suite("Recording of what the kernel's OOM killer reports")
struct KernelKillRecordingTests {
  private static let mib: Int64 = 1 << 20

  /// Two programs of 30 and 20 MiB in 100 MiB of which nobody else has any.
  private func twoPrograms() -> Story {
    var story = Story(writesSystemMemory: true) { $0.isEachAnApp = true }
    story.footprints = [11: 30 * Self.mib, 12: 20 * Self.mib]
    story.see(
      [process(11, "perl"), process(12, "awk")], edit: { Self.machine(&$0, available: 50) })
    return story
  }

  private static func machine(_ snapshot: inout ProcessSnapshot, available: Int64) {
    snapshot.totalBytes = 100 * mib
    snapshot.availableBytes = available * mib
  }

  private static func kill(
    at second: Int64, _ sizes: [(Int32, String, Int64, Int64)], victims: [Int32]
  ) -> KernelKill {
    KernelKill(
      timeNanoseconds: second * 1_000_000_000,
      processes: sizes.map { .init(number: $0.0, name: $0.1, bytes: $0.2 * mib, adjustment: $0.3) },
      victims: victims, requestedBytes: 4096, isOfGroup: true)
  }

  @Test("A report gives footprints and ranks, memory that the allocation does not fit, and an end")
  func report() {
    var story = twoPrograms()
    // They have grown to 55 and 45 MiB; the sample comes when the victim is gone.
    story.footprints = [11: 56 * Self.mib]
    let rows = story.see([process(11, "perl")]) {
      Self.machine(&$0, available: 44)
      $0.kernelKills = [
        Self.kill(at: 1, [(11, "perl", 55, 0), (12, "awk", 45, 300)], victims: [12])
      ]
    }
    #expect(
      rows == [
        // Nobody else had any memory before: there is no room to make.
        "1,perl,footprint,57671680", "1,awk,adj,300", "1,awk,footprint,47185920",
        // One page less than nothing is left.
        "1,,system-memory,4096", "1,awk,observed-exit,cause=memory-limit;band=300",
        "1,,system-memory,0", "1,perl,footprint,58720256", "1,,observed-available,46137344",
      ])
  }

  @Test("A killed process is not followed while it dies, and its name is free afterwards")
  func dying() {
    var story = twoPrograms()
    let kill = Self.kill(at: 1, [(11, "perl", 55, 0), (12, "awk", 45, 0)], victims: [11])
    story.footprints = [11: 1, 12: 45 * Self.mib]
    let rows = story.see([process(11, "perl"), process(12, "awk")]) {
      Self.machine(&$0, available: 55)
      $0.kernelKills = [kill]
    }
    #expect(rows.contains("1,perl,observed-exit,cause=memory-limit;band=0"))
    #expect(!rows.contains { $0.hasPrefix("1,perl,footprint,1") })
    // Its process is gone, another one has its name.
    let next = story.see([process(12, "awk"), process(13, "perl", start: 1_150)]) {
      Self.machine(&$0, available: 55)
    }
    #expect(next == ["1500000000,perl,launch"])
    #expect(story.recording.reportCount == 1)
  }

  @Test("A victim that no sample has seen alone is launched before it ends")
  func unseen() {
    var story = twoPrograms()
    story.footprints[13] = Self.mib
    let rows = story.see(
      [process(11, "perl"), process(12, "awk"), process(13, "lua", start: 1_050)]
    ) {
      Self.machine(&$0, available: 49)
      $0.kernelKills = [Self.kill(at: 1, [(13, "lua", 50, 900)], victims: [13])]
    }
    let launch = rows.firstIndex(of: "500000000,lua,launch")
    let end = rows.firstIndex(of: "1,lua,observed-exit,cause=memory-limit;band=900")
    #expect(launch != nil && end != nil && launch! < end!)
  }

  @Test("Who is gone and not in the table had ended before the kernel chose")
  func goneBefore() {
    var story = twoPrograms()
    story.footprints[13] = Self.mib
    story.see([process(11, "perl"), process(12, "awk"), process(13, "lua", start: 1_050)]) {
      Self.machine(&$0, available: 49)
    }
    let rows = story.see([process(11, "perl")]) {
      Self.machine(&$0, available: 45)
      $0.exits[process(13, "lua", start: 1_050).identity] = 0
      $0.kernelKills = [
        Self.kill(at: 2, [(11, "perl", 55, 0), (12, "awk", 45, 0)], victims: [12])
      ]
    }
    let exit = rows.firstIndex(of: "2,lua,exit")
    let kill = rows.firstIndex { $0.hasPrefix("2,awk,observed-exit") }
    #expect(exit != nil && kill != nil && exit! < kill!, "\(rows)")
  }

  @Test("A report of others changes nothing")
  func others() {
    var story = twoPrograms()
    let rows = story.see([process(11, "perl"), process(12, "awk")]) {
      Self.machine(&$0, available: 50)
      $0.kernelKills = [Self.kill(at: 1, [(77, "cc1", 50, 0)], victims: [77])]
    }
    #expect(rows.isEmpty)
    #expect(story.recording.reportCount == 0)
  }

  @Test("A rank that is not 0 is written, when a recording begins and when it changes")
  func ranks() {
    var story = Story()
    story.footprints = [11: 4096]
    story.adjustments = [11: -500]
    #expect(
      story.see([process(11, "sshd")]) == [
        "0,sshd,present,4096,,state=front", "0,sshd,adj,-500",
      ])
    #expect(story.see([process(11, "sshd")]).isEmpty)
    story.adjustments = [11: 0]
    #expect(story.see([process(11, "sshd")]) == ["2,sshd,adj,0"])
  }
}

#if os(Linux)
  import Foundation

  @Suite("Following the kernel's log")
  struct KernelLogFollowerTests {
    private static let report = """
      4,434,67015326806,-;python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
       SUBSYSTEM=memory
      4,435,67015326818,-;CPU: 1 UID: 0 PID: 27216 Comm: python3 Tainted: G        W           6.18.44 #1
      6,463,67015327194,-;memory: usage 98304kB, limit 98304kB, failcnt 0
      6,464,67015327213,-;memory+swap: usage 98304kB, limit 98304kB, failcnt 0
      6,510,67015327480,-;[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name
      6,511,67015327482,-;[  27216]     0 27216     7281     6316     4648     1668         0   102400        0             0 python3
      6,516,67015327501,-;[  27222]     0 27222     7522     6512     4840     1672         0   102400        0           500 perl
      6,517,67015327505,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/box,task_memcg=/box,task=perl,pid=27222,uid=0

      """
    private static let kill = """
      3,518,67015327544,-;Memory cgroup out of memory: Killed process 27222 (perl) total-vm:30088kB, anon-rss:19360kB, file-rss:6688kB, shmem-rss:0kB, UID:0 pgtables:100kB oom_score_adj:500

      """

    private func append(_ text: String, to path: String) throws {
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.seekToEnd()
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    }

    @Test("A report counts once it is whole, from where the following began, of the group only")
    func follows() throws {
      try withScratchFolder { folder in
        let path = folder.appending(path: "log").path
        try Data((Self.report + Self.kill).utf8).write(to: URL(fileURLWithPath: path))
        var log = try KernelLogFollower(path: path)
        let moment = { (time: Int64?) in (time ?? 0) - 67_015_000_000_000 }
        var reports: [KernelKill]
        reports = log.reports(of: "/sys/fs/cgroup/memory/box", at: moment)
        #expect(reports.isEmpty, "of before")
        try append(Self.report, to: path)
        reports = log.reports(of: "/sys/fs/cgroup/memory/box", at: moment)
        #expect(reports.isEmpty, "no victim yet")
        try append(String(Self.kill.dropLast(9)), to: path)
        reports = log.reports(of: "/sys/fs/cgroup/memory/box", at: moment)
        #expect(reports.isEmpty, "no whole line")
        try append(String(Self.kill.suffix(9)), to: path)
        let kills = log.reports(of: "/sys/fs/cgroup/memory/box/", at: moment)
        #expect(
          kills == [
            KernelKill(
              timeNanoseconds: 327_544_000,
              processes: [
                // 6316 pages and 102,400 bytes of page tables.
                .init(number: 27216, name: "python3", bytes: 25_972_736, adjustment: 0),
                .init(number: 27222, name: "perl", bytes: 26_775_552, adjustment: 500),
              ],
              victims: [27222], requestedBytes: 4096, isOfGroup: true)
          ])
        let isWhole = !log.isIncomplete
        #expect(isWhole)
        try append(Self.report + Self.kill, to: path)
        reports = log.reports(of: "/sys/fs/cgroup/memory/another", at: moment)
        #expect(reports.isEmpty)
        try append(Self.report + Self.kill, to: path)
        reports = log.reports(of: nil, at: moment)
        #expect(reports.count == 1)
        try append(Self.kill, to: path)
        reports = log.reports(of: nil, at: moment)
        #expect(reports.isEmpty)
        let isIncomplete = log.isIncomplete
        #expect(isIncomplete, "the kernel wrote no report of that kill")
      }
    }

    @Test("A log that is cut, mixed up or endless never traps")
    func damage() throws {
      try withScratchFolder { folder in
        let path = folder.appending(path: "log").path
        let whole = Array((Self.report + Self.kill).utf8)
        for position in stride(from: 0, to: whole.count, by: 7) {
          var bytes = whole
          bytes[position] = position % 2 == 0 ? 0xFF : 0x3B
          try Data().write(to: URL(fileURLWithPath: path))
          var log = try KernelLogFollower(path: path)
          try Data(bytes[..<(whole.count - position / 3)]).write(to: URL(fileURLWithPath: path))
          _ = log.reports(of: nil) { $0 ?? 0 }
        }
        #expect(throws: TraceError.self) {
          _ = try KernelLogFollower(path: folder.appending(path: "none").path)
        }
      }
    }
  }
#endif
