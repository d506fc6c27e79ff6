import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore
@testable import JettisonShippedPolicies

/// What each prediction policy makes of a few launches, worked out by hand.
struct PredictionPolicyTests {
  /// `a b a c a b a`: a 4, b 2 and c 1 of 7 launches; a was followed by b, c, b; `b a` by c.
  private static let history = "abacaba"

  @Test("markov blends what followed the last app with what is launched at all")
  func markov() throws {
    var driven = try HandDriven(NextLaunchOrder(appCount: 4, order: 1, prior: 1), apps: 4)
    driven.launch(Self.history)
    // No context: uniform 1/4, so a (4 + 1/4)/8, b (2 + 1/4)/8, c (1 + 1/4)/8, d (1/4)/8.
    // After a (3 launches): a 0, b 2, c 1, d 0, each plus the above, by 4.
    let empty: [Double] = [4.25 / 8, 2.25 / 8, 1.25 / 8, 0.25 / 8]
    let after: [Double] = [0, 2, 1, 0]
    let expected = zip(empty, after).map { ($0 + $1) / 4 }
    #expect(agree(try driven.scores("abcd"), expected))
  }

  @Test("markov of a higher order starts from the longer context")
  func markovOfOrderTwo() throws {
    var first = try HandDriven(NextLaunchOrder(appCount: 4, order: 1, prior: 1), apps: 4)
    var second = try HandDriven(NextLaunchOrder(appCount: 4, order: 2, prior: 1), apps: 4)
    first.launch(Self.history)
    second.launch(Self.history)
    // After b a (1 launch): c once; the rest by order 1, by 2.
    let shorter = try first.scores("abcd")
    let after: [Double] = [0, 0, 1, 0]
    let expected = zip(shorter, after).map { ($0 + $1) / 2 }
    #expect(agree(try second.scores("abcd"), expected))
    // A context that was never seen is left out: after d, nothing but the shares of launches.
    second.launch("d")
    let counts: [Double] = [4, 2, 1, 1]
    #expect(agree(try second.scores("abcd"), counts.map { ($0 + 0.2) / 9 }))
  }

  @Test("ppm escapes to shorter contexts and leaves out what longer ones know")
  func partialMatching() throws {
    var driven = try HandDriven(PartialMatching(appCount: 4, order: 2), apps: 4)
    driven.launch(Self.history)
    // After b a: c 1/2, escape 1/2. After a without c: b 2/3 of it, escape 1/3 of it. Nothing
    // without b and c: a 4/5 of that, escape 1/5, shared by one more app than the 3 seen.
    let expected: [Double] = [4 / 30, 1 / 3, 1 / 2, 1 / 120]
    #expect(agree(try driven.scores("abcd"), expected))
    // Which candidates are asked for does not matter.
    #expect(agree(try driven.scores("db"), [expected[3], expected[1]]))
  }

  @Test("A launch of the app in front is not a choice; one after leaving it is")
  func repeatedLaunches() throws {
    var driven = try HandDriven(NextLaunchOrder(appCount: 3, order: 1, prior: 1), apps: 3)
    driven.launch("aab")
    var same = try HandDriven(NextLaunchOrder(appCount: 3, order: 1, prior: 1), apps: 3)
    same.launch("ab")
    #expect(try driven.scores("abc") == same.scores("abc"))
    driven.policy.observe(
      EngineEvent(.suspended, app: AppIndex(1), at: driven.time), apps: driven.apps)
    driven.launch("b")
    #expect(try driven.scores("abc") != same.scores("abc"))
    // What the system asks for in the background is no choice of the user either.
    let before = try driven.scores("abc")
    driven.policy.observe(
      EngineEvent(.requested, app: AppIndex(2), at: driven.time), apps: driven.apps)
    #expect(try driven.scores("abc") == before)
  }

  @Test("time-of-day weighs hours by their distance around the clock")
  func timeOfDay() throws {
    let policy = TimeOfDay(appCount: 3, spreadHours: 1, prior: 0.5, startSecondsOfDay: 82_800)
    var driven = try HandDriven(policy, apps: 3)
    // From 23:00: a at 23, b 12 hours later, c at 0 of the next day.
    for (letter, hour) in [("a", 0), ("b", 12), ("c", 25)] {
      driven.time = Int64(hour) * 3_600_000_000_000
      driven.launch(letter)
    }
    // 23:00 again: a counts in full, c by e^(-1/2) though it is at the other end of the day, b by
    // e^(-72), which is nothing.
    driven.time = 48 * 3_600_000_000_000
    let near = 0.6065306597126334
    let sum = 1 + near + 0.5 * 4
    #expect(agree(try driven.scores("abc"), [1.5 / sum, 0.5 / sum, (0.5 + near) / sum]))
  }

