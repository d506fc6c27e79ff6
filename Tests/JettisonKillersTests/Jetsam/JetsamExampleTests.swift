import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import JettisonTraces
import Testing

/// The worked example of jetsam: seven processes on a device of 4096 MiB, replayed by the engine.
@Suite("Jetsam, worked example") struct JetsamExampleTests {
  static let MiB: Int64 = 1 << 20
  static let page: Int64 = 16384

  /// Available pages once the camera has grown.
  static let availablePages: Int64 = 9_900

  private static func scenario(withIndexer: Bool = true) -> Scenario {
    var scenario = Scenario(ramMiB: 4096, pressure: .ios18)
    let charged: Int64 = 10 + (80 - 40 + 16) + 900 + 120 + (withIndexer ? 55 : 0) + 150 + 700
    scenario.configuration.device.pageBytes = page
    scenario.configuration.device.reserveBytes =
      (262_144 - availablePages) * page - charged * MiB
    // Nobody is compressed but Notes, half of it.
    scenario.configuration.device.compression = .init(ratio: 2.5, suspendedShare: 0)
    scenario.configuration.device.limitBytes = 2098 * MiB
    scenario.policy = "jetsam-fifo"
    return
      scenario
      .app("syncd") {
        $0.processKind = .daemon
        $0.relaunchClass = .low
        $0.softLimitBytes = 30 * MiB
      }
      .app("notes") { $0.compressedPPM = 500_000 }
      .app("indexd") {
        $0.processKind = .daemon
        $0.band = PriorityBand.mail
        $0.softLimitBytes = 50 * MiB
      }
      .app("music") { $0.band = 120 }
  }

  private static func rows(withIndexer: Bool = true) -> String {
    let lines = """
      0s,syncd,present,10MiB,,state=background;since_ns=280000000000
      0s,notes,present,80MiB,,state=suspended;since_ns=240000000000
      0s,game,present,900MiB,,state=suspended;since_ns=60000000000
      0s,mail,present,120MiB,,state=suspended;since_ns=1000000000
      0s,music,present,150MiB,,state=background
      0s,camera,present,200MiB,,state=front
      """
    let present = withIndexer ? lines + "\n" + "0s,indexd,present,55MiB,,state=background" : lines
    let modes =
      "0s,music,background-mode,1,,mode=audio"
      + (withIndexer ? "\n0s,indexd,background-mode,1,,mode=indexing" : "")
    return present + "\n" + modes + "\n0.5s,camera,footprint,700MiB\n0.9s,,end"
  }

  /// What each decision was, in words.
  private static func steps(_ replayed: Replayed) -> [String] {
    replayed.decisions.map { decision in
      let victim = decision.candidates.first { $0.isChosen }
      let name = victim.map { replayed.apps[$0.app.position] } ?? "nobody"
      let band = victim?.band.map(String.init) ?? "-"
      return "\(decision.availableBytes / page) \(decision.trigger.name) \(name) in \(band), "
        + "+\((victim?.freedBytes ?? 0) / page) of \(decision.candidates.count)"
    }
  }

