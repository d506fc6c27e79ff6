import Testing

@testable import JettisonCore

/// Bands, positions inside them, ageing and limits.
@Suite("Jetsam queues") struct JetsamQueueTests {
  static let second: Int64 = 1_000_000_000

  /// One process in a queue of its own era.
  private struct Bench {
    var queue: JetsamQueue
    var process: JetsamProcess
    var standing = Standing()

    init(_ kind: JetsamClass, _ era: JetsamEra = .ios18, band: Int16 = 100) {
      queue = JetsamQueue(JetsamQueue.Ageing(era: era, parameters: JetsamParameters()))
      process = JetsamProcess(kind)
      queue.request(band, &process, &standing, at: 0)
    }

    mutating func request(_ band: Int16, at seconds: Int64) {
      queue.request(band, &process, &standing, at: seconds * JetsamQueueTests.second)
    }

    mutating func age(at seconds: Int64, holdsAssertion: Bool = false, isDirty: Bool = false) {
      queue.age(
        &process, &standing, holdsAssertion: holdsAssertion, isDirty: isDirty,
        at: seconds * JetsamQueueTests.second)
    }

    var endSeconds: Double { Double(process.ageingEnd) / 1e9 }
  }

  // MARK: Bands

  @Test(
    "Bands have names and numbers",
    arguments: [
      ("idle", 0), ("ageing-1", 10), ("ageing-1-stuck", 15), ("ageing-2", 20), ("background", 30),
      ("mail", 40), ("phone", 50), ("freezer", 75), ("ui-support", 80),
      ("foreground-support", 90), ("foreground", 100), ("audio", 120), ("conductor", 130),
      ("driver", 150), ("home", 160), ("executive", 170), ("important", 180), ("critical", 190),
      ("max", 210),
    ] as [(String, Int16)])
  func names(text: String, number: Int16) {
    #expect(PriorityBand.number(named: text) == number)
  }

  @Test("An unknown name or number is not a band")
  func noBands() {
    #expect(PriorityBand.names.count == 19)
    #expect(PriorityBand.number(named: "nobody") == nil)
  }

  // MARK: Positions

  @Test("Every request goes to the tail, also one for the band that the process is in")
  func tail() {
    var queue = JetsamQueue(
      JetsamQueue.Ageing(era: .ios7, parameters: JetsamParameters()))
    var processes = Array(repeating: JetsamProcess(.app), count: 3)
    var standings = Array(repeating: Standing(), count: 3)
    for position in 0..<3 {
      queue.request(0, &processes[position], &standings[position], at: Int64(position))
    }
    #expect(standings[0].order < standings[1].order)
    #expect(standings[1].order < standings[2].order)
    queue.request(0, &processes[0], &standings[0], at: 9)
    #expect(standings[2].order < standings[0].order)
    // Its time in the band goes on.
    #expect(standings[0].sinceNanoseconds == 0)
    #expect(standings.map(\.band) == [0, 0, 0])
  }

  @Test("Who asks for 1 to 20 is idle at once", arguments: [1, 9, 10, 15, 20] as [Int16])
  func reserved(band: Int16) {
    var bench = Bench(.app)
    bench.request(band, at: 1)
    #expect(bench.standing.band == 0)
    #expect(bench.process.ageingEnd < 0)
    var before = Bench(.app)
    before.queue.place(
      band, &before.process, &before.standing, since: -1 * Self.second, at: 0)
    #expect(before.standing.band == 0)
    #expect(before.process.ageingEnd < 0)
  }

  // MARK: Ageing

  @Test(
    "Who leaves a higher band for idle ages first: band and seconds",
    arguments: [
      (JetsamClass.app, JetsamEra.ios18, 20, 2), (.daemon(.low), .ios18, 10, 2),
      (.daemon(.unknown), .ios18, 10, 2), (.daemon(.medium), .ios18, 10, 5),
      (.daemon(.high), .ios18, 10, 10), (.app, .ios14, 20, 2), (.app, .ios12, 0, -1),
      (.app, .ios7, 0, -1), (.app, .ios6, 0, -1), (.daemon(.low), .ios12, 10, 10),
      (.daemon(.high), .ios7, 10, 10), (.system, .ios18, 0, -1),
    ] as [(JetsamClass, JetsamEra, Int16, Int64)])
  func ageing(kind: JetsamClass, era: JetsamEra, band: Int16, seconds: Int64) {
    var bench = Bench(kind, era)
    bench.request(0, at: 0)
    #expect(bench.standing.band == band)
    #expect(bench.process.ageingEnd == (seconds < 0 ? -1 : seconds * Self.second))
    guard seconds >= 0 else { return }
    bench.age(at: seconds)
    #expect(bench.standing.band == 0)
    #expect(bench.standing.sinceNanoseconds == seconds * Self.second)
    // In band 0 already: it stays there.
    bench.request(0, at: seconds + 1)
    #expect(bench.standing.band == 0)
  }

  @Test("A second request for idle neither restarts nor ends the ageing")
  func repeatedRequest() {
    var bench = Bench(.app)
    bench.request(0, at: 0)
    bench.request(0, at: 1)
    #expect(bench.standing.band == 20)
    #expect(bench.endSeconds == 2)
    bench.request(100, at: 1)
    #expect(bench.process.ageingEnd < 0)
  }

