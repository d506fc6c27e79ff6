import JettisonCore
import JettisonImporters
import JettisonTestSupport
import JettisonTraces
import Testing

/// A real capture against what Perfetto's own trace processor says of it.
///
/// The expected figures were found with it. Where it is there, it is asked again.
@Suite(
  "The Perfetto capture of a phone",
  .enabled(if: Captures.has("perfetto/cpu_sampling.pftrace")))
struct PerfettoCaptureTests {
  private static let path = "\(Captures.folder ?? "")/perfetto/cpu_sampling.pftrace"
  /// Time since boot at the trace's time 0: the first snapshot says 1634072190.4078842 s since 1970
  /// at 3958.4789986 s, and the first fact, a little later, is floored to the second.
  private static let origin: Int64 = 3_958_478_998_600 - 407_884_200

  /// Expects that the trace processor still says what a test expects, by query.
  private static func check(_ expected: KeyValuePairs<String, [String]>) throws {
    guard TraceProcessor.program != nil else { return }
    #expect(try TraceProcessor.query(path, expected.map(\.key)) == expected.map(\.value))
  }

  private static func sinceBoot(_ event: TraceEvent) -> Int64 { event.timeNanoseconds + origin }

  private static func events(_ trace: Trace, _ keep: (TraceEvent) -> Bool) -> [TraceEvent] {
    var found: [TraceEvent] = []
    trace.events.withEvents { events in
      for position in 0..<events.count where keep(events[position]) {
        found.append(events[position])
      }
    }
    return found
  }

  // The trace processor sees one process more, without a name: a poll that began before a fork and
  // ended after it.

  /// A join of the counters of processes with their processes.
  private static let counters =
    "counter c join process_counter_track t on c.track_id = t.id join process p using (upid)"

  @Test("Nothing is wrong with it, and it ends where it ends")
  func bounds() throws {
    let trace = try TraceLoader.load(Self.path, formats: .all)
    #expect(issues(trace) == [])
    #expect(trace.header.start == "2021-10-12T20:56:30+00:00")
    #expect(trace.index.endNanoseconds + Self.origin == 3_967_539_826_700)
    try Self.check(["select end_ts from trace_bounds": ["3967539826700"]])
    try checkRoundTrip(trace)
  }

  @Test("Every process that was polled is there, and no thread of the kernel")
  func processes() throws {
    let trace = try TraceLoader.load(Self.path, formats: .all)
    let present = Self.events(trace) { $0.kind == .present }
    #expect(present.count == 113)
    #expect(Self.events(trace) { $0.kind == .backgroundLaunch }.count == 4)
    #expect(!trace.apps.contains { $0.hasPrefix("kworker") || $0 == "kthreadd" })
    guard TraceProcessor.program != nil else { return }
    let answers = try TraceProcessor.query(
      Self.path,
      [
        "select p.name from \(Self.counters) where t.name = 'mem.rss.anon' "
          + "group by upid having min(c.ts) < 3958600000000 order by p.pid"
      ])
    let names = try #require(answers.first)
    var counts: [String: Int] = [:]
    let expected = names.map { name in
      counts[name, default: 0] += 1
      return counts[name] == 1 ? name : "\(name):\(counts[name] ?? 0)"
    }
    #expect(present.map { trace.apps[$0.app.position] }.sorted() == expected.sorted())
  }

  @Test("States follow from oom_score_adj")
  func states() throws {
    let trace = try TraceLoader.load(Self.path, formats: .all)
    let states = Self.events(trace) { $0.kind == .present }.map {
      trace.detailTexts[Int($0.detail)]
    }
    // 93 of them pinned, 6 of score 1 to 899, and one of the two of score 0.
    #expect(states.count { $0 == "state=background" } == 100)
    #expect(states.count { $0 == "state=suspended" } == 12)
    #expect(states.count { $0 == "state=front" } == 1)
    try Self.check([
      """
      select case when v < 0 then 'pinned' when v >= 900 then 'cached' when v = 0 then 'front'
      else 'running' end s, count(*) from (select c.value v, row_number() over
      (partition by upid order by c.ts) n from \(Self.counters) where t.name = 'oom_score_adj'
      and p.start_ts is null and p.name is not null) where n = 1 group by s
      """: ["cached|12", "front|2", "pinned|93", "running|6"]
    ])
  }

  /// Footprints of all processes at each poll, as the trace processor adds them up.
  private static let polls: [(nanoseconds: Int64, bytes: Int64)] = [
    (3_958_558_292_000, 763_830_272), (3_959_001_518_000, 765_403_136),
    (3_960_002_415_100, 765_493_248), (3_961_002_395_600, 765_710_336),
    (3_962_002_964_700, 788_295_680), (3_963_001_778_100, 805_318_656),
    (3_964_006_400_200, 803_594_240), (3_965_001_575_500, 807_510_016),
    (3_966_002_559_800, 807_677_952), (3_967_001_241_000, 808_099_840),
  ]

