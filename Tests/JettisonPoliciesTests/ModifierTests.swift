import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

/// What stands behind a policy's name, on traces worked by hand and on random ones.
struct ModifierTests {
  /// 10, 20 and 15 MiB of 100 suspended, 12 in front, longest out of the front first: b, c, a.
  ///
  /// At 50 s 8 MiB are available; purging begins below 10 and goes on until 12.
  private static let visits = """
    0s,a,launch
    10s,b,launch
    20s,c,launch
    30s,a,launch
    35s,b,edit,0,,work_ms=100000
    40s,d,launch
    50s,,system-memory,35MiB
    55s,,end
    """

  private func purged(
    _ policy: String, _ modifiers: String, _ engine: NamedEngine, rows: String = visits,
    _ change: (inout Scenario) -> Void = { _ in }
  ) throws -> [String] {
    var scenario = Scenario()
    for (name, size) in [("a", 10), ("b", 20), ("c", 15), ("d", 12)] as [(String, Int64)] {
      scenario = scenario.app(name, MiB: size)
    }
    scenario.policy = policy
    scenario.modifiers = modifiers
    change(&scenario)
    let replayed = try scenario.replay(rows, on: engine)
    return replayed.story(.purge).map { String($0.dropLast(" purge thresholds".count)) }
  }

  @Test(arguments: enginesUnderTest)
  func `each modifier changes who goes, or how many`(engine: NamedEngine) throws {
    for (policy, victims) in [
      ("lru", ["50s b"]), ("lru+saved", ["50s c"]), ("lru+protect=b", ["50s c"]),
      ("lru+protect=b+protect=c", ["50s a"]), ("lru+protect=?", []),
      ("lru+protect=nobody", ["50s b"]),
      ("mru", ["50s a"]), ("mru+recent=1", ["50s c"]), ("mru+recent=2", ["50s b"]),
      ("mru+recent=3", []), ("lru+until=28%", ["50s b"]), ("lru+until=29%", ["50s b", "50s c"]),
      ("lru+until=5%", ["50s b"]), ("lru+unit=group", ["50s b", "50s a"]),
      ("lru+unit=app", ["50s b"]), ("lru+unit=process", ["50s b"]),
      ("lru+saved+unit=group+until=60%", ["50s c", "50s a", "50s b"]),
    ] as [(String, [String])] {
      let (name, modifiers) = try Self.halves(policy)
      let actual = try purged(name, modifiers, engine) {
        $0.configuration.groups = [7, 7, 8, 9]
      }
      #expect(actual == victims, "\(policy)")
    }
  }

  private static func halves(_ policy: String) throws -> (String, String) {
    let name = policy.prefix { $0 != "+" }
    return (String(name), String(policy.dropFirst(name.count)))
  }

