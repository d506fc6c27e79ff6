import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonExperiments

@Suite("oomd's own configuration")
struct OomdFileTests {
  static func read(_ text: String) throws -> OomdFile.Reading {
    try OomdFile.reading(Array(text.utf8), file: "oomd.json")
  }

  static func message(_ text: String) -> String {
    do {
      _ = try read(text)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  /// A ruleset around detectors and actions.
  static func file(_ detectors: String, _ actions: String) -> String {
    """
    {"rulesets": [{"name": "r", "detectors": [["g", \(detectors)]], "actions": [\(actions)]}]}
    """
  }

  static let exists = #"{"name": "exists", "args": {"cgroup": "a"}}"#
  static let kill = #"{"name": "kill_by_pg_scan", "args": {"cgroup": "a"}}"#

  /// Case O24 of oomd's own tests (article *Other people's tests*).
  @Test("O24: a percentile of 100 leaves no group, 99 is the most", arguments: ["100", "99", "0"])
  func growingPercentile(_ percentile: String) {
    let kill = """
      {"name": "kill_by_memory_size_or_growth",
       "args": {"cgroup": "a", "growing_size_percentile": "\(percentile)"}}
      """
    let message = Self.message(Self.file(Self.exists, kill))
    #expect(message.contains("'growing_size_percentile'") == (percentile == "100"), "\(message)")
  }

  @Test("The sample for a desktop reads as the built-in default")
  func desktop() throws {
    let reading = try Self.read(
      """
      // A comment, as oomd allows it; "quotes" and { in it are nothing.
      {"rulesets": [
        {"name": "memory pressure", /* another
          [ one */ "silence-logs": "engine", "prekill_hook_timeout": "5",
         "detectors": [
          ["user pressure",
           {"name": "pressure_above", "args": {"cgroup": "user.slice", "resource": "memory",
            "threshold": "60", "duration": "30"}},
           {"name": "memory_reclaim", "args": {"cgroup": "user.slice", "duration": 10}}],
          ["system pressure",
           {"name": "pressure_above", "args": {"cgroup": "system.slice", "resource": "memory",
            "threshold": "80", "duration": "60"}},
           {"name": "memory_reclaim", "args": {"cgroup": "system.slice", "duration": "10"}}]],
         "actions": [{"name": "kill_by_memory_size_or_growth",
           "args": {"cgroup": "user.slice/*,system.slice/*"}}]},
        {"name": "low swap",
         "detectors": [["swap free", {"name": "swap_free", "args": {"threshold_pct": "10"}}]],
         "actions": [{"name": "kill_by_swap_usage",
           "args": {"cgroup": "user.slice/*,system.slice/*", "threshold": "1K"}}],
         "post_action_delay": "15"}]}
      """)
    var expected = OomdConfiguration.desktop
    expected.rulesets[1].actions = [
      .kill(
        OomdConfiguration.Kill(
          .swapUsage(.bytes(1024), isBiased: false), groups: "user.slice/*,system.slice/*"))
    ]
    #expect(reading.configuration == expected)
    #expect(reading.notes == [])
  }

  @Test("Every detector and every option of a kill")
  func everything() throws {
    let reading = try Self.read(
      Self.file(
        """
        {"name": "pressure_rising_beyond", "args": {"cgroup": "a", "resource": "io",
         "threshold": 5.5, "duration": "1"}},
        {"name": "memory_above", "args": {"cgroup": "a", "threshold": "1G",
         "threshold_anon": "1.5M 32K 512", "duration": "0"}},
        {"name": "memory_above", "args": {"cgroup": "a", "threshold": "100", "duration": "0"}},
        {"name": "swap_free", "args": {"threshold_pct": "5", "swapout_bps_threshold": "7"}},
        {"name": "exists", "args": {"cgroup": "a,b", "negate": true}},
        {"name": "nr_dying_descendants", "args": {"cgroup": "a", "count": "3"}}
        """,
        """
        {"name": "kill_by_memory_size_or_growth", "args": {"cgroup": "a", "size_threshold": "40",
         "growing_size_percentile": "60", "min_growth_ratio": "1.75", "recursive": "true",
         "dry": "true", "always_continue": "true", "post_action_delay": "3", "debug": "true"}},
        {"name": "kill_by_swap_usage", "args": {"cgroup": "a", "threshold": "5%",
         "biased_swap_kill": "true"}},
        {"name": "continue"}, {"name": "stop"}
        """))
    let ruleset = try #require(reading.configuration.rulesets.first)
    #expect(
      ruleset.detectorGroups.first?.detectors == [
        .pressureRisingBeyond(
          groups: "a", .io, percent: 5.5, durationNanoseconds: 1_000_000_000,
          fastFallRatio: 0.85),
        .memoryAbove(
          groups: "a", .bytes(1_572_864 + 32768 + 512), isAnonymous: true,
          durationNanoseconds: 0),
        .memoryAbove(
          groups: "a", .bytes(104_857_600), isAnonymous: false, durationNanoseconds: 0),
        .swapFree(percent: 5, swapOutBytesPerSecond: 7), .exists(groups: "a,b", negate: true),
        .constant(true),
      ])
    var growth = OomdConfiguration.Kill(
      .memorySizeOrGrowth(sizePercent: 40, growingPercentile: 60, minimumGrowthRatio: 1),
      groups: "a")
    growth.isRecursive = true
    growth.isDry = true
    growth.alwaysContinues = true
    growth.postActionDelayNanoseconds = 3_000_000_000
    #expect(
      ruleset.actions == [
        .kill(growth),
        .kill(OomdConfiguration.Kill(.swapUsage(.percent(5), isBiased: true), groups: "a")),
        .stop,
      ])
  }