  @Test("Only what a header says about the time of day is used")
  func startOfDay() {
    let texts: [(String?, Int64?)] = [
      ("2011-04-18T11:00:00+02:00", 39_600), ("2011-04-18T23:59:59Z", 86_399),
      ("2011-04-18T07:30", 27_000), (nil, nil), ("2011-04-18", nil), ("T", nil), ("T24:00", nil),
      ("T1:2", nil), ("Tab:cd", nil), ("T10:6", nil),
    ]
    for (text, seconds) in texts {
      var header = TraceHeader(user: "x")
      header.start = text
      #expect(header.startSecondsOfDay == seconds, "\(text ?? "nil")")
    }
  }

  @Test("relaunch-distance takes an app's age off its mean gap")
  func relaunchDistance() throws {
    let policy = FarthestFirst(GapDistance(appCount: 4, weight: 0.5), appCount: 4)
    var driven = try HandDriven(policy, apps: 4)
    driven.launch("abacba")
    // a: gaps 2 and 3, mean 2 + 0.5 · 1, just launched. b: gap 3, launched 1 ago. c, d: no gap.
    #expect(try driven.scores("abcd") == [-2.5, -2, -.infinity, -.infinity])
    // b is overdue now, and the more so the longer it stays away: it is kept.
    driven.launch("cacac")
    #expect(try driven.scores("b") == [3])
  }

  @Test("Calibration takes back what is predicted for apps that are overdue")
  func calibration() throws {
    let history = String(repeating: "ab", count: 10) + String(repeating: "cde", count: 40)
    // a and b take turns and are never seen again. Raw, both are predicted to be due any moment.
    var raw = try HandDriven(
      FarthestFirst(GapDistance(appCount: 5, weight: 0.5), appCount: 5), apps: 5)
    raw.launch(history)
    #expect(try raw.scores("abcde") == [119, 118, -1, -2, -3])
    // Such predictions were followed by 64 launches without the app, which is more than what
    // followed larger predictions: all are pooled, and the engine's order by recency decides.
    let calibrated = CalibratedFarthestFirst(
      GapDistance(appCount: 5, weight: 0.5), appCount: 5, gaps: 2, protected: 0)
    var driven = try HandDriven(calibrated, apps: 5)
    driven.launch(history)
    let scores = try driven.scores("abcd")
    #expect(scores.allSatisfy { $0 == scores[0] })
  }

  @Test("The most recent apps go last, the newest at the very end")
  func protection() throws {
    let policy = CalibratedFarthestFirst(
      GapDistance(appCount: 5, weight: 0.2), appCount: 5, gaps: 5, protected: 2)
    var driven = try HandDriven(policy, apps: 5)
    driven.launch("abcde")
    // e was launched last, before it d and c. Nothing has an outcome yet: 64 stands for it.
    #expect(try driven.scores("abcde") == [-64, -64, 1, 2, 3])
  }

  @Test("mdp-return gives apps it never saw no chance")
  func markovReturn() throws {
    var driven = try HandDriven(MarkovReturn(appCount: 3, horizon: 2, prior: 1), apps: 3)
    driven.launch("ab")
    #expect(agree(try driven.scores("abc"), [1.0 / 3, 5.0 / 14, 0]))
  }

  @Test("value-density is recent share times cost by size")
  func valueDensity() throws {
    let policy = ValueDensity(appCount: 3, weight: 0.25)
    var driven = try HandDriven(policy, apps: 3, bytes: [10, 20, 0], seconds: [2, 4, 0])
    driven.launch("abc")
    // Shares: a 0.25 · 0.75², b 0.25 · 0.75, c 0.25; c costs nothing and weighs nothing.
    let expected: [Double] = [0.140625 * 2 / 10, 0.1875 * 4 / 20, 0]
    #expect(agree(try driven.scores("abc"), expected))
  }

  @Test("Recent shares survive any number of launches")
  func recentShares() {
    var share = RecentShare(appCount: 2, weight: 0.9)
    for launch in 0..<10_001 { share.launched(AppIndex(launch % 2)) }
    // a is newest: 0.9 · (1 + 0.01 + 0.01² + …) = 0.9 / 0.99; b a tenth of that.
    #expect(agree([share[AppIndex(0)], share[AppIndex(1)]], [0.9 / 0.99, 0.09 / 0.99]))
  }

