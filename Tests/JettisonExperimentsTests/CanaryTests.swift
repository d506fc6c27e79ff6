import JettisonCore
import JettisonTestSupport
import JettisonTraces
import Testing

@testable import JettisonExperiments
@testable import JettisonReports

@Suite("Canary: memory is taken away until every class of apps has died")
struct CanaryTests {
  private static let mebibyte: Int64 = 1 << 20

  /// Where a model is at home.
  struct Place: Sendable, CustomTestStringConvertible {
    let model: PressureModelKind
    let device: String
    var testDescription: String { "\(model.rawValue) on \(device)" }
  }

  private static let homes: [PressureModelKind: [String]] = [
    .thresholds: ["iphone-3g"], .ios4: ["iphone-3gs", "iphone-4"], .ios6: ["iphone-5"],
    .ios7: ["iphone-6"], .ios12: ["iphone-6s"], .ios14: ["iphone-11"], .ios17: ["iphone-13-pro"],
    .ios18: ["iphone-13", "iphone-15-pro"], .androidLMK: ["nokia-1"],
    .androidLMKD: ["nokia-1", "pixel-6"], .linuxOOM: ["desktop-8g"], .oomd: ["desktop-8g"],
    .systemdOOMD: ["desktop-8g"], .earlyoom: ["desktop-8g"],
  ]
  static let places = PressureModelKind.allCases.flatMap { model in
    (homes[model] ?? []).map { Place(model: model, device: $0) }
  }

  /// The classes in the order in which a killer's documentation lets them die.
  ///
  /// * Jetsam goes through the bands upwards: idle 0, background 30, foreground 100, audio 120, home
  ///   160 (`kern_memorystatus.h`): music outlives what is in front.
  /// * Android and Linux go by `oom_score_adj` downwards: 900, 500, 200, 100, 0.
  /// * iOS 4 and the thresholds know suspended, running and in front; nobody is protected there but
  ///   by pins.
  static func order(of model: PressureModelKind) -> [[CanaryClass]] {
    switch model.family {
    case .jetsam: [[.cached], [.background], [.front], [.perceptible], [.protected]]
    case .android, .linux: [[.cached], [.background], [.perceptible], [.protected], [.front]]
    case .thresholds, .ios4: [[.cached], [.background, .perceptible, .protected], [.front]]
    case .idealCache: []
    }
  }

  static func rows(
    _ place: Place, policies: String? = nil, memory: Int64? = nil, terms: CanaryTerms = .init()
  ) async throws -> [CanaryRow] {
    var asked = ExperimentSpecification(traces: [])
    asked.devices = [try DeviceTable.device(named: place.device)]
    asked.pressure = place.model
    asked.footprints = .declared
    asked.policies = try policies.map { try .reading($0) }
    asked.memoryBytes = memory.map { [$0] } ?? []
    // Above 1 GiB of RAM the driver takes apps for 64-bit ones, and keeps more free for them.
    asked.settings = memory == nil ? [] : [try SettingSweep("lmk.64-bit", ["on"])]
    return try await Canary(asked, terms).run(jobs: 2).rows
  }

  @Test("Every model with a killer has a place here")
  func complete() {
    #expect(Set(Self.homes.keys).union([.idealCache]) == Set(PressureModelKind.allCases))
  }

  @Test("Classes die in the order of the killer's documentation", arguments: places)
  func order(_ place: Place) async throws {
    // On Linux the killer says when, and the policy alone who.
    for policies in place.model.family == .linux ? [nil] : [nil, "lru,size,mru"] {
      let all = try await Self.rows(place, policies: policies)
      let names = all.map(\.key.policy)
      for policy in Set(names) {
        let rows = all.filter { $0.key.policy == policy }
        #expect(rows.map(\.appClass) == CanaryClass.allCases)
        var before: Int64 = 0
        for group in Self.order(of: place.model) {
          let deaths = rows.filter { group.contains($0.appClass) }.flatMap(\.deaths)
          let first = try #require(deaths.map(\.takenBytes).min(), "\(policy): \(group) lives")
          #expect(before <= first, "\(policy): \(group)")
          before = first
        }
      }
    }
  }

  @Test("All apps die, one after the other, by a rule of the model", arguments: places)
  func deaths(_ place: Place) async throws {
    for row in try await Self.rows(place) {
      #expect(row.model == place.model.rawValue)
      #expect(row.apps == CanarySet.count(of: row.appClass))
      #expect(row.deaths.count == row.apps, "\(row.appClass)")
      #expect(Set(row.deaths.map(\.app)).count == row.apps, "each dies once")
      #expect(row.deaths.map(\.takenBytes) == row.deaths.map(\.takenBytes).sorted())
      for death in row.deaths {
        #expect(death.takenBytes % row.stepBytes == 0 || death.takenBytes == row.takenBytes)
        #expect(!death.cause.isEmpty)
        #expect(CanarySet.appClass(of: death.app) == row.appClass)
      }
      let device = try DeviceTable.device(named: place.device)
      #expect(row.takenBytes == device.ramBytes - device.reserveBytes)
    }
  }