  @Test("What has no part in a simulator is accepted and said")
  func ignored() throws {
    let reading = try Self.read(
      Self.file(
        #"{"name": "dump_cgroup_overview", "args": {"cgroup": "a"}}, \#(Self.exists)"#,
        #"{"name": "systemd_restart", "args": {"service": "s"}}, \#(Self.kill)"#))
    #expect(reading.configuration.rulesets.first?.actions.count == 1)
    #expect(
      reading.notes == [
        "oomd.json: ruleset 'r', group 'g': detector 'dump_cgroup_overview' is ignored: it always "
          + "says yes",
        "oomd.json: ruleset 'r': action 'systemd_restart' is ignored: there are no services to "
          + "restart",
      ])
  }

  static let mistakes: [(String, String)] = [
    ("", "oomd.json:1:1: is not JSON: it ends inside a value (close the quotation marks"),
    ("{", "oomd.json:1:2: is not JSON: it ends inside a value"),
    ("/* ä\n */ {\"é\": tru}", "oomd.json:2:11: is not JSON from here on (look for a comma,"),
    ("// x\n{\"rulesets\": [\n  {\"name\" \"r\"}]}", "oomd.json:3:11: is not JSON from here on"),
    ("{\"a\": 1-2}", "oomd.json:1:10: is not JSON from here on"),
    ("{} {}", "oomd.json:1:5: is not JSON from here on"), ("[]", "the file is not an object"),
    ("{}", "has no 'rulesets'"), (#"{"rulesets": 1}"#, "'rulesets' is not a list"),
    (#"{"rulesets": []}"#, "has no ruleset"), (#"{"rules": []}"#, "unknown key 'rules'"),
    (#"{"rulesets": [{"name": "r"}]}"#, "ruleset 'r': 'detectors' is not a list"),
    (
      #"{"rulesets": [{"name": "r", "cgroup": "a"}]}"#,
      "ruleset 'r': 'cgroup' is not supported"
    ),
    (file(exists, ""), "ruleset 'r': nothing would happen"),
    (
      file(exists, #"{"name": "kernel_panic"}"#),
      "ruleset 'r': nothing would happen: 'kernel_panic' have no effect"
    ),
    (file(#"{"name": "nope"}"#, kill), "group 'g': unknown plugin 'nope' (known: continue,"),
    (
      file(#"{"name": "exists", "args": {"cgroups": "a"}}"#, kill),
      "ruleset 'r', group 'g': detector 'exists': unknown key 'cgroups' (known: cgroup, negate)"
    ),
    (
      file(#"{"name": "memory_reclaim", "args": {"cgroup": "a"}}"#, kill),
      "detector 'memory_reclaim': argument 'duration' is missing"
    ),
    (
      file(#"{"name": "memory_reclaim", "args": {"cgroup": "a", "duration": "-1"}}"#, kill),
      "'duration': '-1' (write seconds such as 30)"
    ),
    (
      file(#"{"name": "swap_free", "args": {"threshold_pct": "ten"}}"#, kill),
      "argument 'threshold_pct' is 'ten'"
    ),
    (
      file(#"{"name": "swap_free", "args": {"threshold_pct": ["1"]}}"#, kill),
      "'threshold_pct' is not one value"
    ),
    (
      file(
        #"{"name": "memory_above", "args": {"cgroup": "a", "threshold": "9X", "duration": 1}}"#,
        kill), "argument 'threshold' is '9X'"
    ),
    (
      // The capital of this letter is two letters.
      file(
        #"{"name": "memory_above", "args": {"cgroup": "a", "threshold": "9ß", "duration": 1}}"#,
        kill), "argument 'threshold' is '9ß'"
    ),
    (
      file(
        #"{"name": "memory_above", "args": {"threshold": [], "duration": {}, "cgroup": []}}"#,
        kill), "'cgroup' is not one value"
    ),
    (file(kill, kill), "detector 'kill_by_pg_scan': is not a detector"),
    (file(exists, exists), "action 'exists': is not an action"),
    (
      file(exists, #"{"name": "kill_by_pressure", "args": {"cgroup": "a", "resource": "cpu"}}"#),
      "resource 'cpu' (known: memory, io)"
    ),
    (
      file(exists, #"{"name": "kill_by_pg_scan", "args": {"cgroup": "a", "dry": "maybe"}}"#),
      "argument 'dry' is 'maybe'"
    ),
    (#"{"rulesets": [{"detectors": [[]], "actions": []}]}"#, "a detector group is empty"),
    (String(repeating: "[", count: 1000), "nested more than 32 deep"),
    ("/* never closed", "is not JSON"), (#"{"a\"#, "is not JSON"),
  ]

  @Test("A mistake gets a sentence that names ruleset, plugin and key", arguments: mistakes)
  func refuses(_ text: String, _ expected: String) {
    let message = Self.message(text)
    #expect(message.hasPrefix("oomd.json:"))
    #expect(message.contains(expected), "\(message)")
  }

  @Test("Any cut or changed byte of a file is read or refused, never a trap")
  func mutates() {
    let bytes = Array(
      Self.file(
        #"{"name": "memory_above", "args": {"cgroup": "a", "threshold": "1G 5K", "duration": 1}}"#,
        Self.kill
      ).utf8)
    for position in bytes.indices {
      _ = try? OomdFile.reading(Array(bytes[..<position]), file: "f")
      for byte: UInt8 in [0, 0x22, 0x2f, 0x39, 0x5c, 0x7b, 0x7d, 0xff] {
        var other = bytes
        other[position] = byte
        _ = try? OomdFile.reading(other, file: "f")
      }
    }
  }
}
