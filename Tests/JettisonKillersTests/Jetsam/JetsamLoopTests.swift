import Testing

@testable import JettisonCore

/// The decision loop, victims, the reaper, aggressive kills, delivery and the freezer.
@Suite("Jetsam decisions") struct JetsamLoopTests {
  static let second: Int64 = 1_000_000_000

  static func loop(_ era: JetsamEra = .ios18, ramMiB: Int64 = 4096) -> JetsamLoop {
    JetsamLoop(
      thresholds: JetsamThresholdTests.thresholds(ramMiB, era), idleRule: era.idleRule)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let available: Int64
    var violator = false
    var idle = false
    var reapable = false
    var aggression = false
    let action: JetsamAction?

    var testDescription: String { name }
    var situation: JetsamSituation {
      JetsamSituation(
        availablePages: available, hasViolator: violator, hasIdle: idle, hasReapable: reapable,
        callsForAggression: aggression)
    }
  }

  /// Of 262,144 pages: critical 10,485, idle 23,591, soft 39,318, reaper 47,182.
  @Test(
    "iOS 18 acts in this order",
    arguments: [
      Case(name: "nothing is short", available: 47_182, violator: true, idle: true, action: nil),
      Case(name: "soft is not below itself", available: 39_318, violator: true, action: nil),
      Case(name: "below soft, over a limit", available: 39_317, violator: true, action: .highwater),
      Case(
        name: "over a limit goes before idle", available: 20_000, violator: true, idle: true,
        action: .highwater),
      Case(name: "below soft alone", available: 39_317, idle: true, action: nil),
      Case(name: "idle is not below itself", available: 23_591, idle: true, action: nil),
      Case(name: "below idle", available: 23_590, idle: true, action: .idleExit),
      Case(name: "below idle with nobody idle", available: 23_590, action: nil),
      Case(
        name: "a sweep goes on above every threshold", available: 100_000, reapable: true,
        action: .longIdleExit),
      Case(
        name: "idle goes before long idle", available: 23_590, idle: true, reapable: true,
        action: .idleExit),
      Case(name: "critical is not below itself", available: 10_485, action: nil),
      Case(name: "below critical", available: 10_484, action: .pageShortage),
      Case(
        name: "below critical idle processes die of the shortage", available: 10_484, idle: true,
        reapable: true, action: .pageShortage),
      Case(
        name: "below critical limits go first", available: 10_484, violator: true,
        aggression: true, action: .highwater),
      Case(
        name: "aggressive before one by one", available: 10_484, idle: true, aggression: true,
        action: .aggressive),
      Case(
        name: "nothing aggressive while healthy", available: 10_485, aggression: true, action: nil),
      Case(name: "overdrawn", available: -5, action: .pageShortage),
    ])
  func order(_ example: Case) {
    #expect(Self.loop().next(example.situation) == example.action)
  }

  @Test("Until iOS 17 an idle process raises the critical threshold, and the cause is a shortage")
  func raised() {
    for era in [JetsamEra.ios7, .ios12, .ios14, .ios17] {
      let loop = Self.loop(era)
      let idle = loop.thresholds.idle
      #expect(idle > loop.thresholds.critical)
      let short = JetsamSituation(availablePages: idle - 1, hasIdle: true)
      #expect(loop.next(short) == .pageShortage)
      #expect(!loop.isHealthy(short))
      #expect(loop.target(.pageShortage, hasIdle: true) == idle)
      #expect(loop.next(JetsamSituation(availablePages: idle, hasIdle: true)) == nil)
      #expect(loop.next(JetsamSituation(availablePages: idle - 1)) == nil)
      #expect(loop.target(.pageShortage, hasIdle: false) == loop.thresholds.critical)
    }
  }

