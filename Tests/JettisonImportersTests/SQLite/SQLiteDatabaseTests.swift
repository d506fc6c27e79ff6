import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

@Suite("SQLite databases")
struct SQLiteDatabaseTests {
  /// A table of several pages of 512 bytes.
  private static let long = """
    PRAGMA page_size=512;
    CREATE TABLE other(x);
    CREATE TABLE numbers(id INTEGER PRIMARY KEY, n INTEGER, filler TEXT);
    WITH RECURSIVE i(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM i WHERE x<200)
    INSERT INTO numbers SELECT x, x*x, 'a row long enough to fill pages soon' FROM i;
    CREATE INDEX by_n ON numbers(n);
    """
  private static let squares = (1...200).map { Int64($0 * $0) }

  @Test("Values have the types they are stored with, and columns are found by name")
  func types() throws {
    let bytes = try SQLiteFixture.bytes(
      """
      CREATE TABLE "od""d"(a, b, c, d AS (a), e);
      INSERT INTO "od""d"(a, b, c, e) VALUES
        (1, 2.5, 'text', NULL), ('2', 3, x'00FF', 9e999), (CAST(x'FF' AS TEXT), 'a' || char(0), 5, 6);
      """)
    var issues = ImportIssues()
    var read: [String] = []
    try withScratchFolder { folder in
      let file = folder.appendingPathComponent("a ?#%.sqlite")
      try Data(bytes).write(to: file)
      let database = try SQLiteDatabase(
        try TraceInput(path: file.path, formats: .all), issues: &issues)
      #expect(database.tables == ["od\"d"])
      try database.forEachRow(
        of: "OD\"d", ["C", "a", "b", "d", "e"], without: "-", issues: &issues
      ) { (row, number, _) in
        let integers = [1, 2, 3, 5].map { row.integer($0).map { "\($0)" } ?? "-" }
        let doubles = [1, 2, 3, 5].map { row.number($0).map { "\($0)" } ?? "-" }
        let texts = [1, 2, 3, 5].map { row.text($0).map { "\($0.utf8.count)" } ?? "-" }
        let isNothing = row.isNull(4)
        #expect(isNothing, "a column that is computed is none")
        read.append("\(number): \(integers) \(doubles) \(texts) \(row.isNull(5))")
      }
    }
    #expect(
      read == [
        #"1: ["-", "1", "-", "-"] ["-", "1.0", "2.5", "-"] ["4", "-", "-", "-"] true"#,
        #"2: ["-", "-", "3", "-"] ["-", "-", "3.0", "-"] ["-", "1", "-", "-"] false"#,
        #"3: ["5", "-", "-", "6"] ["5.0", "-", "-", "6.0"] ["-", "-", "2", "-"] false"#,
      ])
    #expect(issues.all.map(\.text) == ["table OD\"d has no column d"])
  }

  @Test("Rows come in the order of their numbers, whatever an index says")
  func order() throws {
    let read = try SQLiteFixture.column("n", of: "numbers", in: SQLiteFixture.bytes(Self.long))
    #expect(read.values == Self.squares)
    #expect(read.issues == [])
  }

  @Test("A missing table is reported, and neither views nor virtual tables are read")
  func noTables() throws {
    let bytes = try SQLiteFixture.bytes(
      """
      CREATE TABLE real(n); INSERT INTO real VALUES (1);
      CREATE VIEW endless AS WITH RECURSIVE i(n) AS (VALUES(1) UNION ALL SELECT n+1 FROM i)
        SELECT n FROM i;
      PRAGMA writable_schema=ON;
      INSERT INTO sqlite_master VALUES
        ('table', 'virtual', 'virtual', 0, 'CREATE VIRTUAL TABLE virtual USING absent');
      """)
    for (table, severity, what) in [
      ("gone", "info", "there is no table gone: nothing else"),
      ("endless", "error", "endless is a view and not read: nothing else"),
      ("virtual", "error", "virtual is a view and not read: nothing else"),
    ] {
      let read = try SQLiteFixture.column("n", of: table, in: bytes)
      #expect(read.values == [])
      #expect(read.issues == ["\(severity) \(what) @[]"])
    }
    #expect(try SQLiteFixture.column("n", of: "real", in: bytes).values == [1])
  }

  @Test("A table without row numbers and a row without measure are damage, not traps")
  func oddTables() throws {
    let bytes = try SQLiteFixture.bytes(
      """
      CREATE TABLE keyed(n INTEGER PRIMARY KEY) WITHOUT ROWID; INSERT INTO keyed VALUES (7);
      CREATE TABLE wide(n, blob); INSERT INTO wide VALUES (1, 0), (2, zeroblob(17 << 20)), (3, 0);
      """)
    let keyed = try SQLiteFixture.column("n", of: "keyed", in: bytes)
    #expect(keyed.values == [])
    #expect(keyed.issues == ["data-loss table keyed cannot be read @[]"])
    #expect(try SQLiteFixture.column("n", of: "wide", in: bytes).values == [1, 2, 3])
    let wide = try SQLiteFixture.column("blob", of: "wide", in: bytes)
    #expect(wide.values == [0, 0])
    #expect(
      wide.issues == ["data-loss table wide has a row of more than 16 MiB after this one @[1]"])
  }

  @Test("A database that was cut keeps the rows before the cut")
  func truncated() throws {
    let bytes = try SQLiteFixture.bytes(Self.long)
    var kept = 0
    for length in stride(from: bytes.count - 1, to: 512, by: -300) {
      guard
        let read = try? SQLiteFixture.column("n", of: "numbers", in: Array(bytes.prefix(length)))
      else { continue }
      #expect(Self.isPart(read.values))
      #expect(read.issues.first == "data-loss the file ends before its last page @[]")
      kept = max(kept, read.values.count)
    }
    #expect(kept == 200, "the index is last: without it all rows are there")
  }

  @Test("A lost page costs its own rows, and says after which")
  func hole() throws {
    let whole = try SQLiteFixture.bytes(Self.long)
    var bytes = whole
    // A leaf of the table (kind 13) in the middle: its first cell is size, then number.
    let leaves = stride(from: 512, to: bytes.count, by: 512).filter { bytes[$0] == 13 }
    let page = leaves[leaves.count / 2]
    let cell = page + (Int(bytes[page + 8]) << 8 | Int(bytes[page + 9]))
    let rows = Int(bytes[page + 3]) << 8 | Int(bytes[page + 4])
    #expect(bytes[cell + 1] < 0x80 && rows > 5, "one byte says the number")
    let first = Int(bytes[cell + 1])
    for place in page..<(page + 512) { bytes[place] = 0xFF }
    let read = try SQLiteFixture.column("n", of: "numbers", in: bytes)
    let lost = first..<(first + rows)
    #expect(read.values == Self.squares.enumerated().filter { !lost.contains($0.0 + 1) }.map(\.1))
    #expect(read.issues == [Self.loss(after: first - 1)])
  }

  private static func loss(after row: Int) -> String {
    "data-loss table numbers is damaged, and rows are lost, after this one @[\(row)]"
  }

  /// Whether numbers are some of the squares, in their order.
  private static func isPart(_ values: [Int64]) -> Bool {
    Set(values).isSubset(of: squares) && values == values.sorted()
      && Set(values).count == values.count
  }

  @Test("A changed byte costs rows at most, and never adds any")
  func flipped() throws {
    let bytes = try SQLiteFixture.bytes(Self.long)
    var whole = 0
    for place in stride(from: 100, to: bytes.count, by: 83) {
      var damaged = bytes
      damaged[place] ^= 0xFF
      guard let read = try? SQLiteFixture.column("n", of: "numbers", in: damaged) else { continue }
      #expect(read.values.count <= 200)
      if read.values == Self.squares { whole += 1 }
    }
    #expect(whole > 5, "bytes of indexes and fillers change nothing")
  }

  @Test("Pages in a circle end at the first row that comes again")
  func circle() throws {
    var bytes = try SQLiteFixture.bytes(Self.long)
    // The root of the table is an interior page (kind 5); each cell begins with a child.
    let root = try #require(
      stride(from: 512, to: bytes.count, by: 512).first { bytes[$0] == 5 })
    let cells = Int(bytes[root + 3]) << 8 | Int(bytes[root + 4])
    #expect(cells > 2)
    func cell(_ number: Int) -> Int {
      let entry = root + 12 + 2 * number
      return root + (Int(bytes[entry]) << 8 | Int(bytes[entry + 1]))
    }
    let first = Array(bytes[cell(0)..<(cell(0) + 4)])
    for number in 1..<cells {
      bytes.replaceSubrange(cell(number)..<(cell(number) + 4), with: first)
    }
    let read = try SQLiteFixture.column("n", of: "numbers", in: bytes)
    #expect(Self.isPart(read.values))
    // The first page, and the last, to which no cell leads.
    #expect(read.values.first == 1 && read.values.last == 40_000)
    #expect(read.values.count < 100)
    let gap = zip(read.values, read.values.dropFirst()).count { pair in
      Double(pair.1).squareRoot() - Double(pair.0).squareRoot() > 1.5
    }
    #expect(gap == 1)
    #expect(read.issues.count == 1 && read.issues[0].contains("rows are lost"))
  }

  @Test("A schema that is damaged in part still gives the tables that are sound")
  func damagedSchema() throws {
    let bytes = try SQLiteFixture.bytes(
      Self.long + """

        PRAGMA writable_schema=ON;
        UPDATE sqlite_master SET sql = 'CREATE TABLE other(' WHERE name = 'other';
        """)
    let read = try SQLiteFixture.column("n", of: "numbers", in: bytes)
    #expect(read.values == Self.squares)
    #expect(read.issues == ["data-loss the list of tables is damaged @[]"])
  }

  @Test("What lies beside a file and is not read is a loss, and a log is left alone")
  func companions() throws {
    try withScratchFolder { folder in
      let live = folder.appendingPathComponent("live.sqlite").path
      let copy = folder.appendingPathComponent("copy.sqlite").path
      let writer = try SQLiteWriter(live)
      try writer.run(
        """
        PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;
        CREATE TABLE t(n); INSERT INTO t VALUES (1); PRAGMA wal_checkpoint(TRUNCATE);
        INSERT INTO t VALUES (2);
        """)
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: live + suffix, toPath: copy + suffix)
      }
      let log = try Data(contentsOf: URL(fileURLWithPath: copy + "-wal"))
      try Data([1]).write(to: URL(fileURLWithPath: copy + "-journal"))
      var issues = ImportIssues()
      var values: [Int64] = []
      let database = try SQLiteDatabase(try TraceInput(path: copy, formats: .all), issues: &issues)
      try database.forEachRow(of: "t", ["n"], without: "-", issues: &issues) { (row, _, _) in
        values.append(row.integer(1) ?? 0)
      }
      #expect(values == [1])
      #expect(issues.all.map(\.severity) == [.dataLoss, .dataLoss])
      #expect(
        issues.all.map { $0.text.prefix(19) } == ["the log beside the ", "a journal beside th"])
      #expect(try Data(contentsOf: URL(fileURLWithPath: copy + "-wal")) == log)
      try writer.run("SELECT 1")
      #expect(!FileManager.default.fileExists(atPath: copy + "-shm"))
    }
  }

  @Test("A stream is read as a file is")
  func stream() throws {
    let bytes = try SQLiteFixture.bytes(
      "PRAGMA journal_mode=WAL; CREATE TABLE t(n); INSERT INTO t VALUES (5)")
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
    try pipe.fileHandleForWriting.close()
    let input = try TraceInput(
      descriptor: dup(pipe.fileHandleForReading.fileDescriptor), displayName: "<stdin>", path: nil)
    var issues = ImportIssues()
    var values: [Int64?] = []
    let database = try SQLiteDatabase(input, issues: &issues)
    try database.forEachRow(of: "t", ["n"], without: "-", issues: &issues) { (row, _, _) in
      values.append(row.integer(1))
    }
    #expect(values == [5])
    #expect(
      issues.all.map(\.text)
        == ["the newest rows may be in a log (-wal) that does not come with a stream"])
  }

  @Test("Other databases are refused by what they are")
  func refusals() throws {
    let other = try SQLiteFixture.bytes("CREATE TABLE bookmarks(url)")
    let error = #expect(throws: TraceError.self) { try load(other, file: "other.sqlite") }
    #expect(error?.what == "is a SQLite database of an unknown kind")
    #expect(error?.remedy.contains("digital-wellbeing and powerlog") == true)
    let empty = #expect(throws: TraceError.self) {
      try load(Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 600))
    }
    #expect(empty?.exitStatus == 65)
    let text = #expect(throws: TraceError.self) { try load("not one", as: .powerLog) }
    #expect(text?.what == "is not a SQLite database")
  }
}
