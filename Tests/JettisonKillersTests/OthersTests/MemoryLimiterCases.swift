import JettisonTestSupport
import Testing

@testable import JettisonCore
@testable import JettisonImporters

/// Cases of the Memory Limiter's own description and of measured runs, restated.
@Suite("Other people's tests: Android's Memory Limiter")
struct MemoryLimiterCases {
  typealias Exception = OthersSection.Exception

  static let section = OthersSection(
    "Android's Memory Limiter", ids: OthersSection.ids("M", 1...45) + ["PMGD"],
    passed: states.map(\.id) + configurations.map(\.id) + lives.map(\.id) + ["M30", "M45"],
    different: [],
    inexpressible: [
      Exception(
        ["M44"], "Reports to the maker's statistics are not modelled, so nothing limits them."),
      Exception(
        ["PMGD"],
        "Daemons with limits of their own, which wait for reclaim first, are not modelled."),
    ])

  private static let MiB: Int64 = 1 << 20
  private static let off = Int64.max

  private static func limit(_ memory: Int64, _ swap: Int64) -> MemoryLimit {
    MemoryLimit(memoryBytes: memory * MiB, swapBytes: swap * MiB)
  }

  private static func set(
    from ram: Int64, _ visible: (Int64, Int64), _ others: (Int64, Int64)
  ) -> MemoryLimitSet {
    MemoryLimitSet(
      minimumRAMBytes: ram * MiB, visible: limit(visible.0, visible.1),
      notVisible: limit(others.0, others.1))
  }

  // MARK: States

  /// What a process may hold that was visible before it came into a state.
  struct State: Sendable, CustomTestStringConvertible {
    let id: String
    let state: ProcessState
    let limit: MemoryLimit
    var testDescription: String { "\(id) \(state)" }
  }

  private static let visible = limit(2048, 1024)
  private static let others = limit(1024, 512)

  static let states: [State] = {
    let cached = MemoryLimit(memoryBytes: visible.memoryBytes, swapBytes: .max)
    let groups: [([ProcessState], MemoryLimit)] = [
      ([.persistent, .persistentUI], .none),
      ([.top, .boundTop, .importantForeground, .topSleeping], visible),
      (
        [
          .foregroundService, .boundForegroundService, .importantBackground, .transientBackground,
          .backup, .service, .receiver, .heavyWeight, .home, .lastActivity,
        ], others
      ),
      ([.cachedActivity, .cachedActivityClient, .cachedRecent, .cachedEmpty], cached),
      ([.unknown, .nonexistent], visible),
    ]
    let all = groups.flatMap { group in group.0.map { ($0, group.1) } }
    return all.enumerated().map { State(id: "M\($0 + 1)", state: $1.0, limit: $1.1) }
  }()

  @Test("The state of a process decides on its limits", arguments: states)
  func state(_ example: State) throws {
    let limiter = try #require(MemoryLimiter(Self.phone(ramMiB: 4096)))
    var process = LimitedProcess()
    process.enter(ProcessState.top.limitClass, limiter)
    #expect(process.limit == Self.visible)
    process.enter(example.state.limitClass, limiter)
    #expect(process.limit == example.limit)
  }

  // MARK: Configurations

  /// A device and its configuration, and the limits that hold; nil: the limiter is off.
  struct Configuration: Sendable, CustomTestStringConvertible {
    let id: String
    let ramKiB: Int64
    var limits = MemoryLimits.automatic
    let holds: MemoryLimitSet?
    var testDescription: String { id }
  }

  private static let sets = MemoryLimits.sets([
    set(from: 14336, (8192, 4096), (4096, 4096)), set(from: 10240, (6144, 3072), (3072, 3072)),
  ])

  static let configurations = [
    Configuration(
      id: "M24", ramKiB: 16 << 20, limits: sets, holds: set(from: 0, (8192, 4096), (4096, 4096))),
    Configuration(
      id: "M25", ramKiB: 12 << 20, limits: sets, holds: set(from: 0, (6144, 3072), (3072, 3072))),
    Configuration(id: "M26", ramKiB: 8 << 20, limits: sets, holds: nil),
    Configuration(id: "M27", ramKiB: 8 << 20, limits: MemoryLimits.none, holds: nil),
    Configuration(id: "M28", ramKiB: 2_013_496, holds: nil),
    Configuration(id: "M29", ramKiB: 4 << 20, holds: set(from: 0, (2048, 1024), (1024, 512))),
    Configuration(id: "M31", ramKiB: 3896 << 10, holds: set(from: 0, (1948, 974), (974, 487))),
  ]

  private static func phone(ramMiB: Int64) -> Device {
    var device = Device(name: "phone", ramBytes: ramMiB * MiB, reserveBytes: 0, source: "test")
    device.apiLevel = 37
    return device
  }

  @Test("RAM and configuration decide which limits hold", arguments: configurations)
  func configuration(_ example: Configuration) {
    var device = Self.phone(ramMiB: 1)
    device.ramBytes = example.ramKiB << 10
    device.pressureParameters.android.memoryLimits = example.limits
    let limiter = MemoryLimiter(device)
    #expect(limiter?.visible == example.holds?.visible)
    #expect(limiter?.notVisible == example.holds?.notVisible)
  }

