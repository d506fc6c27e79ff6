import JettisonCore
import JettisonTestSupport
import Testing

/// The policies of Android and its vendors, by hand-made orders.
struct AndroidPolicyTests {
  private static let MiB: Int64 = 1 << 20

  /// The candidates of the last decision under `thresholds`, first victim first.
  ///
  /// Apps visit one another's front for ten seconds each; then memory gets short by a little.
  private static func order(
    _ policy: String, _ visits: String, sizes: [Character: Int64], shortMiB: Int64 = 930,
    rows: String = ""
  ) throws -> [String] {
    var scenario = Scenario(ramMiB: 1024)
    scenario.policy = policy
    for app in Set(visits) { scenario = scenario.app(String(app), MiB: sizes[app, default: 1]) }
    let launches = visits.enumerated().map { "\($0.offset * 10)s,\($0.element),launch" }
    let at = visits.count * 10
    let text = launches.joined(separator: "\n")
    let replayed = try scenario.replay(
      "\(text)\n\(rows)\(at)s,,system-memory,\(shortMiB)MiB\n\(at + 1)s,,end", on: .fast)
    let decision = try #require(replayed.decisions.last)
    return decision.candidates.map { replayed.apps[$0.app.position] }
  }

  // MARK: android

  @Test func `android takes the least recent first and the previous app last`() throws {
    #expect(try Self.order("android", "abcde", sizes: [:]) == ["a", "b", "c", "d"])
    // Under the model of the platform the values are the engine's: the order is the same.
    var scenario = Scenario(ramMiB: 1024, pressure: .androidLMKD)
    scenario.policy = "android"
    for app in ["a", "b", "c", "d", "e"] { scenario = scenario.app(app, MiB: 1) }
    let rows = (0..<5).map { "\($0 * 10)s,\(["a", "b", "c", "d", "e"][$0]),launch" }
    let replayed = try scenario.replay(
      rows.joined(separator: "\n") + "\n50s,,system-memory,1200MiB\n55s,,end", on: .fast)
    #expect(
      replayed.story(.purge).prefix(4).map { String($0.split(separator: " ")[1]) }
        == ["a", "b", "c", "d"])
  }

  @Test func `within one value android takes whose value was set longest ago, or the heaviest`()
    throws
  {
    // 22 cached apps, three to a value: `a` alone has the highest, then come `b` to `d`.
    let apps = "abcdefghijklmnopqrstuvwx"
    let oldest = try Self.order("android", apps, sizes: ["d": 9, "c": 5])
    #expect(oldest.prefix(4) == ["a", "b", "c", "d"])
    let heaviest = try Self.order("android:heaviest=on", apps, sizes: ["d": 9, "c": 5])
    #expect(heaviest.prefix(4) == ["a", "d", "c", "b"])
  }

  @Test func `android knows apps that ran before the capture began`() throws {
    let rows = """
      0s,a,present,1MiB,,state=suspended;since_ns=3000000000
      0s,b,present,1MiB,,state=suspended;since_ns=9000000000
      0s,c,present,1MiB,,state=suspended;since_ns=6000000000
      1s,,system-memory,1000MiB
      2s,,end
      """
    var scenario = Scenario(ramMiB: 1024)
    scenario.policy = "android"
    let replayed = try scenario.replay(rows, on: .fast)
    let decision = try #require(replayed.decisions.first)
    #expect(decision.candidates.map { replayed.apps[$0.app.position] } == ["b", "c", "a"])
  }

  @Test func `the catalog's value comes before all`() throws {
    var scenario = Scenario(ramMiB: 1024).app("a", MiB: 1) { $0.oomScoreAdj = -900 }
      .app("b", MiB: 1).app("c", MiB: 1) { $0.oomScoreAdj = 999 }.app("d", MiB: 1)
    scenario.policy = "android"
    let replayed = try scenario.replay(
      "0s,a,launch\n1s,b,launch\n2s,c,launch\n3s,d,launch\n9s,,system-memory,1000MiB\n10s,,end",
      on: .fast)
    let decision = try #require(replayed.decisions.first)
    #expect(decision.candidates.map { replayed.apps[$0.app.position] } == ["c", "b", "a"])
  }

  // MARK: aosp-rank

  @Test func `the least recent are ranked by age, size and use together`() throws {
    // Of a to f the last three are preserved, f in front among them. a: 0 + 0.15 + 0.5; b: 0.35 +
    // 0 + 0, since equal uses keep the order by size; c: 0.7 + 0.3 + 1.
    let sizes: [Character: Int64] = ["a": 5, "b": 9]
    #expect(try Self.order("aosp-rank", "abcdef", sizes: sizes) == ["b", "a", "c", "d", "e"])
    #expect(try Self.order("aosp-rank", "abcdef", sizes: [:]) == ["a", "b", "c", "d", "e"])
    // x, a and b were used last in this order, a twice.
    #expect(
      try Self.order("aosp-rank:recency=0,size=0,uses=1", "axabcdef", sizes: [:])
        == ["x", "b", "c", "a", "d", "e"])
    // The three at the top of the list are never re-ranked, however large.
    #expect(
      try Self.order("aosp-rank:size=10", "abcdef", sizes: ["d": 50, "e": 50])
        == ["a", "b", "c", "d", "e"])
    #expect(
      try Self.order("aosp-rank:preserve=0,size=10", "abcdef", sizes: ["c": 50]).first == "c")
    #expect(try Self.order("aosp-rank:rerank=0", "bacdef", sizes: ["a": 50]).first == "b")
  }

  // MARK: chimera-like

  @Test func `what was used last goes last, and what was purged lately goes late`() throws {
    // Eight cached apps, six protected: of the other two the larger product goes first.
    #expect(
      Array(try Self.order("chimera-like", "abcdefghi", sizes: ["b": 5]).prefix(2)) == ["b", "a"])
    #expect(
      Array(try Self.order("chimera-like:top=0", "abcd", sizes: ["c": 90]).prefix(1)) == ["c"])
  }

  @Test func `a purged app is spared for the cool-down`() throws {
    // The first 50 MiB suffice; the 10 of `b` do not, so that `a` follows after all.
    for (coolDown, expected) in [("4h", ["a", "b", "a"]), ("1s", ["a", "a"])] {
      var scenario = Scenario(ramMiB: 1024).app("a", MiB: 50).app("b", MiB: 10).app("c", MiB: 1)
      scenario.policy = "chimera-like:top=0,cooldown=\(coolDown)"
      let replayed = try scenario.replay(
        """
        0s,a,launch
        1s,b,launch
        2s,c,launch
        10s,,system-memory,890MiB
        11s,,system-memory,0
        12s,a,launch
        13s,c,launch
        20s,,system-memory,890MiB
        30s,,end
        """, on: .fast)
      let victims = replayed.story(.purge).map { String($0.split(separator: " ")[1]) }
      #expect(victims == expected, "\(coolDown)")
    }
  }
}
