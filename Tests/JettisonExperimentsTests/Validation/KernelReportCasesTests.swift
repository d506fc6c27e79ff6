import Foundation
import JettisonImporters
import JettisonReports
import JettisonTestSupport
import JettisonTraces
import Testing

@testable import JettisonCore
@testable import JettisonExperiments

/// Public reports of the kernel's OOM killer, by their figures, and whom it killed: each becomes a
/// log, the log a trace, and the policy is asked.
@Suite("Linux: reports with observed victims")
struct KernelReportCasesTests {
  static let section = OthersSection(
    "Reports of the Linux kernel",
    ids: ["K1", "K3", "K5", "K6", "K8", "K11", "K12", "K13", "K16", "K17", "K18"],
    passed: cases.filter { $0.rank == 1 }.map { String($0.id.prefix { $0 != " " }) },
    different: [
      .init(
        ["K16", "K18"],
        "That processes with more points were being reaped already is in no table of processes.")
    ],
    inexpressible: [])

  /// A row of the table of processes, in pages.
  struct Process: Sendable {
    let pid: Int
    var uid = 1000
    let resident: Int
    var tables = 0
    var swapped = 0
    var adj = 0
    let name: String
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let kernel: String
    var ramPages: Int
    var swapPages = 0
    /// Whether `ramPages` is the limit of a control group.
    var isGroup = false
    /// Position of the process that asked.
    var asker = 0
    let processes: [Process]
    /// Position of whom the kernel killed.
    var victim = 0
    /// The score that the kernel printed, or that follows from its rule.
    var score: Int64?
    /// Place of the kernel's victim where Jettison differs on purpose (article *The killers of
    /// Linux*).
    var rank = 1
    var testDescription: String { id }

    /// The report as `dmesg` prints it.
    var log: String {
      let one = processes[asker]
      let dead = processes[victim]
      var lines = [
        "\(one.name) invoked oom-killer: gfp_mask=0x201da, order=0, oom_score_adj=0",
        "CPU: 4 PID: \(one.pid) Comm: \(one.name) Not tainted \(kernel) #1",
      ]
      if isGroup {
        lines.append("memory: usage \(ramPages * 4)kB, limit \(ramPages * 4)kB, failcnt 9")
      }
      lines += [
        "Total swap = \(swapPages * 4)kB", "\(ramPages + 100) pages RAM", "100 pages reserved",
        "[ pid ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name",
      ]
      for process in processes {
        lines.append(
          "[\(process.pid)] \(process.uid) \(process.pid) 9999999 \(process.resident) "
            + "\(process.tables) \(process.swapped) \(process.adj) \(process.name)")
      }
      let what = isGroup ? "Memory cgroup out of memory" : "Out of memory"
      lines.append("\(what): Killed process \(dead.pid) (\(dead.name)) total-vm:1kB")
      return lines.map { "[ 4711.000100] \($0)\n" }.joined()
    }
  }