  @Test(
    "M30: limits that follow from RAM are in the recommended range", arguments: [4, 6, 8, 12, 16])
  func recommendedRange(ramGiB: Int64) throws {
    let ram = ramGiB << 30
    let limiter = try #require(MemoryLimiter(Self.phone(ramMiB: ramGiB << 10)))
    #expect((ram / 2...ram * 2 / 3).contains(limiter.visible.memoryBytes))
    #expect((ram / 4...ram / 3).contains(limiter.notVisible.memoryBytes))
  }

  // MARK: Lives

  /// What apps of a phone of 4 GiB hold, and who is ended for it.
  ///
  /// Visible apps may hold 2048 MiB and swap 1024, others 1024 and 512.
  struct Life: Sendable, CustomTestStringConvertible {
    let id: String
    let rows: String
    /// `seconds app` of each end.
    let ends: [String]
    var limits = MemoryLimits.automatic
    var ramMiB: Int64 = 4096
    var workingSetPercent: Double = 10
    var userID: Int32 = 10_123
    var testDescription: String { id }
  }

  private static let capsHeavy = MemoryLimits.sets([set(from: 0, (2048, 1024), (30, 30))])
  private static let capsMain = MemoryLimits.sets([set(from: 0, (30, 30), (1024, 512))])
  private static let twoProcesses = """
    0s,app:heavy,background-launch
    0s,app:heavy,background-mode,1,,mode=other
    1s,app,launch

    """

  static let lives = [
    Life(
      id: "M23", rows: "0s,a,launch\n10s,a,footprint,3500MiB\n300s,,end", ends: [], userID: 9999),
    Life(id: "M32", rows: "0s,a,launch\n10s,a,footprint,2500MiB\n900s,,end", ends: []),
    Life(
      id: "M33", rows: "0s,a,launch\n10s,a,footprint,2500MiB\n20s,a,footprint,3073MiB\n70.5s,,end",
      ends: ["70s a"]),
    Life(
      id: "M34",
      rows: "0s,a,launch\n10s,a,footprint,3073MiB\n41s,a,footprint,100MiB\n70.5s,,end",
      ends: ["70s a"]),
    Life(
      id: "M35",
      // Looked at after 30 s; the next event begins anew.
      rows: """
        0s,a,launch
        10s,a,footprint,2500MiB
        20s,a,footprint,2037MiB
        50s,a,footprint,3073MiB
        110.5s,,end
        """, ends: ["110s a"]),
    Life(
      id: "M36",
      rows: """
        0s,a,launch
        10s,a,footprint,2500MiB
        20s,a,footprint,2038MiB
        50s,a,footprint,3073MiB
        100.5s,,end
        """, ends: ["100s a"]),
    Life(
      id: "M37", rows: "0s,a,launch\n10s,a,footprint,3500MiB\n70.5s,,end", ends: ["70s a"]),
    Life(
      // 3 GiB of its own are just not too much, and 8 GiB of files are in memory.
      id: "M38", rows: "0s,a,launch\n10s,a,footprint,3072MiB\n300s,,end", ends: [],
      limits: .sets([set(from: 0, (2048, 1024), (1024, 512))]), ramMiB: 16384,
      workingSetPercent: 50),
    Life(
      id: "M39", rows: twoProcesses + "10s,app:heavy,footprint,600MiB\n300s,,end",
      ends: ["70s app:heavy"], limits: capsHeavy),
    Life(
      id: "M40", rows: twoProcesses + "10s,app,footprint,600MiB\n70.5s,,end", ends: ["70s app"],
      limits: capsMain),
    Life(
      id: "M41", rows: twoProcesses + "10s,app,footprint,600MiB\n300s,,end", ends: [],
      limits: capsHeavy),
    Life(
      id: "M42", rows: twoProcesses + "10s,app:heavy,footprint,600MiB\n300s,,end", ends: [],
      limits: capsMain),
    Life(
      id: "M43",
      rows: """
        0s,a,launch
        5s,a,background-mode,1,,mode=audio
        10s,a,footprint,1600MiB
        200s,,home
        900s,,end
        """, ends: ["260s a"]),
  ]

  @Test("What a process holds, and when it ends", arguments: lives)
  func life(_ example: Life) throws {
    var scenario = Scenario(ramMiB: example.ramMiB, pressure: .androidLMKD)
    scenario.policy = "android"
    scenario.configuration.device.apiLevel = 37
    scenario.configuration.device.pressureParameters.android.memoryLimits = example.limits
    scenario.configuration.device.pressureParameters.android.workingSetPercent =
      example.workingSetPercent
    for app in ["a", "app", "app:heavy"] {
      scenario = scenario.app(app, MiB: 20) { $0.userID = example.userID }
    }
    let replayed = try scenario.replay(example.rows, on: .fast)
    #expect(replayed.story(.purge, .kill) == example.ends.map { "\($0) kill memoryLimiter" })
    // Each end is a decision without a choice.
    #expect(replayed.decisions.map(\.trigger) == example.ends.map { _ in .memoryLimiter })
    #expect(replayed.decisions.allSatisfy { $0.candidates.map(\.isChosen) == [true] })
    #expect(replayed.sum(\.limitKills) == Int64(example.ends.count))
  }

  // MARK: Captures

  @Test("M45: the reason in an event log is that of the Memory Limiter")
  func reason() {
    #expect(AndroidExit(reason: "MemoryLimiter:AnonSwap") == .memoryLimiter)
    #expect(
      AndroidExit.memoryLimiter.exit(adj: 0)
        == .observed(cause: ExitCause.memoryLimiter.name, band: 0))
  }
}