  @Test(arguments: enginesUnderTest)
  func `a minimal set drops from the end what was not needed`(engine: NamedEngine) throws {
    // 7 MiB short; 19 are needed. fifo: a 10, then b 20 is enough; without a it still is.
    let rows = Self.visits.replacing("35MiB", with: "50MiB")
    #expect(try purged("fifo", "", engine, rows: rows) == ["50s a", "50s b"])
    #expect(try purged("fifo", "+minimal", engine, rows: rows) == ["50s b"])
    // Until 30 % 37 are needed: a, b and c, 45 in all; without a only 35.
    #expect(
      try purged("fifo", "+until=30%+minimal", engine, rows: rows) == ["50s a", "50s b", "50s c"])
    // Until 28 % 35 are needed: without a it still is.
    #expect(
      try purged("fifo", "+minimal+until=28%", engine, rows: rows) == ["50s b", "50s c"])
    // a and c go together: they free 25 and are enough; b alone would be too little for both.
    #expect(
      try purged("fifo", "+minimal+unit=group", engine, rows: rows) {
        $0.configuration.groups = [1, 2, 1, 3]
      } == ["50s a", "50s c"])
  }

  @Test(arguments: enginesUnderTest)
  func `an app that was purged rests, and goes when its rest ends`(engine: NamedEngine) throws {
    let rows = """
      0s,x,launch
      5s,y,launch
      10s,,system-memory,35MiB
      20s,,system-memory,0
      25s,x,launch
      30s,y,launch
      40s,,system-memory,35MiB
      80s,,end
      """
    for (modifiers, times) in [
      ("", ["10s x", "40s x"]), ("+interval=30s", ["10s x", "40s x"]),
      ("+interval=31s", ["10s x", "41s x"]), ("+interval=1m", ["10s x", "70s x"]),
      ("+interval=4h", ["10s x"]),
    ] {
      let actual = try purged("lru", modifiers, engine, rows: rows) {
        $0 = $0.app("x", MiB: 30).app("y", MiB: 30)
      }
      #expect(actual == times, "\(modifiers)")
    }
  }

  @Test(arguments: enginesUnderTest)
  func `processes of one app go together`(engine: NamedEngine) throws {
    let rows = """
      0s,b,launch
      10s,c,launch
      20s,b:2,launch
      30s,d,launch
      50s,,system-memory,35MiB
      """
    #expect(try purged("lru", "", engine, rows: rows) { $0 = $0.app("b:2", MiB: 10) } == ["50s b"])
    let scenario = Scenario().app("b", MiB: 10).app("b:2", MiB: 20).app("c", MiB: 15)
      .app("d", MiB: 12).with { $0.modifiers = "+unit=app" }
    let decision = try #require(scenario.replay(rows, on: engine).decisions.first)
    // By rank: b, c, b:2. Each frees its own.
    #expect(decision.candidates.map(\.isChosen) == [true, false, true])
    #expect(decision.candidates.map { $0.freedBytes >> 20 } == [10, 0, 20])
  }

  @Test(arguments: enginesUnderTest)
  func `a model that takes one victim at a time goes on under hysteresis`(
    engine: NamedEngine
  ) throws {
    let rows = Self.visits.replacing("35MiB", with: "40MiB")
    for (modifiers, victims, decisions) in [
      ("", ["b"], [1]), ("+until=23%", ["b"], [1]), ("+until=24%", ["b", "c"], [2]),
      ("+until=2%", ["b"], [1]), ("+until=90%", ["b", "c", "a"], [3]),
    ] {
      var scenario = Scenario(pressure: .ios4)
      for (name, size) in [("a", 10), ("b", 20), ("c", 15), ("d", 12)] as [(String, Int64)] {
        scenario = scenario.app(name, MiB: size)
      }
      scenario.modifiers = modifiers
      let replayed = try scenario.replay(rows, on: engine)
      #expect(
        replayed.story(.purge) == victims.map { "50s \($0) purge level" }, "\(modifiers)")
      #expect(
        replayed.decisions.map { $0.candidates.filter(\.isChosen).count } == decisions,
        "\(modifiers)")
      #expect(replayed.story(.kill) == [], "the app in front stays")
    }
  }

  @Test("A modifier that asks for what the model does anyway changes nothing")
  func idle() throws {
    for seed in UInt64(0)..<300 {
      var random = RandomTrace.make(seed: seed)
      random.modifiers = ""
      let percent = random.configuration.device.thresholds.untilPercent
      for modifiers in ["+unit=process", "+protect=nobody", "+until=\(percent)%"] {
        if modifiers.hasPrefix("+until"), random.configuration.pressure != .thresholds { continue }
        var other = random
        other.modifiers = modifiers
        let differences = try random.run(on: .fast).differences(from: other.run(on: .fast))
        #expect(differences == [], "\(modifiers)\n\(random)")
      }
    }
  }

  // MARK: Reading

  @Test("Modifiers are read in any order")
  func reading() throws {
    let (plain, modifiers) = try PolicyModifiers.split(
      "gdsf:cost=1+until=12.5%+protect=com.x.*+saved+unit=app+interval=90m+protect=a+recent=2+minimal"
    )
    #expect(plain == "gdsf:cost=1")
    var expected = PolicyModifiers()
    expected.isSavedFirst = true
    expected.protected = ["com.x.*", "a"]
    expected.recentCount = 2
    expected.intervalNanoseconds = 5_400_000_000_000
    expected.isMinimal = true
    expected.untilPercent = 12.5
    expected.unit = .app
    #expect(modifiers == expected)
    #expect(modifiers.protects("com.x.mail") && modifiers.protects("a"))
    #expect(!modifiers.protects("com.y.mail"))
  }

  @Test("The text of a modifier names its value")
  func effects() throws {
    let (_, modifiers) = try PolicyModifiers.split("lru+interval=500ms+until=12.5%+recent=2")
    #expect(
      modifiers.sentences == [
        "The 2 apps used last are spared (+recent=2).",
        "An app that a decision ended is spared for 0.5 s (+interval=0.5s).",
        "Purging goes on until 12.5 % of RAM are available (+until=12.5%).",
      ])
    let (_, whole) = try PolicyModifiers.split("lru+interval=4h+until=60%")
    #expect(whole.effects.map(\.modifier) == ["+interval=14400s", "+until=60%"])
  }

  @Test("A plus sign inside a number or a file's name begins no modifier")
  func noModifier() throws {
    for text in ["lru", "gdsf:cost=1e+5", "./my+policy.yaml", "a/b+c/d.yaml", "lru+", "lru+5"] {
      let (plain, modifiers) = try PolicyModifiers.split(text)
      #expect(plain == text)
      #expect(modifiers.isEmpty)
    }
    let (plain, modifiers) = try PolicyModifiers.split("my+policy.yaml+saved")
    #expect(plain == "my+policy.yaml" && modifiers.isSavedFirst)
  }

  @Test(
    "A modifier that is wrong gets a sentence",
    arguments: [
      ("lru+svaed", "unknown modifier 'svaed' (did you mean 'saved'?); known: saved, protect"),
      ("lru+saved=1", "modifier '+saved=1' cannot be used: write +saved: it takes no value"),
      ("lru+recent", "modifier '+recent' cannot be used: it needs a value: write +recent=N"),
      ("lru+recent=", "modifier '+recent=' cannot be used: it needs a value: write +recent=N"),
      ("lru+recent=0", "value of +recent '0' cannot be used: write a number of apps from 1 on"),
      ("lru+recent=1.5", "value of +recent '1.5' cannot be used"),
      ("lru+recent=99999999999999999999", "value of +recent '99999999999999999999' cannot be"),
      ("lru+interval=4", "value of +interval '4' cannot be used: write a duration such as 30s"),
      ("lru+interval=-4h", "value of +interval '-4h' cannot be used"),
      ("lru+interval=infd", "value of +interval 'infd' cannot be used"),
      ("lru+interval=999999999d", "value of +interval '999999999d' cannot be used"),
      ("lru+until=15", "value of +until '15' cannot be used: write a share of RAM such as 15%"),
      ("lru+until=0%", "value of +until '0%' cannot be used"),
      ("lru+until=101%", "value of +until '101%' cannot be used"),
      ("lru+unit=cgroup", "unknown value of +unit 'cgroup'"),
      ("lru+saved+minimal+saved", "modifier '+saved' cannot be used: +saved stands twice"),
      ("gdsf+saved,cost=1", "modifier 'saved,cost=1' cannot be used: parameters come before"),
    ])
  func mistakes(text: String, sentence: String) {
    do {
      _ = try PolicySpec(parsing: text)
      Issue.record("\(text) was read")
    } catch {
      #expect(error.description.hasPrefix(sentence), "\(error)")
    }
  }
}