  static let cases: [Case] = [
    Case(
      id: "K1", kernel: "6.1.1-arch1-1", ramPages: 4_018_318, swapPages: 6_291_455,
      processes: [
        Process(
          pid: 473206, uid: 504, resident: 2_308_581, tables: 14_816, swapped: 5_225_427,
          name: "doxygen"),
        Process(
          pid: 376692, uid: 504, resident: 2362, tables: 446, swapped: 57_194, adj: 300,
          name: "chrome"),
        Process(
          pid: 384480, uid: 504, resident: 1513, tables: 430, swapped: 35_094, adj: 300,
          name: "chrome"),
        Process(
          pid: 429373, uid: 504, resident: 132, tables: 259, swapped: 19_693, adj: 300,
          name: "chrome"),
      ], score: 732),
    Case(
      id: "K3", kernel: "3.10.0-514.6.1.el7.x86_64", ramPages: 8_186_847, swapPages: 2_097_151,
      processes: [
        Process(
          pid: 6576, uid: 12345, resident: 5_157_063, tables: 15_483, swapped: 1_527_848,
          name: "mysqld"),
        Process(
          pid: 27502, uid: 12345, resident: 2_716_569, tables: 6505, swapped: 226_225,
          name: "java"),
      ], score: 651),
    // The indexer dies, not the compiler.
    Case(
      id: "K5", kernel: "5.12.0", ramPages: 873_242, asker: 3,
      processes: [
        Process(pid: 662, resident: 71_335, tables: 1316, name: "baloo_file"),
        Process(pid: 856, resident: 65_423, tables: 1631, name: "baloo_file_extr"),
        Process(pid: 4747, resident: 64_648, tables: 146, name: "llvm-tblgen"),
        Process(pid: 3610, resident: 52_196, tables: 192, name: "clang++"),
        Process(pid: 4100, resident: 51_760, tables: 189, name: "clang++"),
        Process(pid: 373, uid: 0, resident: 23_858, tables: 184, name: "Xorg"),
      ], score: 83),
    // Not the one that asked.
    Case(
      id: "K6", kernel: "5.8.0-48-generic", ramPages: 4_117_697, swapPages: 500_000, asker: 1,
      processes: [
        Process(
          pid: 18006, resident: 2_588_787, tables: 5330, swapped: 30_779, name: "kwin_x11"),
        Process(pid: 25017, resident: 274_460, tables: 1061, swapped: 207_577, name: "mono"),
        Process(pid: 18118, resident: 291_979, tables: 1121, swapped: 15_272, name: "firefox"),
        Process(
          pid: 448, uid: 0, resident: 247, tables: 31, swapped: 158, adj: -250,
          name: "systemd-journal"),
      ], score: 568),
    // Page tables count.
    Case(
      id: "K8", kernel: "3.10.0-514.el7.x86_64", ramPages: 2_002_984,
      processes: [
        Process(pid: 5424, resident: 1_537_770, tables: 66_407, name: "java"),
        Process(pid: 13675, resident: 204_324, tables: 494, name: "java"),
        Process(pid: 3224, uid: 0, resident: 2270, tables: 61, name: "AliYunDun"),
        Process(pid: 14638, uid: 0, resident: 210, tables: 42, adj: -1000, name: "sshd"),
      ], score: 800),
    // What is resident beats what is swapped; root is spared 3 % of its points.
    Case(
      id: "K11", kernel: "3.10.0-327.el7.x86_64", ramPages: 2_800_000, swapPages: 512_962,
      asker: 1,
      processes: [
        Process(
          pid: 28792, uid: 0, resident: 1_593_870, tables: 3169, swapped: 24_579, name: "a.out"),
        Process(
          pid: 28780, uid: 0, resident: 203_274, tables: 1305, swapped: 460_992, name: "a.out"),
      ], score: 474),
    Case(
      id: "K11 without the bonus", kernel: "4.18.0", ramPages: 2_800_000, swapPages: 512_962,
      asker: 1,
      processes: [
        Process(
          pid: 28792, uid: 0, resident: 1_593_870, tables: 3169, swapped: 24_579, name: "a.out"),
        Process(
          pid: 28780, uid: 0, resident: 203_274, tables: 1305, swapped: 460_992, name: "a.out"),
      ], score: 489),
    Case(
      id: "K12", kernel: "4.4.0-generic", ramPages: 2_000_000, swapPages: 2_069_095,
      processes: [
        Process(
          pid: 4358, resident: 1_773_446, tables: 5591, swapped: 1_074_744, name: "bash")
      ], score: 701),
    Case(
      id: "K13", kernel: "4.9.0", ramPages: 25_600, isGroup: true,
      processes: [
        Process(pid: 24387, uid: 0, resident: 25_609, tables: 62, name: "stress"),
        Process(pid: 24386, uid: 0, resident: 210, tables: 12, name: "stress"),
      ], score: 972),
    // Different on purpose: that the six were dead already is in no table.
    Case(
      id: "K16", kernel: "4.6.0", ramPages: 500_000, asker: 6,
      processes: (0..<6).map {
        Process(pid: 900 + $0, resident: 43_894 - $0, adj: 500, name: "trinity-c\($0)")
      } + [Process(pid: 246, uid: 0, resident: 1199, name: "systemd-journal")],
      victim: 6, rank: 7),
    // The tail of a report: 2 GiB of RAM assumed, swap not known.
    Case(
      id: "K17", kernel: "4.18.0", ramPages: 524_288, asker: 1,
      processes: [
        Process(pid: 27368, resident: 163_627, adj: 300, name: "chromium"),
        Process(pid: 27000, resident: 303_033, name: "unison"),
      ]),
    // Different on purpose: the child was being reaped, which the table does not say.
    Case(
      id: "K18", kernel: "6.6.0", ramPages: 1_281_362, isGroup: true, asker: 1,
      processes: [
        Process(pid: 305071, uid: 0, resident: 31, name: "oom03"),
        Process(pid: 305072, uid: 0, resident: 1_281_362, name: "oom03"),
      ], rank: 2),
  ]

  private static func plan(_ log: String) throws -> RunPlan {
    try withScratchFolder { folder in
      let path = folder.appending(path: "report.log").path
      try Data(log.utf8).write(to: URL(filePath: path))
      return try plan(ofFile: path)
    }
  }

  private static func plan(ofFile path: String) throws -> RunPlan {
    let trace = try TraceLoader.load(path, formats: .all)
    var options = SpecificationText()
    options.add(.policies, "linux-oom")
    return try RunPlanner(options.specification(for: .inspect)).plan([
      LoadedTrace(path: path, trace: trace, catalog: try Catalog(for: trace, at: path))
    ])
  }