  @Test("With more RAM no class dies sooner", arguments: places)
  func monotone(_ place: Place) async throws {
    let ram = try DeviceTable.device(named: place.device).ramBytes
    var before: [CanaryClass: Int64] = [:]
    var terms = CanaryTerms()
    // One size of step for all, so that nothing but RAM differs.
    terms.stepBytes = ram / 128
    for eighths in [8, 9, 10, 12, 16, 24] {
      let memory = ram / 8 * Int64(eighths)
      for row in try await Self.rows(place, memory: memory, terms: terms) {
        let first = try #require(row.deaths.first?.takenBytes)
        #expect(before[row.appClass, default: 0] <= first, "\(row.appClass) with \(memory)")
        before[row.appClass] = first
      }
    }
  }

  @Test(
    "The first suspended app dies at the first step below its threshold",
    arguments: [
      Place(model: .thresholds, device: "iphone-3g"), Place(model: .ios4, device: "iphone-4"),
      Place(model: .ios6, device: "iphone-5"),
    ])
  func firstDeath(_ place: Place) async throws {
    let device = try DeviceTable.device(named: place.device)
    // Eleven apps take half of what is free, and none of these devices compresses.
    #expect(device.compression == nil)
    let each = (device.ramBytes - device.reserveBytes) / 22 / 16384 * 16384
    let available = device.ramBytes - device.reserveBytes - 11 * each
    let threshold: Int64 =
      switch place.model {
      // Purging begins below 10 % of RAM.
      case .thresholds: device.ramBytes / 10
      // The list is cut at 5 % and less.
      case .ios4: device.ramBytes / 20 + 1
      // iOS 6 kills below its critical threshold, 5 % of the pages.
      default: device.ramBytes / 4096 / 20 * 4096
      }
    let step = device.ramBytes / 128
    var taken: Int64 = 0
    while available - taken >= threshold { taken += step }
    let rows = try await Self.rows(place)
    let first = try #require(rows.first { $0.appClass == .cached }?.deaths.first)
    #expect(first.takenBytes == taken)
    #expect(first.availableBytes == available - taken)
    #expect(first.app == "cached-6", "it was used longest ago")
  }

  @Test("Policies order apps within a class")
  func policies() async throws {
    let rows = try await Self.rows(
      Place(model: .thresholds, device: "iphone-3g"), policies: "lru,mru")
    let cached = rows.filter { $0.appClass == .cached }.map { $0.deaths.map(\.app) }
    let oldest = (1...6).reversed().map { "cached-\($0)" }
    #expect(cached == [oldest, oldest.reversed()])
  }

  @Test("Steps and their times are those that are asked for")
  func terms() async throws {
    var terms = CanaryTerms()
    terms.stepBytes = 3 * Self.mebibyte
    terms.intervalNanoseconds = 1_000_000_000
    let place = Place(model: .ios4, device: "iphone-4")
    let coarse = try await Self.rows(place, terms: terms)
    for row in coarse {
      #expect(row.stepBytes == 3 * Self.mebibyte)
      #expect(row.deaths.allSatisfy { $0.takenBytes % row.stepBytes == 0 })
    }
    terms.stepBytes = Self.mebibyte
    let fine = try await Self.rows(place, terms: terms)
    for (row, other) in zip(fine, coarse) {
      let (first, second) = (row.deaths[0].takenBytes, other.deaths[0].takenBytes)
      #expect((0..<3 * Self.mebibyte).contains(second - first), "\(row.appClass)")
    }
  }

  // MARK: Traces

  /// At 60 s: notes is in front, music plays, mail is suspended, the phone app is pinned, and the game
  /// is over.
  private static let evening = TraceText()
    .header("device: iphone-4")
    .header(
      "apps: {notes: {footprint: {launch: 20MB}}, music: {footprint: {launch: 20MB}}, "
        + "mail: {footprint: {launch: 20MB}}, phone: {footprint: {launch: 20MB}}, "
        + "game: {footprint: {launch: 20MB}}}"
    )
    .row(0, "phone", "present", value: 20_000_000, detail: "state=background")
    .row(0, "phone", "background-mode", value: 1, detail: "mode=voip")
    .row(0, "phone", "pin", value: 1)
    .row(0, "", "system-memory", value: 150_000_000)
    .row(1, "game", "launch").row(2, "mail", "launch").row(3, "music", "launch")
    .row(3, "music", "background-mode", value: 1, detail: "mode=audio")
    .row(4, "notes", "launch").row(5, "game", "quit")
    .row(50, "", "system-memory", value: 160_000_000)
    .end(60)