  @Test("iOS 6 kills over a limit below 10 % and anyone below 5 %, idle or not")
  func ios6() {
    let loop = Self.loop(.ios6, ramMiB: 512)
    let total = loop.thresholds.total
    #expect(
      loop.next(JetsamSituation(availablePages: total / 10 - 1, hasViolator: true, hasIdle: true))
        == .highwater)
    #expect(
      loop.next(JetsamSituation(availablePages: total * 12 / 100, hasViolator: true)) == nil)
    #expect(loop.next(JetsamSituation(availablePages: total * 6 / 100, hasIdle: true)) == nil)
    #expect(
      loop.next(JetsamSituation(availablePages: total * 4 / 100, hasIdle: true)) == .pageShortage)
  }

  @Test("Each rule stops at its own threshold")
  func targets() {
    let loop = Self.loop()
    #expect(loop.target(.highwater, hasIdle: true) == 39_318)
    #expect(loop.target(.idleExit, hasIdle: true) == 23_591)
    #expect(loop.target(.longIdleExit, hasIdle: true) == 47_182)
    #expect(loop.target(.pageShortage, hasIdle: true) == 10_485)
  }

  @Test("The killer is woken by a flag below soft, by idle processes, and below critical")
  func wakes() {
    let loop = Self.loop()
    let cases: [(Int64, Bool, Bool, Bool)] = [
      (39_317, false, true, true), (39_318, true, true, false), (39_317, true, false, false),
      (23_590, true, false, true), (23_591, true, false, false), (23_590, false, false, false),
      (10_484, false, false, true), (10_485, false, false, false),
    ]
    for (available, hasIdle, isFlagged, expected) in cases {
      #expect(
        loop.isWoken(availablePages: available, hasIdle: hasIdle, isViolatorFlagged: isFlagged)
          == expected)
    }
  }

  @Test("Purgeable memory spares: over a limit up to the limit, otherwise up to soft")
  func spared() {
    let loop = Self.loop()
    func spares(_ action: JetsamAction, _ available: Int64, _ footprint: Int64) -> Bool {
      loop.spares(
        action, availablePages: available, footprintBytes: footprint, limitBytes: 50)
    }
    #expect(spares(.highwater, 0, 50))
    #expect(!spares(.highwater, 100_000, 51))
    for action in [JetsamAction.idleExit, .longIdleExit, .pageShortage] {
      #expect(spares(action, 39_318, 99))
      #expect(!spares(action, 39_317, 0))
    }
    #expect(!spares(.aggressive, 100_000, 0))
  }

  // MARK: The foreground band

  @Test("The largest coalition dies first, its leader last, larger ones of a role before")
  func coalitions() {
    func member(
      _ position: Int, _ coalition: Int, _ role: JetsamCoalition.Role, _ bytes: Int64
    ) -> JetsamCoalition.Member {
      JetsamCoalition.Member(
        position: position, coalition: coalition, role: role, footprintBytes: bytes)
    }
    let members = [
      member(0, 1, .leader, 500), member(1, 2, .leader, 300), member(2, 2, .service, 100),
      member(3, 2, .service, 150), member(4, 2, .appExtension, 40), member(5, 2, .undefined, 10),
      member(6, 3, .service, 900),
    ]
    // Coalition 2 has 600 in all; what has no leader stays at the tail.
    #expect(JetsamCoalition.order(members) == [5, 4, 3, 2, 1, 0, 6])
    let leaderless = [
      member(0, 1, .service, 5), member(1, 2, .service, 9), member(2, 3, .service, 9),
    ]
    #expect(JetsamCoalition.order(leaderless) == [1, 2, 0])
    #expect(JetsamCoalition.order([]) == [])
    let many = (0..<12).map { member($0, $0, .leader, Int64($0)) }
    #expect(JetsamCoalition.order(many) == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 10, 11])
  }

  // MARK: The reaper

  @Test("Reapable: 300 s in band 0, and not likely to come back")
  func reapable() {
    let reaper = JetsamReaper(JetsamParameters())
    var standing = Standing()
    standing.band = 0
    standing.sinceNanoseconds = 0
    let cases: [(JetsamClass, Int64, Bool)] = [
      (.app, 300, true), (.app, 299, false), (.daemon(.low), 300, true),
      (.daemon(.unknown), 300, true), (.daemon(.medium), 900, false),
      (.daemon(.high), 900, false),
    ]
    for (kind, seconds, expected) in cases {
      #expect(reaper.isReapable(kind, standing, at: seconds * Self.second) == expected)
    }
    standing.band = 10
    #expect(!reaper.isReapable(.daemon(.low), standing, at: 900 * Self.second))
  }

  @Test("A sweep waits for the oldest process, and for 300 s after the last one")
  func sweeps() {
    var reaper = JetsamReaper(JetsamParameters())
    #expect(reaper.start(oldest: 10 * Self.second) == 310 * Self.second)
    reaper.begin()
    #expect(reaper.isSweeping)
    reaper.end(at: 400 * Self.second)
    #expect(!reaper.isSweeping)
    #expect(reaper.start(oldest: 10 * Self.second) == 700 * Self.second)
    #expect(reaper.start(oldest: 500 * Self.second) == 800 * Self.second)
  }

  // MARK: Aggressive kills

  @Test("Aggressive kills need five idle processes, all likely to return, and at most 7 %")
  func aggression() {
    let aggression = JetsamAggression(JetsamParameters(), ramBytes: 4 << 30)
    let thresholds = JetsamThresholdTests.thresholds(4096)
    let cases: [(Int64, Int64, Int64, Bool)] = [
      (5, 5, 18_350, true), (5, 5, 18_351, false), (4, 4, 0, false), (6, 5, 0, false),
      (9, 9, 0, true),
    ]
    for (idle, likely, available, expected) in cases {
      #expect(
        aggression.isCalledFor(
          idleCount: idle, likelyCount: likely, availablePages: available, thresholds: thresholds)
          == expected)
    }
    // A count of none asks for somebody still: else a shortage would end with nobody killed.
    var parameters = JetsamParameters()
    parameters.aggressiveCount = 0
    let eager = JetsamAggression(parameters, ramBytes: 4 << 30)
    for (idle, expected) in [(0, false), (1, true)] as [(Int64, Bool)] {
      #expect(
        eager.isCalledFor(
          idleCount: idle, likelyCount: idle, availablePages: 0, thresholds: thresholds)
          == expected)
    }
  }

  @Test("Its target rises with consecutive activations: 40, 40, 80, 80, 150")
  func aggressiveTargets() {
    var aggression = JetsamAggression(JetsamParameters(), ramBytes: 4 << 30)
    var bands: [Int16] = []
    for activation in 0..<6 {
      aggression.begin(at: Int64(activation) * Self.second)
      bands.append(aggression.target)
    }
    #expect(bands == [40, 40, 80, 80, 150, 150])
    // More than six seconds after the reset, it begins anew.
    aggression.begin(at: 7 * Self.second)
    #expect(aggression.target == 40)
    aggression.limit(toTwice: 2)
    for _ in 0..<3 { aggression.killed() }
    #expect(aggression.target == 40)
    aggression.killed()
    #expect(aggression.target == .min)
    #expect(
      JetsamAggression(JetsamParameters(), ramBytes: 512 << 20).periodNanoseconds == 8 * Self.second
    )
  }

  // MARK: Delivery

  @Test("Who hears: band 20 and up, 6 MiB and up, not suspended")
  func hearers() {
    let delivery = JetsamDelivery(era: .ios18, parameters: JetsamParameters())
    #expect(delivery.mayHear(band: 20, footprintBytes: 6 << 20, isSuspended: false))
    #expect(!delivery.mayHear(band: 19, footprintBytes: 6 << 20, isSuspended: false))
    #expect(!delivery.mayHear(band: 20, footprintBytes: 6 << 20 - 1, isSuspended: false))
    #expect(!delivery.mayHear(band: 100, footprintBytes: 1 << 30, isSuspended: true))
    let older = JetsamDelivery(era: .ios7, parameters: JetsamParameters())
    #expect(!older.mayHear(band: 20, footprintBytes: 9 << 20, isSuspended: false))
    #expect(older.restNanoseconds == 0)
    let first = JetsamDelivery(era: .ios6, parameters: JetsamParameters())
    #expect(first.mayHear(band: 20, footprintBytes: 0, isSuspended: false))
    #expect(first.tellsLatecomers && !older.tellsLatecomers && !delivery.tellsLatecomers)
  }

  @Test("Rising pressure goes up the bands, falling pressure down, larger ones before")
  func turns() {
    func hearer(_ app: Int, _ band: Int16, _ bytes: Int64) -> JetsamDelivery.Hearer {
      JetsamDelivery.Hearer(app: AppIndex(app), band: band, footprintBytes: bytes)
    }
    let hearers = [hearer(0, 30, 5), hearer(1, 100, 9), hearer(2, 30, 7), hearer(3, 30, 7)]
    func turns(isFalling: Bool) -> [Int] {
      hearers.sorted { JetsamDelivery.Hearer.precedes($0, $1, isFalling: isFalling) }
        .map(\.app.position)
    }
    #expect(turns(isFalling: false) == [2, 3, 0, 1])
    #expect(turns(isFalling: true) == [1, 2, 3, 0])
  }

  @Test("250 ms lie between two, none at or below half way from soft to critical")
  func spacing() {
    let delivery = JetsamDelivery(era: .ios18, parameters: JetsamParameters())
    let thresholds = JetsamThresholdTests.thresholds(4096)
    #expect(delivery.spacing(availablePages: 24_903, thresholds: thresholds) == 250_000_000)
    #expect(delivery.spacing(availablePages: 24_902, thresholds: thresholds) == 0)
  }

  @Test("A rise is sent at once, a fall after 5 s; each level rests 25 s")
  func rests() {
    func walk(_ second: Int64, again: Bool = false) -> JetsamDelivery.Walk {
      JetsamDelivery.Walk(start: second * Self.second, tellsAgain: again)
    }
    var delivery = JetsamDelivery(era: .ios18, parameters: JetsamParameters())
    func change(_ before: PressureLevel, _ after: PressureLevel, _ second: Int64, _ walks: Bool)
      -> JetsamDelivery.Walk?
    {
      delivery.changeLevel(from: before, to: after, isWalking: walks, at: second * Self.second)
    }
    #expect(change(.normal, .warning, 0, false) == walk(0))
    delivery.rest(.warning, at: 1 * Self.second)
    #expect(change(.warning, .critical, 2, false) == walk(2))
    delivery.rest(.critical, at: 3 * Self.second)
    // The rest of warning lasts until 26 s, that of critical until 28 s.
    #expect(change(.critical, .warning, 4, false) == nil)
    #expect(delivery.isFalling)
    #expect(change(.warning, .critical, 27, false) == nil)
    #expect(change(.critical, .warning, 27, false) == walk(32, again: true))
    // It goes on with the other level while it walks, whatever rests.
    #expect(change(.warning, .critical, 27, true) == walk(27))
    delivery.rest(.critical, at: 28 * Self.second)
    #expect(!delivery.isFalling)
    #expect(change(.critical, .normal, 29, false) == walk(34))
    // From normal no rest counts.
    #expect(change(.normal, .critical, 40, false) == walk(40))
  }

  @Test("A level that lasts is renewed after 30 min from iOS 14 on, and again after as long")
  func renewal() {
    let half = 1_800 * Self.second
    for (era, renews) in [
      (JetsamEra.ios6, false), (.ios7, false), (.ios12, false), (.ios14, true), (.ios18, true),
    ] {
      var delivery = JetsamDelivery(era: era, parameters: JetsamParameters())
      _ = delivery.changeLevel(from: .normal, to: .warning, isWalking: false, at: 7)
      #expect(delivery.renews(at: 6 + half) == false)
      #expect(delivery.renews(at: 7 + half) == renews)
      #expect(delivery.renews(at: 6 + 2 * half) == false)
      #expect(delivery.renews(at: 7 + 2 * half) == renews)
    }
    var parameters = JetsamParameters()
    parameters.warningRenewalNanoseconds = 60 * Self.second
    var delivery = JetsamDelivery(era: .ios7, parameters: parameters)
    #expect(delivery.renews(at: 60 * Self.second) == true)
  }

  // MARK: The freezer

  @Test("The freezer takes suspended apps of 8 MiB and up from the low bands, 20 at most")
  func freezer() {
    var parameters = JetsamParameters()
    parameters.freezes = true
    var freezer = JetsamFreezer(parameters)
    var app = JetsamProcess(.app)
    func isCandidate(_ band: Int16, _ isSuspended: Bool, _ bytes: Int64) -> Bool {
      freezer.isCandidate(app, band: band, isSuspended: isSuspended, footprintBytes: bytes)
    }
    #expect(isCandidate(20, true, 8 << 20))
    #expect(!isCandidate(30, true, 8 << 20))
    #expect(!isCandidate(0, false, 8 << 20))
    #expect(!isCandidate(0, true, 8 << 20 - 1))
    app.wasFrozen = true
    #expect(!isCandidate(0, true, 8 << 20))
    #expect(
      !freezer.isCandidate(
        JetsamProcess(.daemon(.low)), band: 0, isSuspended: true, footprintBytes: 1 << 30))

    let thresholds = JetsamThresholdTests.thresholds(4096)
    #expect(freezer.mayFreeze(availablePages: 131_072, thresholds: thresholds, at: 0))
    #expect(!freezer.mayFreeze(availablePages: 131_073, thresholds: thresholds, at: 0))
    #expect(
      !JetsamFreezer(JetsamParameters()).mayFreeze(availablePages: 0, thresholds: thresholds, at: 0)
    )
    for step in 0..<20 {
      let now = Int64(step) * 10 * Self.second
      #expect(freezer.mayFreeze(availablePages: 0, thresholds: thresholds, at: now))
      #expect(freezer.spend(1 << 20, at: now) == true)
      #expect(!freezer.mayFreeze(availablePages: 0, thresholds: thresholds, at: now + 1))
    }
    let later = 1_000 * Self.second
    #expect(!freezer.mayFreeze(availablePages: 0, thresholds: thresholds, at: later))
    freezer.forget()
    #expect(freezer.mayFreeze(availablePages: 0, thresholds: thresholds, at: later))
    // The budget of a day is 2 GiB; what is left of it rolls over.
    #expect(freezer.spend(2048 << 20, at: later) == false)
    #expect(freezer.spend(4000 << 20, at: 86_400 * Self.second) == true)
  }
}
