import JettisonCore
import Testing

@testable import JettisonReports

@Suite("Tables and prose fit the terminal")
struct TextTableTests {
  private static func lines(_ table: TextTable, width: Int?) -> [String] {
    table.rendered(TextStyle(width: width)).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast().map(String.init)
  }

  @Test("Prose breaks at blanks, counts wide characters twice, and keeps words whole")
  func prose() {
    #expect(Prose.wrap("one two three", width: 7) == ["one two", "three"])
    #expect(Prose.wrap("one two three", width: 9, indent: 2) == ["  one two", "  three"])
    #expect(Prose.wrap("a incomprehensibly b", width: 5) == ["a", "incomprehensibly", "b"])
    #expect(Prose.wrap("写真 写真", width: 8) == ["写真", "写真"])
    #expect(Prose.wrap("写真 写真", width: 9) == ["写真 写真"])
    #expect(Prose.wrap("", width: 9) == [])
    #expect(Prose.paragraph("one two", TextStyle()) == "one two\n")
    #expect(Prose.paragraph("one two", TextStyle(width: 4)) == "one\ntwo\n")
  }

  @Test("A word too wide for its column goes on in the next line, after a sign if it can")
  func longWords() {
    #expect(
      Prose.fill("com.example.messages", width: 13) == ["com.example.", "messages"])
    #expect(Prose.fill("abcdefgh", width: 3) == ["abc", "def", "gh"])
    #expect(Prose.fill("  set in", width: 8) == ["  set in"])
    #expect(Prose.fill("", width: 8) == [""])
    // One column is too narrow for a wide character, which is shown all the same.
    #expect(Prose.fill("写真", width: 1) == ["写", "真"])
  }

  @Test("The width is that of COLUMNS if it makes sense, else 80 without a terminal")
  func width() {
    #expect(TextStyle.width(descriptor: -1, columns: "100") == 100)
    for columns in [nil, "", "wide", "0", "-5", "19", "100000"] {
      #expect(TextStyle.width(descriptor: -1, columns: columns) == 80, "\(columns ?? "none")")
    }
  }

  private static var policies: TextTable {
    var table = TextTable([
      .init("policy", .left), .init("work lost", .right), .init("interval", .right, rank: 2),
      .init("users", .right, rank: 1),
    ])
    table.add(["lru", "12 s", "-3 to 4 %", "7"])
    table.add(["landlord-loss", "4 s", "-33 to -4 %", "12"])
    return table
  }

  @Test("Columns leave that may, the least important first, and are named")
  func optionalColumns() {
    // policy 13, work lost 4 (in two lines), interval 11, users 5, and two blanks between.
    #expect(
      Self.lines(Self.policies, width: 39) == [
        "               work", "policy         lost     interval  users",
        "-------------  ----  -----------  -----", "lru            12 s    -3 to 4 %      7",
        "landlord-loss   4 s  -33 to -4 %     12",
      ])
    #expect(Self.policies.omitted(TextStyle(width: 39)) == [])
    #expect(Self.lines(Self.policies, width: 38).last == "landlord-loss   4 s     12")
    #expect(Self.policies.omitted(TextStyle(width: 38)) == ["interval"])
    #expect(Self.lines(Self.policies, width: 25).last == "landlord-loss   4 s")
    #expect(Self.policies.omitted(TextStyle(width: 25)) == ["interval", "users"])
  }

  @Test("An important column that does not fit does not keep out a narrower one")
  func narrowerColumn() {
    var table = TextTable([
      .init("a", .left), .init("b", .right, rank: 1), .init("c", .right, rank: 2),
    ])
    table.add(["x", "123456789", "1"])
    #expect(Self.lines(table, width: 5).last == "x  1")
  }

  @Test("Gaps shrink, or words go on in further lines, or the table goes on below")
  func narrow() {
    var table = TextTable([.init("app", .left), .init("n", .right), .init("why", .left)])
    table.add(["notes", "1", "pinned by the user for the whole of the trace"])
    #expect(Self.lines(table, width: 55).last?.hasPrefix("notes  1  pinned") == true)
    #expect(
      Self.lines(table, width: 54).last == "notes 1 pinned by the user for the whole of the trace")
    #expect(
      Self.lines(table, width: 40).suffix(2) == [
        "notes  1  pinned by the user for the", "          whole of the trace",
      ])
    #expect(
      Self.lines(table, width: 31) == [
        "app    n", "-----  -", "notes  1", "", "app    why", "-----  ------------------------",
        "notes  pinned by the user for", "       the whole of the trace",
      ])
  }

  @Test("Whatever is in a table, no line is wider than the terminal, and nothing is lost")
  func property() {
    for seed in 0..<200 {
      var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
      func next(_ count: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(count))
      }
      var table = TextTable(
        (0..<(2 + next(9))).map { position in
          .init("head \(position)", position == 0 || next(3) == 0 ? .left : .right)
        })
      for _ in 0..<(1 + next(4)) {
        table.add(
          table.columns.map { column in
            let letters = String(repeating: "m", count: 1 + next(11))
            guard column.alignment == .left else { return .init(letters) }
            let words = Array(repeating: letters, count: 1 + next(6))
            return .init(words.joined(separator: next(2) == 0 ? " " : "."))
          })
      }
      for width in [60, 80, 120] {
        let lines = Self.lines(table, width: width)
        #expect(lines.allSatisfy { TextStyle.displayWidth($0) <= width }, "seed \(seed)")
        let shown = lines.joined().reduce(0) { $0 + ($1 == "m" ? 1 : 0) }
        let parts = lines.count { $0.isEmpty } + 1
        let first = table.rows.reduce(0) { $0 + $1[0].text.count { $0 == "m" } }
        let all = table.rows.reduce(0) { $0 + $1.reduce(0) { $0 + $1.text.count { $0 == "m" } } }
        #expect(shown == all + (parts - 1) * first, "seed \(seed), width \(width)")
      }
    }
  }
}
