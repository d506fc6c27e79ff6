internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// A SQLite database, read table by table in the order of its row numbers.
///
/// Only ordinary tables are read: a view or a virtual table of a hostile database could compute
/// without end or call functions. Damage costs the rows of the damaged pages.
struct SQLiteDatabase {
  /// The names of the ordinary tables, in lower case.
  let tables: Set<String>
  /// The names of views and virtual tables, in lower case.
  private let otherNames: Set<String>
  private let connection: SQLiteConnection

  /// How often the rows beyond damages of one table are looked for.
  private static let mostAttempts = 65_536
  /// A page holds fewer rows than this, as a rule.
  private static let attemptsPerStride = 512

  /// Opens a database.
  ///
  /// - Parameter issues: Takes damage and what lies beside the file and is not read.
  init(_ input: TraceInput, issues: inout ImportIssues) throws(TraceError) {
    let image = try SQLiteImage.map(input, issues: &issues)
    for toleratesDamage in [false, true] {
      guard let connection = SQLiteConnection(image, toleratesDamage: toleratesDamage),
        let names = Self.names(connection), toleratesDamage || names.isWhole
      else { continue }
      if toleratesDamage { issues.add(.dataLoss, "the list of tables is damaged") }
      tables = names.tables
      otherNames = names.others
      self.connection = connection
      return
    }
    throw TraceError(
      file: input.displayName, what: "is a SQLite database whose list of tables cannot be read",
      remedy: "save what is left with \"sqlite3 FILE '.recover' | sqlite3 NEW-FILE\"")
  }

  /// Whether an input begins as a database does.
  static func begins(_ prefix: Span<UInt8>) -> Bool { prefix.starts(with: SQLiteImage.magic) }

  private typealias Names = (tables: Set<String>, others: Set<String>, isWhole: Bool)

  private static func names(_ connection: SQLiteConnection) -> Names? {
    guard let row = connection.prepare("SELECT lower(name), type, rootpage FROM sqlite_master")
    else { return nil }
    var tables: Set<String> = []
    var others: Set<String> = []
    while true {
      let step = row.step()
      guard step == .row else { return (tables, others, step == .end) }
      guard let name = row.text(0) else { continue }
      // A virtual table has no page of its own.
      if row.text(1) == "table", let page = row.integer(2), page > 0 {
        tables.insert(name)
      } else if row.text(1) != "index" {
        others.insert(name)
      }
    }
  }

  /// Hands out the rows of a table, with the given columns in the given order.
  ///
  /// A table that is missing or no table at all, missing columns and damage are issues.
  ///
  /// - Parameters:
  ///   - table: Its name, in any case.
  ///   - columns: Their names; one that is missing holds nothing in every row.
  ///   - purpose: What is not known without the table, for the issue: "sizes are not known".
  ///   - body: Takes a row and its number.
  func forEachRow(
    of table: String, _ columns: [String], without purpose: String,
    issues: inout ImportIssues,
    _ body: (borrowing SQLiteRow, Int, inout ImportIssues) throws(TraceError) -> Void
  ) throws(TraceError) {
    guard tables.contains(table.lowercased()) else {
      if otherNames.contains(table.lowercased()) {
        issues.add(.error, "\(table) is a view and not read: \(purpose)")
      } else {
        issues.add(.info, "there is no table \(table): \(purpose)")
      }
      return
    }
    let present = self.columns(of: table)
    var terms = ["rowid"]
    for column in columns {
      let isPresent = present.contains(column.lowercased())
      if !isPresent { issues.add(.info, "table \(table) has no column \(column)") }
      terms.append(isPresent ? Self.quoted(column) : "NULL")
    }
    // Without an index, rows come in the order of their numbers, and a damaged index is no matter.
    let sql = "SELECT \(terms.joined(separator: ", ")) FROM main.\(Self.quoted(table)) NOT INDEXED"
    guard var rows = connection.prepare(sql) else {
      issues.add(.dataLoss, "table \(table) cannot be read")
      return
    }
    var last: Int64?
    var attempts = Self.mostAttempts
    while true {
      var step = rows.step()
      // Numbers rise in every sound table; pages in a circle show here.
      if step == .row, rows.integer(0).map({ $0 <= last ?? .min }) ?? true { step = .damaged }
      switch step {
      case .end: return
      case .row:
        let number = rows.integer(0) ?? 0
        last = number
        try body(rows, Int(number), &issues)
      case .tooLarge, .damaged:
        let what =
          step == .tooLarge ? "has a row of more than 16 MiB" : "is damaged, and rows are lost,"
        issues.add(.dataLoss, "table \(table) \(what) after this one", line: last.map { Int($0) })
        guard let rest = rowsAfterDamage(sql, after: last, &attempts) else { return }
        rows = rest
      }
    }
  }

  /// The rows of a table beyond a damage; nil if no more are found.
  ///
  /// A lost page takes a range of numbers with it. The next number that can be found is looked for
  /// one by one at first, then in longer strides.
  private func rowsAfterDamage(
    _ sql: String, after last: Int64?, _ attempts: inout Int
  ) -> SQLiteRow? {
    var number = last ?? 0
    var stride: Int64 = 1
    var attempt = 0
    while attempts > 0 {
      attempts -= 1
      attempt += 1
      let (next, isTooFar) = number.addingReportingOverflow(stride)
      if isTooFar { return nil }
      number = next
      if attempt % Self.attemptsPerStride == 0 { stride *= 2 }
      guard let probe = connection.prepare("\(sql) WHERE rowid >= \(number)") else { return nil }
      switch probe.step() {
      case .end: return nil
      case .row where probe.integer(0).map({ $0 >= number }) ?? false:
        return connection.prepare("\(sql) WHERE rowid >= \(number)")
      default: break
      }
    }
    return nil
  }

  /// The ordinary columns of a table, in lower case: not those that are computed.
  private func columns(of table: String) -> Set<String> {
    var names: Set<String> = []
    guard let row = connection.prepare("PRAGMA main.table_info(\(Self.quoted(table)))") else {
      return names
    }
    while row.step() == .row {
      if let name = row.text(1) { names.insert(name.lowercased()) }
    }
    return names
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