/// A decision taken apart.
struct ExplanationTests {
  @Test("A policy that looks over its own shoulder says what it does", arguments: 0..<5)
  func ownShadow(block: Int) throws {
    for seed in UInt64(block * 30)..<UInt64(block * 30 + 30) {
      let random = RandomTrace.make(seed: seed)
      let (trace, configuration) = try random.inputs()
      for policy in PolicyRegistry.all where !policy.needsArguments {
        let spec = try PolicySpec(parsing: policy.name)
        let recorder = CapturingRecorder(wantsFootprints: false)
        guard (try? spec.run(trace, configuration, recorder: recorder)) != nil else { continue }
        for decision in recorder.decisions where decision.number % 3 == 1 {
          let explanation = try spec.explain(
            trace, configuration, decision: decision.number, alternatives: [spec])
          guard !decision.candidates.isEmpty else {
            #expect(explanation == nil)
            continue
          }
          let own = try #require(explanation?.alternatives.first)
          #expect(own.failure == nil)
          #expect(own.order == decision.candidates.map(\.app), "\(policy.name)\n\(random)")
          #expect(
            own.victims == decision.candidates.filter(\.isChosen).map(\.app),
            "\(policy.name)\n\(random)")
        }
      }
    }
  }

  @Test("Every app in memory is a candidate or is spared for a reason")
  func spared() throws {
    var reasons: Set<SparedApp.Reason> = []
    for seed in UInt64(0)..<400 {
      let random = RandomTrace.make(seed: seed)
      for decision in try random.run(on: .fast).decisions {
        let all = decision.candidates.map(\.app) + decision.spared.map(\.app)
        #expect(Set(all).count == all.count, "\(random)")
        #expect(decision.spared.map(\.app) == decision.spared.map(\.app).sorted())
        reasons.formUnion(decision.spared.map(\.reason))
      }
    }
    #expect(SparedApp.Reason.allCases.filter { !reasons.contains($0) } == [])
  }
}
