import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

@Suite("Issues of replaying")
struct IssueRecordTests {
  /// Listens to issues alone.
  private final class IssueRecorder: Recorder {
    let wantsEvents = false
    let wantsDecisions = false
    let wantsFootprints = false
    let wantsIssues = true
    private(set) var issues: [IssueRecord] = []

    func record(_ event: EventRecord) {}
    func record(_ decision: DecisionRecord) {}
    func record(_ footprint: FootprintRecord) {}
    func record(_ issue: IssueRecord) { issues.append(issue) }
  }

  @Test("Each is told once, with its row", arguments: [Int64(0), 3_500_000_000])
  func kinds(warmUp: Int64) throws {
    let rows = [
      "0s,,home", "1s,,interrupt", "2s,a,launch", "3s,,interrupt-end", "4s,a,alloc,9000,1",
      "5s,a,footprint,8000", "6s,,home", "6s,,home",
    ]
    let trace = try Trace(rows: rows.joined(separator: "\n"))
    var configuration = Scenario().configuration
    configuration.profiles = [AppProfile()]
    configuration.warmUpNanoseconds = warmUp
    let recorder = IssueRecorder()
    let result = try PolicySpec(parsing: "lru").run(trace, configuration, recorder: recorder)
    let expected: [IssueRecord] = [
      IssueRecord(kind: .homeFromNothing, timeNanoseconds: 0, eventPosition: 0),
      IssueRecord(kind: .interruptionOfNothing, timeNanoseconds: 1_000_000_000, eventPosition: 1),
      IssueRecord(kind: .endOfNoInterruption, timeNanoseconds: 3_000_000_000, eventPosition: 3),
      IssueRecord(
        kind: .footprintBelowAllocations, timeNanoseconds: 5_000_000_000, eventPosition: 5),
      IssueRecord(kind: .homeFromNothing, timeNanoseconds: 6_000_000_000, eventPosition: 7),
    ].filter { $0.timeNanoseconds >= warmUp }
    #expect(recorder.issues == expected)
    #expect(result.system.replayIssues == Int64(expected.count))
  }

  @Test("As many are told as are counted", arguments: 0..<10)
  func counts(block: Int) throws {
    var issueCount = 0
    for seed in UInt64(block * 100)..<UInt64(block * 100 + 100) {
      let random = RandomTrace.make(seed: seed)
      let (trace, configuration) = try random.inputs()
      let spec = try PolicySpec(parsing: random.policy.rawValue + random.modifiers)
      let recorder = IssueRecorder()
      guard let result = try? spec.run(trace, configuration, recorder: recorder) else { continue }
      #expect(
        result.system.replayIssues == Int64(recorder.issues.count), "seed \(seed)\n\(random)")
      issueCount += recorder.issues.count
    }
    #expect(issueCount > 0)
  }
}
