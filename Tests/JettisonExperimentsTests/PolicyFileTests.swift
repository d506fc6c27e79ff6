import Foundation
import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import JettisonTraces
import Testing

@testable import JettisonExperiments

/// Policies of one's own in YAML.
struct PolicyFileTests {
  struct Mistake: CustomTestStringConvertible {
    let text: String
    /// What is said after the path.
    let sentence: String
    var testDescription: String { sentence }

    init(_ text: String, _ sentence: String) {
      self.text = text
      self.sentence = sentence
    }
  }

  private func read(_ text: String) throws -> PolicyFile {
    try withScratchFolder { folder in
      let file = folder.appendingPathComponent("own.yaml")
      try Data(text.utf8).write(to: file)
      return try PolicyFile(file.path)
    }
  }

  private static let known =
    "known: " + CandidateVariable.allCases.map(\.name).joined(separator: ", ")

  static let mistakes: [Mistake] = [
    Mistake("", ": is empty (write 'name:' and 'order:')"),
    Mistake("- a\n", ":1:1: is not a mapping (write 'key: value' lines)"),
    Mistake("order: [age]\n", ": key 'name' is missing (write 'name: my-policy')"),
    Mistake("name: a\n", ": key 'order' is missing (write 'order: [idle_time desc]')"),
    Mistake(
      "name: a\norder: []\n", ":2:1: an order of 0 keys (write 1 to 32 expressions)"),
    Mistake(
      "name: a\norder: [\(String(repeating: "age, ", count: 33))]\n",
      ":2:1: an order of 33 keys (write 1 to 32 expressions)"),
    Mistake(
      "name: a\norder: [age]\nordr: 1\n",
      ":3:1: unknown key 'ordr' (did you mean 'order'?); known: name, description, order, modifiers"
    ),
    Mistake(
      "name: a\norder:\n  - {a: 1}\n",
      ":3:5: a key that is not an expression (write one such as 'idle_time desc')"),
    Mistake(
      "name: \"a b\"\norder: [age]\n",
      ":1:7: 'a b' cannot name a policy (use letters, digits and - _ . such as my-policy)"),
    Mistake(
      "name: lru\norder: [age]\n",
      ":1:7: the name 'lru' is taken by a policy of Jettison (choose another)"),
    Mistake(
      "name: all\norder: [age]\n",
      ":1:7: the name 'all' is taken by a policy of Jettison (choose another)"),
    Mistake(
      "name: program\norder: [age]\n",
      ":1:7: the name 'program' is taken by a policy of Jettison (choose another)"),
    // A plain text on a line of its own.
    Mistake(
      "name: a\norder:\n  - age\n  - 2 * footprnt desc\n",
      """
      :4:9: unknown name 'footprnt' (did you mean 'footprint'?); \(known)
          - 2 * footprnt desc
                ^
      """),
    // Comments and tabs of the line are shown, and do not move the mark.
    Mistake(
      "name: a\norder:\n  - age < footprint\t# why\n",
      """
      :3:9: '<' cannot join time and bytes (divide each by a unit: idle_time / 1s)
          - age < footprint # why
                ^
      """),
    // One key without a list.
    Mistake(
      "name: a\norder: age +\n",
      """
      :2:13: a value is missing before the end (write a name, a number or a parenthesis there)
        order: age +
                    ^
      """),
    // In quotes, in a list on one line.
    Mistake(
      "name: a\norder: [\"age\", 'max(age, 1)']\n",
      """
      :2:26: 'max' cannot join time and a plain number (give the number a unit: 100MB, 30s)
        order: ["age", 'max(age, 1)']
                                 ^
      """),
    // Over two lines.
    Mistake(
      "name: a\norder:\n  - age\n    + footprint\n",
      """
      :4:5: '+' cannot join time and bytes (divide each by a unit: idle_time / 1s)
            + footprint
            ^
      """),
    Mistake(
      "name: a\norder:\n  - >-\n    age\n    + é\n",
      """
      :5:7: unexpected 'é'
            + é
              ^
      """),
    // In an escape.
    Mistake(
      "name: a\norder: [\"age +\\x01\"]\n",
      """
      :2:15: unexpected 'U+1'
        order: ["age +\\x01"]
                      ^
      """),
    // What YAML itself refuses.
    Mistake(
      "name: a\norder: [!x age]\n",
      ":2:9: a tag (take it off; a text that begins with '!' needs quotes)"),
    Mistake(
      "name: a\norder: [age]\nmodifiers: [{a: b}]\n",
      ":3:13: a modifier that is not a word (write [saved])"),
  ]