  @Test("Five steps: a limit, then three of band 0, then enough")
  func example() throws {
    let replayed = try Self.scenario().replay(Self.rows(), on: .fast)
    #expect(
      Self.steps(replayed) == [
        "9900 highwater indexd in 40, +3520 of 1",
        "13420 idle-exit syncd in 0, +640 of 3",
        "14060 idle-exit notes in 0, +3584 of 2",
        "17644 idle-exit game in 0, +57600 of 1",
      ])
    #expect(
      replayed.decisions.map(\.targetBytes)
        == [39_318, 23_591, 23_591, 23_591].map { $0 * Self.page })
    #expect(replayed.decisions.allSatisfy { $0.level == .normal })
    // Above every threshold: mail survives in its ageing band.
    let last = try #require(replayed.decisions.last)
    let freed = last.candidates.reduce(0) { $0 + $1.freedBytes }
    #expect((last.availableBytes + freed) / Self.page == 75_244)
    #expect(
      replayed.story(.purge, .kill) == [
        "0.5s indexd kill highwater", "0.5s syncd kill idleExit", "0.5s notes purge idleExit",
        "0.5s game purge idleExit",
      ])
    #expect(replayed.story(.warning) == [])
  }

  @Test("Without the indexer, the first of band 0 dies of the page shortage")
  func withoutIndexer() throws {
    let replayed = try Self.scenario(withIndexer: false)
      .replay(Self.rows(withIndexer: false), on: .fast)
    #expect(
      Self.steps(replayed) == [
        "9900 vm-pageshortage syncd in 0, +640 of 3",
        "10540 idle-exit notes in 0, +3584 of 2",
        "14124 idle-exit game in 0, +57600 of 1",
      ])
  }

  @Test("Below critical and with no app idle: mail, then the camera, then the music")
  func nobodyIdle() throws {
    let rows = """
      0s,mail,present,120MiB,,state=suspended;since_ns=1000000000
      0s,music,present,150MiB,,state=background
      0s,camera,present,200MiB,,state=front
      0s,music,background-mode,1,,mode=audio
      0.5s,,system-memory,3900MiB
      0.9s,,end
      """
    let replayed = try Self.scenario().replay(rows, on: .fast)
    #expect(
      Self.steps(replayed).map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        == [
          "vm-pageshortage mail in 20, +7680 of 1",
          "vm-pageshortage camera in 100, +12800 of 1",
          "vm-pageshortage music in 120, +9600 of 1",
        ])
  }

  @Test("The policy orders inside the band: the largest goes first where it is asked to")
  func largest() throws {
    var scenario = Self.scenario()
    scenario.policy = "jetsam-largest"
    let replayed = try scenario.replay(Self.rows(), on: .fast)
    #expect(
      Self.steps(replayed) == [
        "9900 highwater indexd in 40, +3520 of 1",
        "13420 idle-exit game in 0, +57600 of 3",
      ])
  }

  // MARK: The same as a trace file

  /// What a person would write: the catalog in the header, sizes as `present` rows.
  private static let file = """
    # jettison-trace: 1
    # device: example
    # user: example
    # apps:
    #   syncd: {kind: daemon, relaunch: low, limit: {soft: 30MiB}}
    #   indexd: {kind: daemon, band: mail, limit: {soft: 50MiB}}
    #   notes: {compressed: 50%, limit: {active: 2098MiB}}
    #   game: {compressed: 0%, limit: {active: 2098MiB}}
    #   mail: {compressed: 0%}
    #   music: {band: audio}
    #   camera: {limit: 2098MiB}
    time_ns,app,event,value,id,detail
    0,syncd,present,10485760,,state=background;since_ns=280000000000
    0,notes,present,83886080,,state=suspended;since_ns=240000000000
    0,game,present,943718400,,state=suspended;since_ns=60000000000
    0,mail,present,125829120,,state=suspended;since_ns=1000000000
    0,indexd,present,57671680,,state=background
    0,music,present,157286400,,state=background
    0,camera,present,209715200,,state=front
    0,indexd,background-mode,1,,mode=indexing
    0,music,background-mode,1,,mode=audio
    500000000,camera,footprint,734003200,,
    900000000,,end,,,reason=complete

    """

  @Test("The file with its catalog tells the same story, with arenas and without")
  func textTrace() throws {
    let trace = try TraceText.read(Array(Self.file.utf8), name: "example")
    // As most devices of 4 GiB, it would compress nine tenths at 2.7:1; the catalog says otherwise.
    var device = try DeviceTable.device(named: "iphone-12")
    device.ramBytes = 4096 * Self.MiB
    device.compression = .init(ratio: 2.5, suspendedShare: 0.9)
    device.limitBytes = 2098 * Self.MiB
    device.reserveBytes = (262_144 - Self.availablePages) * Self.page - 1991 * Self.MiB
    var issues = ImportIssues()
    let apps = try Catalog(for: trace, at: "example.csv")
      .resolve(trace, on: device, issues: &issues)
    #expect(issues.all.isEmpty)
    for footprints in [FootprintSource.arena, .declared] {
      var configuration = RunConfiguration(
        device: device, pressure: .ios18, profiles: apps.map(\.profile))
      configuration.footprints = footprints
      let recorder = CapturingRecorder()
      _ = try PolicySpec(parsing: "jetsam-fifo").run(trace, configuration, recorder: recorder)
      let victims = recorder.decisions.map { decision in
        decision.candidates.filter(\.isChosen).map { trace.apps[$0.app.position] }
      }
      #expect(victims == [["indexd"], ["syncd"], ["notes"], ["game"]])
      #expect(
        recorder.decisions.map { $0.availableBytes / Self.page } == [9_900, 13_420, 14_060, 17_644])
      #expect(recorder.footprints.last.map { $0.availableBytes / Self.page } == 75_244)
      #expect(
        recorder.decisions.map(\.trigger.name) == [
          "highwater", "idle-exit", "idle-exit", "idle-exit",
        ])
    }
  }
}
