import Foundation
import JettisonImporters
import JettisonReports
import JettisonTestSupport
import JettisonTraces
import Testing

@testable import JettisonCore
@testable import JettisonExperiments

/// Journals become traces, and the killers' own policies and models are asked: they take whom the
/// real ones took.
@Suite("Linux: journals of killers, replayed")
struct KillerJournalReplayTests {
  private static let earlyoomStart = """
    Nov 23 10:00:00 box earlyoom[8]: mem total: 16000 MiB, swap total: 4000 MiB
    Nov 23 10:00:00 box earlyoom[8]: sending SIGTERM when mem <= 10.00% and swap <= 10.00%,
    Nov 23 10:00:00 box earlyoom[8]:         SIGKILL when mem <=  5.00% and swap <=  5.00%
    Nov 23 10:00:00 box earlyoom[8]: mem avail:  9000 of 16000 MiB (56.25%), swap free: 4000 of 4000 MiB (100.00%)
    Nov 23 10:30:00 box earlyoom[8]: mem avail:   900 of 16000 MiB ( 5.63%), swap free: 2000 of 4000 MiB (50.00%)

    """

  private static func kill(_ minute: Int, _ pid: Int, _ name: String, score: Int, _ size: Int)
    -> String
  {
    let prefix = "Nov 23 10:\(minute):00 box earlyoom[8]: "
    return "\(prefix)mem avail:  1200 of 16000 MiB ( 7.50%), swap free:  300 of 4000 MiB ( 7.50%)\n"
      + "\(prefix)low memory! at or below SIGTERM limits: mem 10.00%, swap 10.00%\n"
      + "\(prefix)sending SIGTERM to process \(pid) uid 1000 \"\(name)\": badness \(score), "
      + "VmRSS \(size) MiB\n\(prefix)process exited after 0.1 seconds\n"
  }

  private static func plan(_ journal: String, _ killer: String) throws -> RunPlan {
    try withScratchFolder { folder in
      let path = folder.appending(path: "killer.log").path
      try Data(journal.utf8).write(to: URL(filePath: path))
      let trace = try TraceLoader.load(path, formats: .all)
      // The header says whose journal it is: no option does.
      let plan = try RunPlanner(SpecificationText().specification(for: .validate)).plan([
        LoadedTrace(path: path, trace: trace, catalog: try Catalog(for: trace, at: path))
      ])
      #expect(plan.policies.map(\.name) == [killer])
      #expect(plan.runs[0].configuration.pressure.rawValue == killer)
      return plan
    }
  }

  private static func victim(_ plan: RunPlan, decision number: Int) throws -> String {
    let finder = DecisionFinder(.number(number))
    let run = plan.runs[0]
    _ = try plan.policies[0].spec.run(
      plan.traces[0].trace, run.configuration, recorder: finder)
    let found = try #require(finder.found)
    let first = found.decision.candidates.first { $0.isChosen }
    let chosen = try #require(first)
    return plan.traces[0].trace.apps[chosen.app.position]
  }

  @Test("earlyoom: low memory alone ends no app; with swap low the one of the largest score goes")
  func earlyoom() throws {
    let journal =
      Self.earlyoomStart + Self.kill(40, 100, "browser", score: 866, 5)
      + Self.kill(50, 200, "compiler", score: 748, 5380)
    let plan = try Self.plan(journal, "earlyoom")
    let device = plan.runs[0].configuration.device
    #expect(device.ramBytes == 16_000 << 20)
    #expect(device.pressureParameters.linux.earlyoom.termMemoryPercent == 10)
    let rows = try ValidationRunner().run(0, of: plan).rows
    let kills = rows.filter { $0.kind == .observedKill }
    #expect(kills.map(\.outcome) == [.matched, .matched])
    #expect(kills.map(\.rank) == [1, 1])
    #expect(rows.allSatisfy { $0.kind != .simulatedKill }, "nobody else goes")
    #expect(try Self.victim(plan, decision: 1) == "browser")
    #expect(try Self.victim(plan, decision: 2) == "compiler")
  }

  @Test("earlyoom: of a list of candidates the one of the largest score goes, not the largest")
  func candidates() throws {
    let prefix = "Nov 23 10:40:00 box earlyoom[8]: "
    let list = """
      \(prefix)mem avail:  1590 of 16000 MiB ( 9.94%), swap free:  300 of 4000 MiB ( 7.50%)
      \(prefix)  PID OOM_SCORE  RSSkiB   UID OOM_SCORE_ADJ  COMM
      \(prefix)  100       733  307200  1000         -9999 "editor" <--- new victim
      \(prefix)  200       866   51200  1000           300 "tab" <--- new victim
      \(prefix)  300       865 6291456  1000         -9999 "compiler"
      \(prefix)  400         0 4194304     0         -1000 "spared"
      \(prefix)selecting victim took 0.1 ms
      \(prefix)sending SIGTERM to process 200 uid 1000 "tab": oom_score 866, oom_score_adj 300, VmRSS 50 MiB, cmdline "tab"
      \(prefix)process 200 exited after 0.1 seconds

      """
    let plan = try Self.plan(Self.earlyoomStart + list, "earlyoom")
    let kills = try ValidationRunner().run(0, of: plan).rows.filter { $0.outcome != .compared }
    #expect(kills.count == 1)
    #expect(kills.first?.outcome == .matched)
    #expect(kills.first?.rank == 1)
    #expect(try Self.victim(plan, decision: 1) == "tab")
  }

  @Test("systemd-oomd: the swap rule takes whom most is swapped out of")
  func swapRule() throws {
    let prefix = "Nov 23 10:00:00 box systemd-oomd[6]: "
    let slice = "/user.slice/user-1000.slice/user@1000.service"
    let journal = """
      \(prefix)Considered 145 cgroups for killing, top candidates were:
      \(prefix)        Path: \(slice)/app.slice/app-browser.scope
      \(prefix)                Swap Usage: 477.8M
      \(prefix)        Path: \(slice)/session.slice/shell.service
      \(prefix)                Swap Usage: 417.3M
      \(prefix)        Path: \(slice)/app.slice/chat.service
      \(prefix)                Swap Usage: 256.3M
      \(prefix)Killed \(slice)/app.slice/app-browser.scope due to memory used (22369452032) / total (24681861120) and swap used (4100000000) / total (4294967296) being more than 90.00%

      """
    let plan = try Self.plan(journal, "systemd-oomd")
    let kills = try ValidationRunner().run(0, of: plan).rows.filter { $0.outcome != .compared }
    #expect(kills.count == 1)
    #expect(kills.first?.outcome == .matched)
    #expect(kills.first?.rank == 1)
    #expect(try Self.victim(plan, decision: 1) == "app-browser.scope")
  }
}
