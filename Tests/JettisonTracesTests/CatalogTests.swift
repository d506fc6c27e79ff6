import JettisonCore
import JettisonSupport
import JettisonTestSupport
import JettisonTraces
import Testing

@Suite("App catalog")
struct CatalogTests {
  /// Every key of an entry, and the ways to write its values.
  static let everyKey = """
    com.example.notes:
      category: notes              # defaults for all that follows
      footprint: {launch: 120MB, growth: 10MB/min, suspended: 110MB, releasable: 25%}
      launch: {cold: 900ms, warm: 360ms, hot: 110ms}
      save:
        when: [background, warning, terminate, "timer 30s"]
        rate: 80MB/s
        fixed: 50ms
        atomic: true
        thread: main
        share: 100%
      edits: {probability: 70%, work: 0.9, bytes: 200/s}
      warning: {responds: 70%, releases: 50%, delay: 100ms}
      limit: 650MB
      band: mail
      adj: -800
      kind: daemon
      relaunch: high
      preference: avoid
      group: office
      cgroup: user.slice/notes
    "com.example: b":
      save: none
      edits: none
      limit: {soft: 50MiB}
    com.example.c: {}

    """

  static func device(ram: Int64) -> Device {
    Device(name: "d", ramBytes: ram, reserveBytes: 0, source: "test")
  }

  @Test("Every key of the documentation is read")
  func readsEveryKey() throws {
    let catalog = try Catalog(yaml: Self.everyKey, file: "c.yaml")
    #expect(catalog.count == 3)
    let (profile, origin) = catalog.resolve("com.example.notes", on: Self.device(ram: 1 << 30))
    #expect(origin == .category)
    var expected = AppProfile()
    expected.launchFootprintBytes = 120_000_000
    expected.growthBytesPerMinute = 10_000_000
    expected.suspendedCeilingBytes = 110_000_000
    expected.releasablePPM = 250_000
    expected.coldLaunchNanoseconds = 900_000_000
    expected.warmLaunchNanoseconds = 360_000_000
    expected.hotLaunchNanoseconds = 110_000_000
    expected.saveTriggers = [.background, .warning, .terminate]
    expected.saveTimerNanoseconds = 30_000_000_000
    expected.saveBytesPerSecond = 80_000_000
    expected.saveFixedNanoseconds = 50_000_000
    expected.modelsEdits = true
    expected.editProbability = 0.7
    expected.editWorkPPM = 900_000
    expected.editBytesPerSecond = 200
    expected.warningResponseProbability = 0.7
    expected.warningReleasePPM = 500_000
    expected.limitBytes = 650_000_000
    expected.band = 40
    expected.oomScoreAdj = -800
    expected.processKind = .daemon
    expected.relaunchClass = .high
    expected.killPreference = .avoid
    #expect(profile == expected)
    #expect(catalog["com.example.notes"]?.group == "office")
    #expect(catalog["com.example.notes"]?.controlGroup == "user.slice/notes")
  }