  @Test("At the deadline an app with an assertion stays, a dirty daemon gets another term")
  func extended() {
    var app = Bench(.app)
    app.request(0, at: 0)
    app.age(at: 2, holdsAssertion: true)
    #expect(app.standing.band == 20)
    #expect(app.endSeconds == 4)
    var daemon = Bench(.daemon(.medium))
    daemon.request(0, at: 0)
    daemon.age(at: 5, isDirty: true)
    #expect(daemon.standing.band == 10)
    #expect(daemon.endSeconds == 10)
  }

  @Test("A daemon that holds an assertion is stuck for 30 s in band 15, then idle regardless")
  func stuck() {
    var daemon = Bench(.daemon(.high))
    daemon.request(0, at: 0)
    daemon.age(at: 10, holdsAssertion: true)
    #expect(daemon.standing.band == 15)
    #expect(daemon.endSeconds == 40)
    daemon.request(0, at: 20)
    #expect(daemon.standing.band == 15)
    daemon.age(at: 40, holdsAssertion: true, isDirty: true)
    #expect(daemon.standing.band == 0)
    var older = Bench(.daemon(.high), .ios17)
    older.request(0, at: 0)
    older.age(at: 10, holdsAssertion: true)
    #expect(older.standing.band == 0)
  }

  @Test("Who was idle before the run began stands before those who become idle in it")
  func before() {
    var queue = JetsamQueue(JetsamQueue.Ageing(era: .ios18, parameters: JetsamParameters()))
    var processes = Array(repeating: JetsamProcess(.app), count: 3)
    var standings = Array(repeating: Standing(), count: 3)
    queue.place(0, &processes[0], &standings[0], since: -60 * Self.second, at: 0)
    queue.place(0, &processes[1], &standings[1], since: -240 * Self.second, at: 0)
    queue.place(0, &processes[2], &standings[2], since: -Self.second, at: 0)
    #expect(standings.map(\.band) == [0, 0, 20])
    #expect(processes[2].ageingEnd == Self.second)
    #expect(standings[1].order < standings[0].order)
    #expect(standings[0].sinceNanoseconds == -58 * Self.second)
  }

  @Test("What is frozen stands in band 75, thawed or not, unless more is asked for")
  func frozen() {
    var bench = Bench(.app)
    bench.process.wasFrozen = true
    bench.request(0, at: 1)
    #expect(bench.standing.band == 75)
    bench.request(30, at: 2)
    #expect(bench.standing.band == 75)
    bench.request(100, at: 3)
    #expect(bench.standing.band == 100)
  }

  // MARK: Limits

  @Test("Active or inactive: an app by its request, a daemon by its work, others by their band")
  func active() {
    var app = Bench(.app)
    #expect(JetsamLimits.isActive(app.process, band: app.standing.band, isDirty: false))
    app.request(0, at: 1)
    // Inactive at once, even while it ages.
    #expect(app.standing.band == 20)
    #expect(!JetsamLimits.isActive(app.process, band: app.standing.band, isDirty: false))
    app.request(30, at: 2)
    #expect(JetsamLimits.isActive(app.process, band: app.standing.band, isDirty: false))
    app.process.wasFrozen = true
    app.request(0, at: 3)
    #expect(!JetsamLimits.isActive(app.process, band: app.standing.band, isDirty: false))

    let daemon = JetsamProcess(.daemon(.low))
    #expect(JetsamLimits.isActive(daemon, band: 0, isDirty: true))
    #expect(JetsamLimits.isActive(daemon, band: 10, isDirty: false))
    #expect(!JetsamLimits.isActive(daemon, band: 0, isDirty: false))
    #expect(JetsamLimits.isActive(JetsamProcess(.system), band: 1, isDirty: false))
    #expect(!JetsamLimits.isActive(JetsamProcess(.system), band: 0, isDirty: false))
  }

  @Test("Fatal limits kill on allocation, both kinds count for high-water kills")
  func limits() {
    let limits = JetsamLimits(active: 650, inactive: 300, softActive: 500, softInactive: 400)
    #expect(limits.fatal(isActive: true) == 650)
    #expect(limits.fatal(isActive: false) == 300)
    #expect(limits.highwater(isActive: true) == 500)
    #expect(limits.highwater(isActive: false) == 300)
    #expect(JetsamLimits().highwater(isActive: true) == .max)
  }

  @Test("A process is warned above 80 % of its limit, on the way up, once per crossing")
  func nearLimit() {
    let mark = JetsamLimits.warning(limit: 1000, percent: 80)
    #expect(mark == 800)
    #expect(JetsamLimits.warning(limit: .max, percent: 80) == .max)
    var warning = JetsamLimitWarning()
    #expect(warning.passes(mark, from: 0, to: 800) == false)
    #expect(warning.passes(mark, from: 800, to: 801) == true)
    #expect(warning.passes(mark, from: 801, to: 900) == false)
    #expect(warning.passes(mark, from: 900, to: 850) == false)
    #expect(warning.passes(mark, from: 850, to: 700) == false)
    #expect(warning.passes(mark, from: 700, to: 900) == true)
    // Another limit re-arms it.
    warning.rearm()
    #expect(warning.passes(mark, from: 900, to: 901) == true)
  }
}