  private func canary(_ text: TraceText, _ terms: CanaryTerms = .init()) throws -> Canary {
    let trace = try text.trace(name: "evening")
    var asked = ExperimentSpecification(traces: ["evening"])
    asked.footprints = .declared
    asked.seeds = .count(1, from: 1)
    let loaded = LoadedTrace(
      path: "evening", trace: trace, catalog: try Catalog(for: trace, at: "evening"))
    return try Canary(asked, [loaded], terms)
  }

  @Test("A warm-up changes nothing, and is said to")
  func warmUp() throws {
    var asked = ExperimentSpecification(traces: [])
    asked.warmUpNanoseconds = 86_400_000_000_000
    let notes = try Canary(asked, [], CanaryTerms()).notes
    #expect(notes.count { $0.contains("memory is taken once a trace is over") } == 1)
    #expect(!notes.contains { $0.contains("nothing of it counts") })
  }

  @Test("Apps of a trace are what they are when it is over")
  func ofTraces() async throws {
    let rows = try await canary(Self.evening).run(jobs: 1).rows
    let living: [CanaryClass: [String]] = [
      .cached: ["mail"], .perceptible: ["music"], .protected: [], .front: ["notes"],
    ]
    #expect(rows.map(\.apps) == [1, 0, 1, 1, 1])
    for row in rows {
      #expect(row.deaths.map(\.app) == living[row.appClass, default: []], "\(row.appClass)")
      // What the system took last, not what it took first.
      #expect(row.takenBytes == 512 * Self.mebibyte - 160_000_000)
    }
  }

  @Test("An app that was purged before, and is back, dies of the squeeze like the others")
  func purgedBefore() async throws {
    let text = TraceText()
      .header("device: iphone-4")
      .header(
        "apps: {game: {footprint: {launch: 20MB}}, mail: {footprint: {launch: 20MB}}, "
          + "notes: {footprint: {launch: 20MB}}}"
      )
      .row(1, "game", "launch").row(2, "mail", "launch").row(3, "notes", "launch")
      .row(4, "", "system-memory", value: 500_000_000)
      .row(5, "", "system-memory", value: 160_000_000)
      .row(50, "game", "launch").row(51, "mail", "launch").row(52, "notes", "launch").end(60)
    let replayed = try await canary(text).run(jobs: 1).rows
    for row in replayed {
      #expect(row.deaths.allSatisfy { $0.takenBytes > 0 }, "\(row.appClass)")
      #expect(Set(row.deaths.map(\.app)).count == row.deaths.count)
    }
    #expect(replayed.map { $0.deaths.count }.reduce(0, +) == 3)
  }

  // MARK: Reports

  @Test("The table has a line per run, and CSV and JSON the same figures")
  func reports() async throws {
    let rows = try await Self.rows(
      Place(model: .androidLMK, device: "nokia-1"), policies: "android,lru")
    let text = CanarySummary(rows).rendered(TextStyle(width: 120))
    let lines = text.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("nokia-1") } == 2)
    let first = try #require(rows.first?.deaths.first)
    #expect(lines[3].contains("  \(first.takenBytes / Self.mebibyte)  "))
    let json = CanaryTable.rows.json(rows)
    #expect(json.contains("\"first_taken_bytes\": \(first.takenBytes), "))
    #expect(json.split(separator: "\n").count == rows.count + 2)
  }

  @Test("What cannot be is refused in a sentence")
  func misuse() async throws {
    await #expect(throws: ExperimentError.self) {
      try await Self.rows(Place(model: .idealCache, device: "ideal-cache"))
    }
    var terms = CanaryTerms()
    terms.stepBytes = 0
    #expect(throws: ExperimentError.self) { try canary(Self.evening, terms) }
    terms.stepBytes = nil
    terms.intervalNanoseconds = 0
    #expect(throws: ExperimentError.self) { try canary(Self.evening, terms) }
  }

  @Test("Steps and the time between them, at their extremes")
  func extremes() async throws {
    var terms = CanaryTerms()
    terms.stepBytes = .max
    let rows = try await canary(Self.evening, terms).run(jobs: 1).rows
    #expect(rows[0].deaths.count == 1)
    for row in rows {
      #expect(row.stepBytes == row.takenBytes)
      #expect(row.deaths.allSatisfy { $0.takenBytes == row.takenBytes })
    }
    // A million steps, a day apart, are 2,700 years.
    terms.stepBytes = 1
    terms.intervalNanoseconds = 86_400_000_000_000
    let error = #expect(throws: ExperimentError.self) { try canary(Self.evening, terms) }
    #expect(error?.description.contains("steps would end after the latest time of a trace") == true)
  }

  @Test("The least step there can be is large enough for a run to end")
  func smallSteps() async throws {
    var terms = CanaryTerms()
    terms.stepBytes = 1
    let rows = try await canary(Self.evening, terms).run(jobs: 1).rows
    #expect(rows[0].stepBytes > 300)
    #expect(rows[0].deaths.count == 1)
  }
}
