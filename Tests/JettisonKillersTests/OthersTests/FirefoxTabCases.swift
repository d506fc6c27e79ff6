import Foundation
import JettisonTestSupport
import Testing

@testable import JettisonCore
@testable import JettisonShippedPolicies

/// Cases of mozilla/gecko-dev `test_TabUnloader.js`, which is in the public domain, and of Firefox
/// for Android, restated.
@Suite("Other people's tests: Firefox's tabs")
struct FirefoxTabCases {
  static let section = OthersSection(
    "Firefox's tabs", ids: OthersSection.ids("F", 1...55),
    passed: cases.map(\.id) + ["F54", "F55"],
    different: [
      OthersSection.Exception(
        ["F53"],
        "A policy orders and never filters: what was used within `idle` goes last instead "
          + "of not at all.")
    ],
    inexpressible: [
      OthersSection.Exception(
        OthersSection.ids("F", 27...52),
        "Their figures are not at hand: 26 of the suite's cases are complete.")
    ])

  /// A case of the suite, in the suite's own words: `last access`, then keywords.
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let tabs: [String]
    /// Processes of each tab, the page's own first; empty: not told.
    var processes: [String] = []
    /// Size of each process, from 1; empty: all alike.
    var memory: [Int64] = []
    let order: [Int]
    var testDescription: String { id }
  }

  static let now: Int64 = 100
  static let keep = 3

  private static func eight(_ id: String, _ fifth: String, _ processes: String, _ order: [Int])
    -> Case
  {
    Case(
      id: id, tabs: ["1", "2", "3", "4", fifth, "6", "7", "8"], processes: words(processes),
      order: order)
  }

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }

  private static func count(_ last: Int) -> [String] { (1...last).map { "\($0)" } }

  static let cases = weights + shared + sizes

  private static let weights = [
    Case(id: "F1", tabs: ["1 selected", "2", "3"], order: [1, 2, 0]),
    Case(id: "F2", tabs: ["1 selected", "2", "3"], processes: words("1 2 3"), order: [1, 2, 0]),
    Case(
      id: "F3", tabs: ["1 selected", "2", "3"], processes: words("1,2,3 2 3"), order: [1, 2, 0]),
    Case(
      id: "F4", tabs: ["9", "8 pinned", "6", "5 selected", "2", "3 pinned", "4", "1"],
      order: [7, 4, 6, 2, 0, 5, 1, 3]),
    Case(
      id: "F5",
      tabs: ["9", "8 pinned", "6", "5 selected pinned", "2", "3 selected pinned", "4", "1"],
      order: [7, 4, 6, 2, 0, 1, 5, 3]),
    Case(
      id: "F6", tabs: ["1 media", "2 selected media", "3", "4 media", "5", "6"],
      order: [2, 4, 5, 0, 3, 1]),
    Case(
      id: "F7",
      tabs: ["1 media", "2 media pinned", "3", "4 media", "5 media pinned", "6 selected"],
      order: [2, 0, 3, 5, 1, 4]),
    Case(id: "F8", tabs: ["300", "10", "50", "100", "200"], order: [1, 2, 3]),
    Case(
      id: "F9", tabs: ["1", "2 selected", "3", "4", "5", "6"], processes: words("1 2 1 1 1 1"),
      order: [0, 2, 3, 4, 5, 1]),
    Case(
      id: "F10", tabs: count(6), processes: words("1 2 3 1 1 1"), order: [1, 0, 2, 3, 4, 5]),
  ]

  private static let shared = [
    Case(
      id: "F11", tabs: ["1", "2 media", "3", "4", "5", "6"], processes: words("1 2 3 1 1,2,3 1"),
      order: [0, 2, 3, 4, 5, 1]),
    Case(
      id: "F12", tabs: ["1", "2 media", "3 media", "4", "5 media", "6"],
      processes: words("1 2 3 1 1,4,5 1"), order: [0, 3, 5, 1, 2, 4]),
    Case(
      id: "F13", tabs: ["1", "2 media", "3 media", "4", "5 media", "6"],
      processes: words("1 2 3 4 1,4,5 5"), order: [0, 3, 5, 1, 2, 4]),
    Case(
      id: "F14", tabs: count(6), processes: words("1 1 1 2 1,3,4,5,6,7,8 1"),
      order: [0, 1, 2, 3, 4, 5]),
    Case(
      id: "F15", tabs: ["1", "2", "3", "4", "5 selected", "6"],
      processes: words("1 1 1 2 1,3,4,5,6,7,8 1"), order: [0, 1, 2, 3, 5, 4]),
    eight("F16", "5 media", "1 1 1 2 1,3,4,5,6,7,8 1 1 1", [0, 3, 1, 2, 5, 6, 7, 4]),
    eight("F17", "5 media", "1 1 1,3,4,5,6,7,8 1 1 1 1 1", [2, 0, 1, 3, 5, 6, 7, 4]),
    eight("F18", "5 media", "1 1 1,2,3,4,5 1 1 1 1,2,3,4,5 1", [0, 1, 2, 3, 5, 6, 7, 4]),
    eight("F19", "5 media", "1 1 1,6 1,7 1,8 1,9 1,2,3,4,5 1", [2, 3, 0, 5, 1, 6, 7, 4]),
    Case(
      id: "F20",
      tabs: ["1 media", "2 media", "3 media", "4 media", "5 media", "6", "7", "8"],
      processes: words("1,10,11 1 1,2 1,7 1,8 1,9 1,2,3,4,5 1"),
      order: [6, 5, 7, 0, 1, 2, 3, 4]),
  ]

  private static let sizes = [
    Case(
      id: "F21", tabs: count(10), processes: count(10),
      memory: [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000], order: Array(0..<10)),
    Case(
      id: "F22", tabs: count(10), processes: count(10),
      memory: [1000, 900, 300, 500, 400, 1000, 600, 1000, 200, 200],
      order: [0, 1, 2, 3, 5, 4, 6, 7, 8, 9]),
    Case(
      id: "F23", tabs: count(8), processes: words("1,6 2,7 3,8 4,1,2 5 6 7 8"),
      memory: [100, 200, 300, 400, 500, 600, 700, 800], order: [2, 3, 0, 1, 4, 5, 6, 7]),
    Case(
      id: "F24", tabs: count(8), processes: words("1 1 1 1 2,1 2,1 3 3"),
      memory: [1000, 2000, 3000], order: [0, 1, 2, 4, 3, 5, 6, 7]),
    Case(
      id: "F25", tabs: count(8), processes: words("1 1 1 2 2,1,1,1 2,1 3 3"),
      memory: [1000, 1800, 1000], order: [0, 1, 3, 2, 4, 5, 6, 7]),
    Case(
      id: "F26", tabs: count(5), processes: words("1,1,1,1 2 3 3 3"), memory: [100, 100, 100],
      order: [0, 1, 2, 3, 4]),
  ]

  /// A case as the file holds it.
  private struct FileCase: Decodable {
    let tabs: [String]
    let processes: [String]?
    let memory: [Int64]?
    let order: [Int]
  }

  private struct File: Decodable {
    let now: Int64
    let minTabCount: Int
    let cases: [FileCase]
  }

  private static let file = ProcessInfo.processInfo.environment["JETTISON_CAPTURES"].map {
    URL(fileURLWithPath: $0).appendingPathComponent("fixtures/firefox_tabs.json")
  }

  @Test(
    "The cases are those of the suite, in its order",
    .enabled(if: file.map { FileManager.default.fileExists(atPath: $0.path) } ?? false))
  func transcript() throws {
    let data = try Data(contentsOf: try #require(Self.file))
    let file = try JSONDecoder().decode(File.self, from: data)
    #expect(file.now == Self.now)
    #expect(file.minTabCount == Self.keep)
    #expect(file.cases.count == Self.cases.count)
    for (theirs, ours) in zip(file.cases, Self.cases) {
      #expect(theirs.tabs == ours.tabs, "\(ours.id)")
      #expect(theirs.processes ?? [] == ours.processes, "\(ours.id)")
      #expect(theirs.memory ?? [] == ours.memory, "\(ours.id)")
      #expect(theirs.order == ours.order, "\(ours.id)")
    }
  }

  // MARK: The rule by itself

  private static let weightOf = [
    "selected": TabOrder.never, "media": TabOrder.never, "pinned": TabOrder.pinned,
  ]

  @Test("The order of tabs is Firefox's", arguments: cases)
  func order(_ example: Case) {
    var order = TabOrder()
    var sized: Set<Int> = []
    for (number, tab) in example.tabs.enumerated() {
      let words = tab.split(separator: " ")
      guard let lastUsed = Int64(words[0]), lastUsed <= Self.now else { continue }
      order.add(
        number: number,
        weight: words.dropFirst().reduce(0) { $0 + (Self.weightOf[String($1)] ?? 0) },
        lastUsed: lastUsed)
      guard !example.processes.isEmpty else { continue }
      for process in example.processes[number].split(separator: ",").compactMap({ Int($0) }) {
        // The order adds sizes up: a process is told once.
        let bytes = example.memory.isEmpty ? 1 : example.memory[process - 1]
        order.addFrame(process: process, bytes: sized.insert(process).inserted ? bytes : 0)
      }
    }
    order.sort(keeping: Self.keep)
    #expect(order.tabs.map(\.number) == example.order)
  }

  @Test("F53: what was used within the minimum time comes last, and is not ranked")
  func fresh() {
    var order = TabOrder()
    for (number, lastUsed) in [Int64(99), 10, 30, 20].enumerated() {
      order.add(number: number, weight: 0, lastUsed: lastUsed, isFresh: lastUsed > 90)
      order.addFrame(process: number, bytes: lastUsed == 99 ? 1000 : 1)
    }
    order.sort(keeping: 0)
    #expect(order.tabs.map(\.number) == [1, 3, 2, 0])
  }

  // MARK: In the engine

  /// Cases that a trace tells.
  ///
  /// A tab is an app, selected is in front, media is a mode, pinned is a preference, and each tab has
  /// one process, named by the app's group. Not among them are a tab of the future, and one in front
  /// that goes before others: the engine takes it last.
  static let told = cases.filter { example in
    example.processes.allSatisfy { !$0.contains(",") }
      && example.tabs.count { $0.contains("selected") } <= 1 && !["F7", "F8"].contains(example.id)
  }

  @Test("The order is the same where the tabs are apps of a trace", arguments: told)
  func engine(_ example: Case) throws {
    var rows: [String] = []
    var front: String?
    var scenario = Scenario(ramMiB: 100_000)
    // Whoever is left last would still be on its way.
    let last = 20
    for (number, tab) in example.tabs.enumerated() {
      let words = tab.split(separator: " ").map(String.init)
      let name = "tab\(number)"
      let process = example.processes.isEmpty ? number : (Int(example.processes[number]) ?? 0) - 1
      let members = example.processes.count { $0 == "\(process + 1)" }
      let size = example.memory.isEmpty ? 60 : example.memory[process]
      scenario = scenario.app(name, MiB: size / Int64(max(1, members))) {
        if words.contains("pinned") { $0.killPreference = .avoid }
      }
      rows.append("\(words[0])s,\(name),launch")
      if words.contains("media") {
        rows.append("\(words[0])s,\(name),background-mode,1,,mode=audio")
      }
      if words.contains("selected") { front = name }
    }
    rows = rows.enumerated().sorted {
      (Self.seconds($0.element), $0.offset) < (Self.seconds($1.element), $1.offset)
    }.map(\.element)
    rows += front.map { ["\(last)s,\($0),launch"] } ?? ["\(last)s,,home"]
    rows += ["\(last + 5)s,,system-memory,200000MiB", "\(last + 6)s,,end"]
    let trace = try Trace(rows: rows.joined(separator: "\n"))
    if !example.processes.isEmpty {
      scenario.configuration.groups = KillUnits.numbers(
        of: trace.apps.map { example.processes[Int($0.dropFirst(3)) ?? 0] })
    }
    scenario.policy = "firefox-tabs:keep=\(Self.keep),idle=1ms"
    let replayed = try scenario.replay(rows.joined(separator: "\n"), on: .fast)
    // First those that are suspended go, then those that play, then the one in front.
    let order = replayed.story(.purge, .kill).map { String($0.split(separator: " ")[1]) }
    // Whoever loses the one in front opens it again.
    #expect(order.prefix(example.order.count) == example.order.map { "tab\($0)" }[...])
  }

  private static func seconds(_ row: String) -> Int { Int(row.prefix { $0 != "s" }) ?? 0 }

  // MARK: Firefox for Android

  @Test("F54: leaving the user interface alone ends no app")
  func hidden() throws {
    var scenario = Scenario(ramMiB: 1024, pressure: .androidLMKD)
    for app in ["a", "b", "c"] { scenario = scenario.app(app, MiB: 50) }
    let replayed = try scenario.replay(
      "0s,a,launch\n10s,b,launch\n20s,c,launch\n30s,,home\n90s,,end", on: .fast)
    #expect(replayed.story(.message).contains { $0.hasPrefix("30s c ") && $0.contains("Hidden") })
    #expect(replayed.story(.purge, .kill) == [])
  }

  @Test("F55: really short memory takes all but the three most recent and the one in front")
  func critical() throws {
    var scenario = Scenario(ramMiB: 1000)
    scenario.policy = "lru"
    scenario.modifiers = "+recent=3"
    for app in ["custom", "two", "four", "four-too", "seven", "ten", "private"] {
      scenario = scenario.app(app, MiB: 20)
    }
    // The custom tab was never in front.
    let replayed = try scenario.replay(
      """
      0s,custom,background-launch
      1s,two,launch
      2s,four,launch
      4s,four-too,launch
      4s,seven,launch
      7s,ten,launch
      10s,private,launch
      100s,,system-memory,2000MiB
      101s,,end
      """, on: .fast)
    let victims = replayed.story(.purge).map { String($0.split(separator: " ")[1]) }
    #expect(victims.prefix(2) == ["custom", "two"])
    // One of the two that were left at the same time.
    #expect(victims.dropFirst(2).map { $0.prefix(4) } == ["four"])
  }
}