  /// The decision of the simulation, and the score that the kernel would print.
  private static func decision(
    _ plan: RunPlan
  ) throws -> (victim: String, points: Int64, score: Int64) {
    let finder = DecisionFinder(.number(1))
    let run = plan.runs[0]
    _ = try plan.policies[0].spec.run(
      plan.traces[0].trace, run.configuration, recorder: finder)
    let found = try #require(finder.found)
    let first = try #require(found.decision.candidates.first)
    #expect(first.isChosen)
    let device = run.configuration.device
    let total =
      device.ramBytes / device.pageBytes + device.swapBytes(under: .linux) / device.pageBytes
    let points = Int64(-first.score)
    return (
      plan.traces[0].trace.apps[first.app.position], points,
      KernelBadness.scoreBefore5_9(points: points, totalPages: total)
    )
  }

  @Test("The kernel's victim, and its score", arguments: cases)
  func victims(_ example: Case) throws {
    let plan = try Self.plan(example.log)
    let rows = try ValidationRunner().run(0, of: plan).rows
    let kill = try #require(rows.first { $0.kind == .observedKill })
    #expect(kill.rank == example.rank)
    #expect(kill.cause == (example.isGroup ? "memory-limit" : "low-memory"))
    let found = try Self.decision(plan)
    if let score = example.score { #expect(found.score == score) }
    guard example.rank == 1 else { return }
    #expect(found.victim == example.processes[example.victim].name)
    #expect(rows.count == 1, "nobody else goes")
    #expect(kill.outcome == .matched)
  }

  @Test("Every case is told of once, and the article counts them (JETTISON_RECORD=1 writes it)")
  func article() throws {
    #expect(try OthersSection.faults(of: [Self.section]) == [])
  }

  @Test("About Linux 3.8 root is spared 30 thousandths of the total")
  func olderBonus() throws {
    // 1000 pages: 900 of root's less 30, against 880 of a user's.
    let report = Case(
      id: "", kernel: "3.8.0", ramPages: 1_000_000,
      processes: [
        Process(pid: 7, resident: 880_000, name: "own"),
        Process(pid: 8, uid: 0, resident: 900_000, name: "roots"),
      ])
    let found = try Self.decision(try Self.plan(report.log))
    #expect(found.victim == "own")
    #expect(found.points == 880_000)
    let later = Case(
      id: "", kernel: "4.17.0", ramPages: 1_000_000, processes: report.processes, victim: 1)
    let other = try Self.decision(try Self.plan(later.log))
    #expect(other.victim == "roots")
    #expect(other.points == 900_000)
  }

  @Test("What a header says of its device is read like a device file, and wrong keys have a place")
  func describedDevice() throws {
    func planned(_ device: String) throws -> RunPlan {
      try withScratchFolder { folder in
        let path = folder.appending(path: "t.csv").path
        let text = """
          # jettison-trace: 1
          # device: \(device)
          time_ns,app,event,value,id,detail
          0,a,launch,,,
          1000000000,,end,,,reason=complete

          """
        try Data(text.utf8).write(to: URL(filePath: path))
        return try Self.plan(ofFile: path)
      }
    }
    let run = try planned("{ram: 1GiB, era: linux-oom, oom: {root-bonus-points: 3%}}").runs[0]
    #expect(run.configuration.device.name == "captured")
    #expect(run.configuration.device.ramBytes == 1 << 30)
    #expect(run.configuration.pressure == .linuxOOM)
    #expect(run.configuration.device.pressureParameters.linux.rootBonusPointsPercent == 3)
    #expect {
      try planned("{ram: 1GiB, colour: red}")
    } throws: { error in
      "\(error)".contains("t.csv:2:23: unknown setting 'colour'")
    }
  }

  static let captures = ProcessInfo.processInfo.environment["JETTISON_CAPTURES"]

  @Test(
    "Whole logs: victim, points and score", .enabled(if: captures != nil),
    arguments: [
      ("oom_archlinux_6_1_1.log", "doxygen", 7_548_824, 732, 112),
      ("oom_rhel7.log", "mysqld", 6_700_394, 651, 85),
    ] as [(String, String, Int64, Int64, Int)])
  func logs(file: String, victim: String, points: Int64, score: Int64, apps: Int) throws {
    let folder = try #require(Self.captures)
    let plan = try Self.plan(ofFile: "\(folder)/linux/\(file)")
    #expect(plan.traces[0].trace.apps.count == apps)
    #expect(plan.traces[0].trace.issues.all.isEmpty)
    let found = try Self.decision(plan)
    #expect(found == (victim, points, score))
    let rows = try ValidationRunner().run(0, of: plan).rows
    #expect(rows.count == 1)
    #expect(rows.first?.outcome == .matched)
    #expect(rows.first?.rank == 1)
  }
}
