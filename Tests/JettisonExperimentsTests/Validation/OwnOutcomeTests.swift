import Foundation
import JettisonCore
import JettisonReports
import JettisonTestSupport
import JettisonTraces
import Testing

@testable import JettisonExperiments

/// A capture of the simulation itself: a replay under the same policy must agree with it in
/// everything.
@Suite("A simulation validates itself")
struct OwnOutcomeTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let trace: String
    let device: String
    let policy: String
    var memory: String?
    var testDescription: String { "\(trace) under \(policy) on \(device)" }
  }

  static let examples: [Example] =
    ["lru", "gdsf+saved", "fifo"].flatMap { policy in
      ["user-004", "user-009"].map { Example(trace: $0, device: "iphone-4", policy: policy) }
    } + [
      Example(trace: "user-002", device: "iphone-3gs", policy: "size"),
      Example(trace: "user-001", device: "iphone-7", policy: "jetsam-fifo", memory: "1GiB"),
      Example(trace: "user-004", device: "iphone-4s", policy: "jetsam-largest"),
      Example(trace: "user-003", device: "nokia-1", policy: "android"),
      Example(trace: "user-005", device: "nokia-1", policy: "lru"),
      Example(trace: "user-005", device: "desktop-8g", policy: "linux-oom", memory: "2GiB"),
    ]

  private static func text(_ name: String) throws -> String {
    try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../traces/users-2010/\(name).csv"), encoding: .utf8)
  }

  private static func plan(_ text: String, _ example: Example) throws -> RunPlan {
    let trace = try TraceText.read(Array(text.utf8), name: example.trace)
    var options = SpecificationText()
    options.add(.policies, example.policy)
    options.add(.device, example.device)
    options.add(.footprints, "declared")
    options.add(.memory, example.memory)
    var plan = try RunPlanner(options.specification(for: .inspect)).plan([
      LoadedTrace(
        path: example.trace, trace: trace,
        catalog: try Catalog(for: trace, at: example.trace))
    ])
    // With other rows it is another trace with other draws: here nothing is left to chance.
    for app in trace.apps.indices {
      plan.runs[0].configuration.profiles[app].warningResponseProbability.round()
      plan.runs[0].configuration.profiles[app].editProbability.round()
    }
    return plan
  }

  /// The trace with what the run ended as rows of the capture.
  ///
  /// Each stands after the last row of its instant. What an app of the trace goes on to do without
  /// a process is left out: the replay skips it, and no capture could hold it.
  private static func captured(
    _ text: String, _ kills: [EventRecord], _ apps: [String]
  ) -> String {
    var lines: [Substring] = []
    var next = 0
    var ended: Set<String> = []
    for line in text.split(separator: "\n") {
      let columns = line.split(separator: ",", omittingEmptySubsequences: false)
      if let time = columns.first.flatMap({ Int64($0) }) {
        while next < kills.count, kills[next].timeNanoseconds < time {
          let kill = kills[next]
          lines.append(
            "\(kill.timeNanoseconds),\(apps[kill.app.position]),observed-exit,,,cause=low-memory")
          ended.insert(apps[kill.app.position])
          next += 1
        }
        switch columns[2] {
        case "launch", "background-launch": ended.remove(String(columns[1]))
        case "edit", "gpu-work", "task-begin", "task-end":
          if ended.contains(String(columns[1])) { continue }
        default: break
        }
      }
      lines.append(line)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Kills, and whether a row of the trace opened the app since it was killed before.
  ///
  /// Whoever loses the app in front opens it again; a run that follows a capture leaves this to the
  /// capture, and this one has no row for it.
  private static func kills(
    _ events: [EventRecord], _ trace: Trace
  ) -> [(event: EventRecord, isOfTrace: Bool)] {
    var launches: [AppIndex: [Int64]] = [:]
    trace.events.withEvents { rows in
      for position in rows.indices where [.launch, .backgroundLaunch].contains(rows[position].kind)
      {
        launches[rows[position].app, default: []].append(rows[position].timeNanoseconds)
      }
    }
    var killedAt: [AppIndex: Int64] = [:]
    return events.filter { $0.kind == .purge || $0.kind == .kill }.map { kill in
      let before = killedAt.updateValue(kill.timeNanoseconds, forKey: kill.app)
      guard let before else { return (kill, true) }
      let rows = launches[kill.app] ?? []
      return (kill, rows.contains { $0 > before && $0 <= kill.timeNanoseconds })
    }
  }

  @Test("All of its own kills are exact, and the first choice at their moment", arguments: examples)
  func own(_ example: Example) throws {
    let text = try Self.text(example.trace)
    let alone = try Self.plan(text, example)
    let recorder = CapturingRecorder(wantsDecisions: false, wantsFootprints: false)
    _ = try alone.policies[0].spec.run(
      alone.traces[0].trace, alone.runs[0].configuration, recorder: recorder)
    let told = Self.kills(recorder.events, alone.traces[0].trace)
    let kills = told.map(\.event)
    try #require(kills.count > 5, "an example without kills shows nothing")
    let plan = try Self.plan(
      Self.captured(text, kills, alone.traces[0].trace.apps), example)
    let run = try ValidationRunner(ValidationTerms(windowNanoseconds: 0)).run(0, of: plan)
    let figures = run.figures
    #expect(figures.observedKills == kills.count)
    #expect(figures.exactKills == kills.count)
    #expect(figures.unobservedKills == 0)
    #expect(figures.firstDifferenceNanoseconds == nil)
    // Nobody decides about an app that breaks a rule of the background.
    let ranked = told.filter(\.isOfTrace).map(\.event)
    let decided = ranked.count { $0.cause != .gpuInBackground && $0.cause != .sharedResource }
    #expect(figures.rankedKills == decided)
    switch example.policy {
    case "jetsam-largest":
      // Where a model warns after purging, it warns more often when the purge is a row of its own:
      // who answers is smaller later.
      #expect(figures.firstKills * 100 >= decided * 95)
    default:
      // Who passes a limit of its own goes whatever the policy says.
      let chosen = decided - ranked.count { $0.cause == .limit }
      #expect(figures.firstKills == chosen)
    }
    #expect(run.rows.allSatisfy { $0.offsetNanoseconds == 0 })
  }

  @Test("Figures are the sums of rows, whatever the policy", arguments: ["lru", "mru", "random"])
  func sums(_ policy: String) throws {
    let example = Example(trace: "user-006", device: "iphone-4", policy: "lru")
    let text = try Self.text(example.trace)
    let alone = try Self.plan(text, example)
    let recorder = CapturingRecorder(wantsDecisions: false, wantsFootprints: false)
    _ = try alone.policies[0].spec.run(
      alone.traces[0].trace, alone.runs[0].configuration, recorder: recorder)
    let kills = recorder.events.filter { $0.kind == .purge || $0.kind == .kill }
    let plan = try Self.plan(
      Self.captured(text, kills, alone.traces[0].trace.apps),
      Example(trace: example.trace, device: example.device, policy: policy))
    let run = try ValidationRunner().run(0, of: plan)
    let observed = run.rows.filter { $0.kind == .observedKill }
    #expect(run.figures.observedKills == kills.count)
    #expect(run.figures.matchedKills == observed.count(where: \.isMatched))
    #expect(run.figures.top3Kills == observed.count(where: \.isTop3))
    // Each level asks for more than the one before.
    #expect(
      observed.allSatisfy { ($0.isSameSet || !$0.isExact) && ($0.isMatched || !$0.isSameSet) })
    #expect(run.rows == (try ValidationRunner().run(0, of: plan).rows), "twice the same")
    let isSorted = zip(run.rows, run.rows.dropFirst()).allSatisfy {
      $0.timeNanoseconds <= $1.timeNanoseconds
    }
    #expect(isSorted)
  }
}
