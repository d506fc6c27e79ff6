import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import JettisonTraces
import Testing

/// The example of the trace format: a draft is lost at a purge and missed afterwards.
struct WorkedExampleTests {
  @Test(
    "Two purges, four seconds of work missed",
    arguments: [
      (PressureModelKind.ios4, FootprintSource.arena), (.ios4, .declared),
      (.thresholds, .arena), (.thresholds, .declared),
    ])
  func example(pressure: PressureModelKind, footprints: FootprintSource) throws {
    let trace = try TraceText.read(Array(TraceFixtures.workedExample.utf8), name: "example")
    let device = try DeviceTable.device(named: "iphone-4")
    var issues = ImportIssues()
    let catalog = try Catalog(for: trace, at: "example.csv")
    let profiles = catalog.resolve(trace, on: device, issues: &issues).map(\.profile)
    var configuration = RunConfiguration(device: device, pressure: pressure, profiles: profiles)
    configuration.footprints = footprints
    configuration.checksArenas = true
    let recorder = CapturingRecorder()
    let result = try PolicySpec(parsing: "lru").run(trace, configuration, recorder: recorder)

    let purges = recorder.events.filter { $0.kind == .purge }
    // Apps in byte order: game 0, notes 1.
    #expect(purges.map(\.app) == [AppIndex(1), AppIndex(0)])
    #expect(purges.map(\.timeNanoseconds) == [20_000_000_000, 61_000_000_000])
    let suspensions = recorder.events.filter { $0.kind == .state && $0.stateAfter == .suspended }
    #expect(suspensions.map(\.timeNanoseconds) == [10_000_000_000, 61_000_000_000])
    let losses = recorder.events.filter { $0.kind == .loss }
    #expect(losses.count == 1)
    #expect(losses.first?.workNanoseconds == 4_000_000_000)
    #expect(losses.first?.bytes == 2048)
    #expect(losses.first?.noticed == .yes)
    #expect(losses.first?.lossClass == .terminateOnly)
    let notes = result.apps[1]
    #expect(notes.lossEventsNoticed == 1)
    #expect(notes.lostWorkNoticedNanoseconds == 4_000_000_000)
    #expect(notes.coldLaunches == 2)
    #expect(notes.coldLaunchesAfterPurge == 1)
    #expect(result.apps[0].purges == 1)
    // 23.9 % before the game grows, 1.5 % after, 12.7 % once Notes is gone.
    let ram = Double(device.ramBytes)
    let available = recorder.footprints.map {
      (Double($0.availableBytes) / ram * 1000).rounded() / 10
    }
    #expect(available.contains(23.9))
    #expect(available.contains(12.7))
    let atPurge = recorder.decisions.map { (Double($0.availableBytes) / ram * 1000).rounded() / 10 }
    #expect(atPurge.first == 1.5)
  }
}