  @Test(
    "Footprints add up to what every poll says, and with the system's part to the memory in use")
  func footprints() throws {
    let trace = try TraceLoader.load(Self.path, formats: .all)
    var bytes: [UInt32: Int64] = [:]
    var sums: [Int64: Int64] = [:]
    var used: [Int64] = []
    for event in Self.events(trace, { _ in true }) {
      switch event.kind {
      case .present, .footprint: bytes[event.app.rawValue] = event.value
      case .exit, .observedExit: bytes[event.app.rawValue] = 0
      case .systemMemory: used.append(event.value + bytes.values.reduce(0, +))
      default: break
      }
      sums[Self.sinceBoot(event)] = bytes.values.reduce(0, +)
    }
    for poll in Self.polls.dropFirst() {
      #expect(sums[poll.nanoseconds] == poll.bytes, "\(poll.nanoseconds)")
    }
    let total: Int64 = 2_063_749_120
    let available: [Int64] = [
      802_639_872, 800_411_648, 800_473_088, 800_473_088, 776_323_072, 760_414_208, 762_593_280,
      758_960_128, 757_014_528, 757_018_624,
    ]
    #expect(used == available.map { total - $0 })
    #expect(
      Self.events(trace) { $0.kind == .observedAvailable }.map(\.value)
        == available.enumerated().filter { $0.offset != 3 }.map(\.element))
    try Self.check([
      "select cast(c.value as int) from counter c join track t on c.track_id = t.id "
        + "where t.name = 'MemAvailable' order by c.ts": available.map(String.init),
      """
      with m as (select upid, p.name n, p.parent_upid f, c.ts ts, t.name k, c.value v
      from \(Self.counters) where t.name in ('mem.rss.anon', 'mem.rss.shmem', 'mem.swap')
      and p.name is not null)
      select m.ts, cast(sum(max(0, m.v - coalesce(z.v, 0))) as int) from m left join m z
      on z.upid = m.f and z.ts = m.ts and z.k = m.k
      and (z.n like '%zygote' or z.n like '%zygote64') group by m.ts
      """: Self.polls.map { "\($0.nanoseconds)|\($0.bytes)" },
    ])
  }

  @Test("Starts, ends and the one kill agree with the kernel and the log")
  func lives() throws {
    let trace = try TraceLoader.load(Self.path, formats: .all)
    let starts = Self.events(trace) { $0.kind == .backgroundLaunch }.map(Self.sinceBoot)
    #expect(starts == [3_961_779_510_600, 3_961_901_163_400, 3_962_004_593_000, 3_962_063_536_700])
    let ends = Self.events(trace) { $0.kind == .exit || $0.kind == .observedExit }
    let expected: [Int64] = [
      3_962_002_473_300, 3_962_224_842_300, 3_962_276_878_100, 3_963_264_021_200,
    ]
    #expect(ends.map(Self.sinceBoot) == expected)
    let last = try #require(ends.last)
    #expect(last.kind == .observedExit)
    #expect(trace.apps[last.app.position] == "com.google.android.googlequicksearchbox")
    #expect(trace.detailTexts[Int(last.detail)] == "cause=other;band=985")
    try Self.check([
      "select start_ts from process where start_ts is not null order by 1":
        starts.map(String.init),
      "select f.ts from ftrace_event f join args a using (arg_set_id) where f.name = "
        + "'sched_process_exit' and a.key = 'pid' and a.int_value in "
        + "(select pid from process where end_ts is not null) order by 1":
        expected.map(String.init),
      "select msg from android_logs where tag = 'am_kill'": [
        "User=0 PID=9999 Process Name=\"com.google.android.googlequicksearchbox\" OomAdj=985 "
          + "Reason=\"empty for 1902s\""
      ],
    ])
  }

  @Test("The user went from the launcher to the browser and back")
  func front() throws {
    let trace = try TraceLoader.load(Self.path, formats: .all)
    let present = Self.events(trace) {
      $0.kind == .present && trace.detailTexts[Int($0.detail)] == "state=front"
    }
    let launcher = "com.google.android.apps.nexuslauncher"
    #expect(present.map { trace.apps[$0.app.position] } == [launcher])
    let launches = Self.events(trace) { $0.kind == .launch }
    #expect(launches.map { trace.apps[$0.app.position] } == ["com.android.chrome", launcher])
    let times: [Int64] = [3_961_607_757_400, 3_964_254_532_900]
    #expect(launches.map(Self.sinceBoot) == times)
    try Self.check([
      "select ts from android_logs where tag = 'wm_on_resume_called' order by 1":
        times.map(String.init)
    ])
  }
}