  @Test("A mistake in a policy file is reported with its place", arguments: mistakes)
  func mistake(mistake: Mistake) throws {
    let error = try #require(throws: ExperimentError.self) { _ = try read(mistake.text) }
    let text = error.description
    let place = try #require(text.range(of: "own.yaml"))
    #expect(String(text[place.upperBound...]) == mistake.sentence)
    guard case .input(let found) = error else {
      Issue.record("a mistake in a file is malformed input")
      return
    }
    #expect(found.exitStatus == 65)
  }

  @Test("Only the neighbourhood of a mistake is shown of a long line")
  func longLine() throws {
    let deep = String(repeating: "(", count: 100_000)
    let error = try #require(throws: ExperimentError.self) {
      _ = try read("name: a\norder:\n  - \(deep)1\n")
    }
    let lines = error.description.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(
      lines[0].hasSuffix(
        ":3:69: an expression nested deeper than 64 levels (spread it over several keys)"))
    #expect(lines[1] == "  …" + String(repeating: "(", count: 120) + "…")
    #expect(lines[2] == String(repeating: " ", count: 63) + "^")
  }

  @Test("No damage to a file makes the reader trap, and every mistake has a place in it")
  func fuzz() throws {
    let seed: UInt64 = 31
    var random = SplitMix64(seed: seed)
    let good = Array(
      """
      name: drafts-last
      description: "Purges drafts last."
      order:
        - unsaved_work > 0   # é
        - 'idle_time desc'
        - "footprint / (launch_cost
            + 100ms) desc"
      modifiers: [saved]
      """.utf8)
    let pieces = [
      "\n", "\r", "\u{85}", "\u{2028}", "\t", "\"", "'", "\\", "- ", ": ", "#", "|", ">",
    ]
    .map { Array($0.utf8) }
    try withScratchFolder { folder in
      let file = folder.appendingPathComponent("own.yaml")
      for round in 0..<3000 {
        var bytes = good
        for _ in 0..<(1 + random.next() % 4) {
          let place = Int(random.next() % UInt64(bytes.count))
          switch random.next() % 4 {
          case 0: bytes.remove(at: place)
          case 1: bytes[place] = UInt8(random.next() % 256)
          case 2: bytes.removeSubrange(place..<min(bytes.count, place + 5))
          default:
            let piece = pieces[Int(random.next() % UInt64(pieces.count))]
            bytes.insert(contentsOf: piece, at: place)
          }
          if bytes.isEmpty { bytes = good }
        }
        try writeScratch(bytes, to: file)
        do throws(ExperimentError) {
          _ = try PolicyFile(file.path)
        } catch {
          guard case .input(let found) = error else {
            Issue.record("seed \(seed), round \(round): \(error)")
            continue
          }
          #expect(found.exitStatus == 65, "seed \(seed), round \(round)")
          #expect(found.line ?? 1 <= 40, "seed \(seed), round \(round)")
        }
      }
    }
  }

  @Test("A file that is not there is missing input")
  func missing() throws {
    let error = try #require(throws: ExperimentError.self) { _ = try PolicyFile("nowhere.yaml") }
    #expect(
      error.description
        == "nowhere.yaml: cannot be read: No such file or directory (check the name)")
    guard case .input(let found) = error else { return }
    #expect(found.exitStatus == 66)
  }

  @Test("A path ends at its extension, what follows belongs to the run")
  func split() {
    func parts(_ text: String) -> [String] {
      PolicyFile.split(text).map { [$0.path, $0.rest] } ?? []
    }
    #expect(parts("own.yaml") == ["own.yaml", ""])
    #expect(parts("a/b.yml+saved") == ["a/b.yml", "+saved"])
    #expect(parts("own.yaml+saved+recent=2") == ["own.yaml", "+saved+recent=2"])
    #expect(parts("own.yaml:a=1") == ["own.yaml", ":a=1"])
    #expect(parts("c++/own.yaml+saved") == ["c++/own.yaml", "+saved"])
    #expect(parts("lru+saved") == [])
    #expect(parts("program:command=order.yaml") == [])
    #expect(parts("own.json") == [])
  }

  @Test("A file is a policy with its name, its description and its modifiers")
  func reading() throws {
    let file = try read(
      """
      name: drafts-last
      description: Purges drafts last.
      modifiers: [saved]
      order:
        - unsaved_work > 0
        - idle_time desc
      """)
    #expect(file.descriptor.name == "drafts-last")
    #expect(file.descriptor.summary == "Purges drafts last.")
    #expect(file.descriptor.family == "own")
    #expect(file.descriptor.details.contains("'unsaved_work > 0', then 'idle_time desc'"))
    #expect(file.keys.map(\.text) == ["unsaved_work > 0", "idle_time desc"])
    let spec = try file.spec("")
    #expect(spec.name == "drafts-last")
    #expect(spec.modifiers.isSavedFirst)
    let plain = try read("name: b\norder: idle_time desc\n")
    #expect(plain.descriptor.summary == "Orders apps by 'idle_time desc'.")
    #expect(try !plain.spec("").modifiers.isSavedFirst)
    #expect(try plain.spec("+saved").name == "b+saved")
    #expect(throws: ConfigurationError.self) { _ = try plain.spec(":a=1") }
    // Reports tell one definition from another, not one file from another.
    let hash = file.descriptor.definitionHash
    #expect(hash != nil && hash != plain.descriptor.definitionHash)
    let renamed = "name: c\norder: ['idle_time desc']\ndescription: Same.\n"
    #expect(try read(renamed).descriptor.definitionHash == plain.descriptor.definitionHash)
    let saved = try read("name: b\norder: idle_time desc\nmodifiers: saved\n")
    #expect(saved.descriptor.definitionHash != plain.descriptor.definitionHash)
    #expect(PolicyRegistry.all.allSatisfy { $0.definitionHash == nil })
  }

  @Test("Files stand among other policies, by path, with modifiers, and as the baseline by name")
  func planning() throws {
    try withScratchFolder { folder in
      let path = folder.appendingPathComponent("own.yaml").path
      try Data("name: mine\norder: [idle_time desc]\n".utf8)
        .write(to: URL(fileURLWithPath: path))
      var options = SpecificationText()
      options.add(.policies, ["lru,\(path),\(path)+saved"])
      #expect(
        try options.specification(for: .compare).policies?.map(\.name)
          == ["lru", "mine", "mine+saved"])
      options.add(.baseline, "mine+saved")
      #expect(try RunPlanner(options.specification(for: .compare)).plan([]).baseline == 2)
      options.add(.baseline, path)
      #expect(try RunPlanner(options.specification(for: .compare)).plan([]).baseline == 1)
      options.add(.policies, ["\(path),\(path)"])
      let error = try #require(throws: ExperimentError.self) {
        _ = try RunPlanner(options.specification(for: .compare)).plan([])
      }
      #expect(error.description.hasSuffix("it is asked for twice; name it once"))
    }
  }

  @Test("Policy files of an experiment file are looked for beside it")
  func experimentFile() throws {
    try withScratchFolder { folder in
      let experiment = folder.appendingPathComponent("experiment.yaml").path
      try Data(
        "traces: [a.csv]\npolicies: [\"lru,own.yaml+saved\", size]\nbaseline: own.yaml\n".utf8
      ).write(to: URL(fileURLWithPath: experiment))
      var options = SpecificationText()
      options.traces = [experiment]
      let expanded = try ExperimentFile.expand(options)
      #expect(
        expanded.texts(.policies) == ["lru", "\(folder.path)/own.yaml+saved", "size"])
      #expect(expanded.text(.baseline) == "\(folder.path)/own.yaml")
    }
  }
}
