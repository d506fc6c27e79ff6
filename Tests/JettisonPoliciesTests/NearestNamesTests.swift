import Testing

@testable import JettisonCore

@Suite("Names that somebody may have meant")
struct NearestNamesTests {
  @Test(
    "The same but for capitals, then few edits, then names in which it begins a word",
    arguments: [
      // "lur" stands within "restore_failures" too, where no word begins.
      ("LRU", ["lru"]), ("lur", ["lru"]), ("gdsff", ["gdsf"]), ("nothing", []), ("", []),
      (
        "lost_work",
        ["lost_work_seconds", "kill_lost_work_seconds", "system_lost_work_seconds"]
      ),
      // Two letters may stand anywhere.
      ("st", []),
    ])
  func order(_ name: String, _ expected: [String]) {
    let known =
      ["lru", "mru", "gdsf", "gds"] + MetricTable.summary.map(\.name)
    #expect(NearestNames.of(name, in: known) == expected)
  }

  @Test("A few names are listed; of many, the nearest and where all are")
  func lists() {
    func sentence(_ what: String, _ name: String, _ count: Int) -> String {
      ConfigurationError.unknown(
        what: what, name: name, known: (1...count).map { "name-\($0)" }
      ).description
    }
    #expect(
      sentence("policy", "nmae-3", 3)
        == "unknown policy 'nmae-3' (did you mean 'name-3'?); known: name-1, name-2, name-3")
    #expect(
      sentence("policy", "nmae-3", 40)
        == "unknown policy 'nmae-3' (did you mean 'name-3', 'name-1' or 'name-2'?); "
        + "'jettison policies' lists all 40")
    #expect(
      sentence("column", "xyzzy", 25)
        == "unknown column 'xyzzy'; known: name-1, name-2, name-3, name-4, name-5, name-6, "
        + "name-7, name-8 and 17 more")
    #expect(
      ConfigurationError.unknown(what: "app", name: "a", known: []).description
        == "unknown app 'a'; there is none")
  }
}