  @Test("keep-value weighs the return before the memory is needed anyway")
  func keepValue() throws {
    let policy = KeepValue(appCount: 3, lambda: 2, prior: 1)
    var driven = try HandDriven(policy, apps: 3, bytes: [100, 50, 10], seconds: [4, 1, 1])
    driven.apps[AppIndex(1)].ledger.producedWorkNanoseconds = 3_000_000_000
    driven.launch("ab")
    // D(a) = 2 and D(b) = 5/3, as worked out for the chain. No purge yet: T = 2 candidates. b has
    // 3 s of unsaved work, c was never launched.
    let returns: [Double] = [0.6321205588285577, 0.6988057880877979]  // 1 - e^(-1), 1 - e^(-6/5)
    let expected = [4 * returns[0] / 100, 7 * returns[1] / 50]
    #expect(agree(try driven.scores("ab"), expected))
    #expect(try driven.scores("c") == [0])
    // b is purged right after its launch: T is 1 at least. Then a, one launch after its own: 0.1.
    driven.purge("b")
    driven.purge("a")
    let later = 0.3934693402873666  // 1 - e^(-1/2)
    #expect(agree(try driven.scores("a"), [4 * later / 100]))
  }

  @Test("swam purges by start cost, of equals the largest")
  func lowestStartCost() throws {
    var driven = try HandDriven(
      LowestStartCost(), apps: 4, bytes: [5, 1, 9, 5], seconds: [2, 1, 2, 2])
    // b is cheapest; c is the largest of the rest; a and d are alike and keep the given order.
    #expect(try driven.scores("abcd") == [2, 0, 1, 3])
    #expect(try driven.scores("dcba") == [2, 1, 0, 3])
  }

  @Test("appflow is the chance of being next times cost by size")
  func reuseDensity() throws {
    var driven = try HandDriven(
      ReuseDensity(appCount: 4, prior: 1), apps: 4, bytes: [10, 20, 40, 1],
      seconds: [1, 2, 8, 1])
    driven.launch(Self.history)
    let chances: [Double] = [4.25 / 32, 18.25 / 32, 9.25 / 32, 0.25 / 32]
    let worths: [Double] = [0.1, 0.1, 0.2, 1]
    let expected = zip(chances, worths).map { $0 * $1 }
    #expect(agree(try driven.scores("abcd"), expected))
  }

  // MARK: SmartLMK's own check

  @Test("With equal costs and sizes value-density is the order of use alone")
  func equalValues() throws {
    // Above one half, the newest launch outweighs all before it: exactly lru, and nothing gained.
    let launches = Self.launches(seed: 3)
    let plain = try Self.purges("value-density:weight=0.5", launches, varied: false)
    #expect(try Self.purges("lru", launches, varied: false) == plain)
    // At any weight, costs and sizes that are equal do not matter, however large they are.
    let slow = try Self.purges("value-density", launches, varied: false)
    let slower = try Self.purges("value-density", launches, varied: false, scale: 3)
    #expect(slow == slower)
    #expect(slow != plain)
    // With different ones they do.
    #expect(try Self.purges("value-density", launches, varied: true) != slow)
  }

  private static func launches(seed: UInt64) -> [Int] {
    var random = SplitMix64(seed: seed)
    return (0..<300).map { _ in min(7, Int(random.next() % 4) + Int(random.next() % 5)) }
  }

  /// Who is purged, in order, by four of eight apps at a time.
  private static func purges(
    _ policy: String, _ launches: [Int], varied: Bool, scale: Int64 = 1
  ) throws -> [Int] {
    var text = TraceText()
    for (launch, app) in launches.enumerated() {
      text = text.row(Double(launch), "app\(app)", "launch")
    }
    let trace = try text.end(Double(launches.count)).trace()
    let profiles = trace.apps.indices.map { position in
      var profile = AppProfile()
      profile.launchFootprintBytes = scale << 20
      let seconds = varied ? Int64(1 + position % 4) : scale
      profile.coldLaunchNanoseconds = seconds * 1_000_000_000
      return profile
    }
    var configuration = RunConfiguration(
      device: try DeviceTable.device(named: "ideal-cache"), pressure: .idealCache,
      profiles: profiles)
    configuration.device.ramBytes = 4 * scale << 20
    configuration.footprints = .declared
    let recorder = CapturingRecorder()
    _ = try PolicySpec(parsing: policy).run(trace, configuration, recorder: recorder)
    return recorder.events.filter { $0.kind == .purge }.map(\.app.position)
  }
}
