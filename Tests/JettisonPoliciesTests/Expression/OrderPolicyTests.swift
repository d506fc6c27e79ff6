import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore

/// Orders of keys, run in the engine.
struct OrderPolicyTests {
  /// At 50 s memory is short and `a`, `b` and `c` may go.
  private static let visits = """
    0s,a,launch
    10s,b,launch
    20s,c,launch
    30s,a,launch
    35s,b,edit,2000,,work_ms=100000
    40s,d,launch
    50s,,system-memory,35MiB
    """

  private static func decision(
    _ keys: [String], rows: String = visits
  ) throws -> (apps: [String], candidates: [CandidateRecord]) {
    let trace = try Trace(rows: rows)
    let sizes: [String: (MiB: Int64, cold: Int64)] = [
      "a": (10, 6), "b": (20, 3), "c": (15, 1), "d": (12, 1),
    ]
    let device = Device(name: "test", ramBytes: 100 << 20, reserveBytes: 0, source: "test")
    let profiles = trace.apps.map { name in
      var profile = AppProfile()
      profile.launchFootprintBytes = (sizes[name]?.MiB ?? 1) << 20
      profile.coldLaunchNanoseconds = (sizes[name]?.cold ?? 1) * 1_000_000_000
      profile.warmLaunchNanoseconds = 500_000_000
      profile.hotLaunchNanoseconds = 250_000_000
      return profile
    }
    var configuration = RunConfiguration(device: device, pressure: .thresholds, profiles: profiles)
    configuration.footprints = .declared
    configuration.lambda = 3
    let recorder = CapturingRecorder()
    let policy = PolicyDescriptor.order(
      named: "own", summary: nil, source: "test", keys: try keys.map { try OrderKey($0) })
    _ = try PolicySpec(parsing: "own", among: [policy])
      .run(trace, configuration, recorder: recorder)
    return (trace.apps, recorder.decisions.first?.candidates ?? [])
  }

  private static func names(_ keys: String..., rows: String = visits) throws -> [String] {
    let (apps, candidates) = try decision(keys, rows: rows)
    return candidates.map { apps[$0.app.position] }
  }

  @Test(
    "A name stands for a figure of the candidate",
    arguments: [
      // Footprints of 10, 20 and 15 MiB; b made 100 s of work and 2000 bytes, and nobody saved.
      ("footprint / 1MiB", [10, 20, 15]), ("unsaved_work / 1s", [0, 100, 0]),
      ("unsaved_bytes / 1B", [0, 2000, 0]), ("has_unsaved", [0, 1, 0]),
      // Left at 40 s, 20 s and 30 s; begun at 0 s, 10 s and 20 s.
      ("idle_time / 1s", [10, 30, 20]), ("age / 1s", [50, 40, 30]),
      // Suspended a second after they left; b ran again at 35 s, for its edit.
      ("suspended_time / 1s", [9, 14, 19]),
      ("time_since_save / 1s", [.infinity, .infinity, .infinity]),
      ("time_since_warning / 1s", [.infinity, .infinity, .infinity]),
      // 6, 3 and 1 s cold, less 250 ms hot.
      ("launch_cost / 1s", [5.75, 2.75, 0.75]), ("cold_latency / 1s", [6, 3, 1]),
      ("warm_latency / 1s", [0.5, 0.5, 0.5]), ("hot_latency / 1s", [0.25, 0.25, 0.25]),
      ("launches", [2, 1, 1]), ("band", [0, 0, 0]), ("is_suspended", [1, 1, 1]),
      ("is_background", [0, 0, 0]), ("is_front", [0, 0, 0]), ("time / 1s", [50, 50, 50]),
      ("lambda", [3, 3, 3]),
      // 100 MiB less 57 of apps and 35 of the system leave 8; purging stops at 12.
      ("available / 1MiB", [8, 8, 8]), ("needed / 1MiB", [4, 4, 4]),
    ] as [(String, [Double])])
  func figures(key: String, values: [Double]) throws {
    let (apps, candidates) = try Self.decision([key])
    let scores = ["a", "b", "c"].map { name in
      candidates.first { apps[$0.app.position] == name }?.score
    }
    #expect(scores == values)
  }

  @Test("Every name has an example")
  func completeness() throws {
    for variable in CandidateVariable.allCases {
      _ = try OrderKey(variable.name)
      #expect(!variable.summary.isEmpty)
    }
    #expect(Set(CandidateVariable.allCases.map(\.name)).count == CandidateVariable.allCases.count)
  }

  @Test("Time since a save counts from its end")
  func saves() throws {
    let rows = Self.visits.replacing("35s,b,edit,2000,,work_ms=100000", with: "35s,b,save,10")
    let (apps, candidates) = try Self.decision(["time_since_save / 1s"], rows: rows)
    let saved = candidates.first { apps[$0.app.position] == "b" }
    // A save of nothing takes the fixed 50 ms of the profile.
    #expect(saved?.score == 14.95)
  }

  @Test("The first key decides, later keys break its ties, and desc turns a key round")
  func lexicographic() throws {
    // Only b has unsaved work. Idle: a 10 s, c 20 s.
    #expect(try Self.names("unsaved_work > 0", "idle_time desc") == ["c", "a", "b"])
    #expect(try Self.names("unsaved_work > 0", "idle_time") == ["a", "c", "b"])
    #expect(try Self.names("unsaved_work > 0 desc", "idle_time asc") == ["b", "a", "c"])
    // Launches: a 2, others 1; footprints 10, 20 and 15.
    #expect(try Self.names("launches", "footprint desc", "idle_time") == ["b", "c", "a"])
    #expect(try Self.names("launches desc", "footprint") == ["a", "c", "b"])
    // The contract's example.
    #expect(
      try Self.names(
        "unsaved_work > 0", "idle_time desc", "footprint / (launch_cost + 100ms) desc")
        == ["c", "a", "b"])
  }

  @Test("Apps that no key tells apart share a rank, and the engine's order decides")
  func ties() throws {
    // Suspended at 40 s, 35 s and 30 s: the earlier goes first.
    let (apps, candidates) = try Self.decision(["lambda", "time"])
    #expect(candidates.map { apps[$0.app.position] } == ["c", "b", "a"])
    #expect(candidates.map(\.score) == [0, 0, 0])
    let (_, ranked) = try Self.decision(["launches", "lambda"])
    #expect(ranked.map(\.score) == [0, 0, 1])
    // -0 and 0 are one value.
    let (_, zeros) = try Self.decision(["-(is_front) desc", "is_front"])
    #expect(zeros.map(\.score) == [0, 0, 0])
  }

  @Test("A key that is not a number fails the run, with key, policy and app")
  func undefined() throws {
    let error = try #require(throws: RunError.self) {
      _ = try Self.decision(["idle_time desc", "unsaved_work / unsaved_work"])
    }
    #expect(
      error.description == "policy 'own': key 2, 'unsaved_work / unsaved_work', is not a number "
        + "for app 'c'")
    // Infinite is fine: nobody has ever been warned.
    #expect(try Self.names("time_since_warning", "footprint") == ["a", "c", "b"])
    let both = "if(has_unsaved, 1, launch_cost / unsaved_work)"
    #expect(try Self.names(both, "footprint") == ["b", "a", "c"])
  }
}