  @Test("An entry without a category takes utility's remaining defaults but models no edits")
  func entryWithoutCategory() throws {
    let catalog = try Catalog(yaml: Self.everyKey, file: "c.yaml")
    let (profile, origin) = catalog.resolve("com.example: b", on: Self.device(ram: 4 << 30))
    #expect(origin == .catalog)
    #expect(profile.launchFootprintBytes == 60_000_000)
    #expect(profile.saveTriggers == [])
    #expect(profile.modelsEdits == false)
    #expect(profile.softLimitBytes == 50 << 20)
    #expect(profile.limitBytes == -1)
    #expect(
      catalog.resolve("com.example.c", on: Self.device(ram: 4 << 30)).profile.modelsEdits == false)
  }

  @Test(
    "Limits: active, inactive, high-water, and the two short forms",
    arguments: [
      ("650", [650, -1, -1, -1]), ("{soft: 50}", [-1, -1, 50, -1]),
      ("{active: 650, inactive: 300, soft: 50}", [650, 300, 50, -1]),
      ("{inactive: 300}", [-1, 300, -1, -1]),
      ("{soft: {active: 80, inactive: 30}}", [-1, -1, 80, 30]), ("{}", [-1, -1, -1, -1]),
    ] as [(String, [Int64])])
  func limits(text: String, expected: [Int64]) throws {
    let catalog = try Catalog(yaml: "a: {limit: \(text), compressed: 25%}", file: "c.yaml")
    let profile = catalog.resolve("a", on: Self.device(ram: 4 << 30)).profile
    #expect(
      [
        profile.limitBytes, profile.inactiveLimitBytes, profile.softLimitBytes,
        profile.softInactiveLimitBytes,
      ] == expected)
    #expect(profile.compressedPPM == 250_000)
  }

  @Test(
    "A limit that does not fit says what would",
    arguments: [
      ("{hard: 5MB}", "unknown key 'hard' in the 'limit'"),
      ("{soft: {hard: 5MB}}", "unknown key 'hard' in the 'soft'"),
      ("{active: much}", "'much' does not fit 'active'"),
      ("{inactive: [1]}", "a list or mapping does not fit 'inactive'"),
    ])
  func wrongLimits(text: String, message: String) {
    let error = #expect(throws: TraceError.self) {
      try Catalog(yaml: "a: {limit: \(text)}", file: "c.yaml")
    }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test(
    "Category figures scale with the RAM of the table row, up to 3 GiB",
    arguments: [
      (512 << 20, 30_000_000), (3 << 30, 180_000_000), (8 << 30, 180_000_000),
    ] as [(Int64, Int64)])
  func scales(ram: Int64, launchBytes: Int64) throws {
    let catalog = try Catalog(yaml: "n: {category: notes}", file: "c.yaml")
    var device = Self.device(ram: ram)
    // Overriding the memory does not rescale apps.
    device.ramBytes = 64 << 20
    let (profile, _) = catalog.resolve("n", on: device)
    #expect(profile.launchFootprintBytes == launchBytes)
    #expect(profile.suspendedCeilingBytes == launchBytes)
    #expect(profile.coldLaunchNanoseconds == 1_300_000_000)
    #expect(profile.warmLaunchNanoseconds == 520_000_000)
    #expect(profile.hotLaunchNanoseconds == 156_000_000)
  }

  @Test("A written footprint replaces the category's whole entry; other keys override one by one")
  func overrides() throws {
    let catalog = try Catalog(
      yaml:
        "n: {category: notes, footprint: {launch: 60MB}, save: {when: [terminate]}, launch: {cold: 2s}}",
      file: "c.yaml")
    let (profile, _) = catalog.resolve("n", on: Self.device(ram: 1 << 30))
    #expect(profile.launchFootprintBytes == 60_000_000)
    #expect(profile.growthBytesPerMinute == 0)
    #expect(profile.suspendedCeilingBytes == -1)
    #expect(profile.releasablePPM == 0)
    #expect(profile.saveTriggers == .terminate)
    #expect(profile.saveTimerNanoseconds == 0)
    #expect(profile.saveFixedNanoseconds == 50_000_000)
    #expect(profile.coldLaunchNanoseconds == 2_000_000_000)
    #expect(profile.warmLaunchNanoseconds == 800_000_000)
    #expect(profile.modelsEdits)
  }

  @Test(
    "Save behaviour of the categories",
    arguments: [
      ("messaging", Int64(30_000_000_000), Int64(1_000_000), true),
      ("social", Int64(0), Int64(670_000), true), ("notes", 30_000_000_000, 1_000_000, true),
      ("shopping", 0, 1_000_000, false), ("music", 0, 1_000_000, true),
    ] as [(String, Int64, Int64, Bool)])
  func saveClasses(category: String, timer: Int64, share: Int64, background: Bool) throws {
    let profile = try #require(Category(rawValue: category)).profile(on: Self.device(ram: 4 << 30))
    #expect(profile.saveTimerNanoseconds == timer)
    #expect(profile.saveSharePPM == share)
    #expect(profile.saveTriggers == (background ? .background : []))
    #expect(profile.savesAtomically)
    #expect(profile.saveThread == .main)
  }

  @Test("What the trace measures wins over the catalog")
  func observationsWin() throws {
    let trace = try TraceText()
      .header("apps: {a: {category: notes}, b: {category: notes}}")
      .row(0, "a", "launch").row(0, "a", "footprint", value: 5, detail: "derived=1")
      .row(1, "a", "edit", value: 1).row(2, "a", "save", detail: "trigger=timer")
      .row(3, "a", "observed-launch", value: 700, detail: "kind=warm")
      .row(4, "b", "launch").row(5, "c", "launch").end(6).trace()
    let catalog = try Catalog(for: trace, at: "t.csv")
    var issues = ImportIssues()
    let apps = catalog.resolve(trace, on: Self.device(ram: 4 << 30), issues: &issues)
    #expect(apps.map(\.origin) == [.category, .category, .unknown])
    #expect(issues.all.map(\.text) == [Catalog.unknownAppIssue])
    let a = apps[0].profile
    #expect(!a.modelsEdits)
    // Its own saves switch the timer off in the engine; the catalog's word stays.
    #expect(a.saveTriggers == .background && a.saveTimerNanoseconds == 30_000_000_000)
    #expect(a.warmLaunchNanoseconds == 700)
    #expect(a.coldLaunchNanoseconds == 1_300_000_000)
    #expect(a.growthBytesPerMinute == 0 && a.suspendedCeilingBytes == -1)
    #expect(apps[0].provenance[.footprint] == .derived)
    #expect(apps[0].provenance[.edits] == .observed)
    #expect(apps[0].provenance[.warmLaunch] == .observed)
    #expect(apps[0].provenance[.coldLaunch] == .imputed)
    #expect(apps[1].profile.modelsEdits)
    #expect(apps[1].provenance[.edits] == .imputed)
    #expect(!apps[2].profile.modelsEdits)
    #expect(apps[2].profile.launchFootprintBytes == 60_000_000)
    #expect(apps[2].provenance[.edits] == .absent)
  }

  @Test("A header's block is read once, and means what its text says then and later")
  func blockOfHeader() throws {
    let trace = try TraceText()
      .header("apps: {b: {limit: 5MB}, a: {category: notes}}").row(0, "a", "launch").end(1).trace()
    #expect(trace.header.appsAsRead.form is Catalog)
    let read = try Catalog(for: trace, at: "t.csv")
    let yaml = try #require(trace.header.appsYAML)
    #expect(read.contentHash == (try Catalog(yaml: yaml, file: "t.csv")).contentHash)
    #expect(read["b"]?.name == "b" && read["a"]?.category == .notes)
    var header = trace.header
    header.appsYAML = "a: {category: music}"
    let changed = try #require(try Catalog.block(of: header, file: "t.csv"))
    #expect(changed["a"]?.category == .music && changed["b"] == nil)
    header.appsYAML = nil
    #expect(try Catalog.block(of: header, file: "t.csv") == nil)
  }

  @Test("Later catalogs replace entries as a whole; the hash ignores how a catalog is written")
  func merging() throws {
    var catalog = try Catalog(yaml: "a: {category: notes, limit: 5MB}\nb: {}", file: "1.yaml")
    catalog.merge(try Catalog(yaml: "a: {category: music}", file: "2.yaml"))
    #expect(catalog["a"]?.category == .music)
    #expect(catalog["a"]?.limits?.activeBytes == nil)
    let written = try Catalog(yaml: "b:\na:\n  category: \"music\"", file: "3.yaml")
    #expect(catalog.contentHash == written.contentHash)
    catalog.merge(try Catalog(yaml: "a: {category: maps}", file: "2.yaml"))
    #expect(catalog.contentHash != written.contentHash)
  }

  @Test(
    "A wrong catalog is named with its place",
    arguments: [
      (
        "a: {footprint: {launch: big}}",
        "c.yaml:1:25: 'big' does not fit 'launch' (write a size of at most 1TiB, such as 120MB)"
      ),
      (
        "a: {footprint: {lunch: 5MB}}",
        "c.yaml:1:17: unknown key 'lunch' in the 'footprint' (known: launch, growth, background, suspended, releasable)"
      ),
      (
        "a:\n  save: {when: [sometimes]}",
        "c.yaml:2:17: unknown trigger 'sometimes' (known: resign, background, warning, expiration, "
          + "terminate, edit, \"timer 30s\")"
      ),
      (
        "a: {save: {when: [resign, resign]}}",
        "c.yaml:1:27: 'resign' is there twice (keep one of them)"
      ),
      (
        "a: {save: {when: resigned}}",
        "c.yaml:1:18: unknown trigger 'resigned' (known: resign, background, warning, expiration, "
          + "terminate, edit, \"timer 30s\")"
      ),
      (
        "a: {task: ends}", "c.yaml:1:11: the 'task' is not a mapping (known keys: expiration, save)"
      ),
      (
        "a: {task: {save: perhaps}}",
        "c.yaml:1:18: 'perhaps' does not fit 'save' (write one of: no, yes)"
      ),
      (
        "a: {footprint: {background: -5MB}}",
        "c.yaml:1:29: '-5MB' does not fit 'background' (write a size of at most 1TiB, such as 120MB)"
      ),
      (
        "a: {task: {expiration: explodes}}",
        "c.yaml:1:24: 'explodes' does not fit 'expiration' (write one of: ends, ignores)"
      ),
      (
        "a: {task: {expires: ends}}",
        "c.yaml:1:12: unknown key 'expires' in the 'task' (known: expiration, save)"
      ),
      (
        "a: {multitasking: sometimes}",
        "c.yaml:1:19: 'sometimes' does not fit 'multitasking' (write one of: no, yes)"
      ),
      (
        "a: {save: {when: [timer 0s]}}",
        "c.yaml:1:19: '0s' is not a timer's period (write a time from 1ms on, such as 30s)"
      ),
      (
        "a: {save: {rate: 0B/s}}",
        "c.yaml:1:18: '0B/s' does not fit 'rate' (write a rate, such as 80MB/s)"
      ),
      (
        "a: {save: {share: 101%}}",
        "c.yaml:1:19: '101%' does not fit 'share' (write a share from 0 to 1, such as 25% or 0.25)"
      ),
      (
        "a: {save: {atomic: maybe}}",
        "c.yaml:1:20: 'maybe' does not fit 'atomic' (write one of: false, true)"
      ),
      (
        "a: {launch: 5s}",
        "c.yaml:1:13: the 'launch' is not a mapping (known keys: cold, warm, hot)"
      ),
      (
        "a: {limit: [1]}",
        "c.yaml:1:12: a list or mapping does not fit 'limit' (write a size of at most 1TiB, such as 120MB)"
      ),
      ("- a", "c.yaml:1:1: the catalog is not a mapping (write 'app: {category: notes}')"),
      ("a: {}\na: {}", "c.yaml:1:1: the key 'a' is there twice (keep one of them)"),
      (
        "a: [",
        "c.yaml:2:1: while parsing a flow node, did not find expected node content (this is not YAML)"
      ),
    ])
  func errors(yaml: String, expected: String) {
    let error = #expect(throws: TraceError.self) { try Catalog(yaml: yaml, file: "c.yaml") }
    #expect(error?.description == expected)
  }

  @Test("YAML is bounded in depth, and aliases cost nothing")
  func boundedYAML() {
    let deep = String(repeating: "[", count: 100_000)
    let error = #expect(throws: TraceError.self) { try BoundedYAML.load(deep, file: "c.yaml") }
    #expect(error?.what == "nesting deeper than 64 levels")
    let block = (0..<200).map { String(repeating: " ", count: $0) + "a:" }.joined(separator: "\n")
    let error2 = #expect(throws: TraceError.self) { try BoundedYAML.load(block, file: "c.yaml") }
    #expect(error2?.what == "nesting deeper than 64 levels")
    let bomb = "a: &a [x]\nb: &b [*a, *a]\n? *b\n: 1"
    let error3 = #expect(throws: TraceError.self) { try BoundedYAML.load(bomb, file: "c.yaml") }
    #expect(error3?.what == "an anchor or an alias")
    let hidden = "a: |\n  \"\nb: &b x\nc: *b"
    #expect(throws: TraceError.self) { try BoundedYAML.load(hidden, file: "c.yaml") }
  }

  @Test(
    "Harmless text with the signs of anchors and tags is read",
    arguments: [
      "a: \"x, *y\"", "a: it's *not* an alias", "a: R&D", "a: 'say \"hi\" & *go*'", "a: b !c",
      "a: {b: x & y}",
    ])
  func harmless(yaml: String) throws {
    #expect(try BoundedYAML.load(yaml, file: "c.yaml")?.mapping?.count == 1)
  }
}
