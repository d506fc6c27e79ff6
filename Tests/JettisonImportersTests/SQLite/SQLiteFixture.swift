import CSQLite
import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

/// Databases made by hand.
enum SQLiteFixture {
  /// The bytes of a database after some statements.
  static func bytes(_ sql: String) throws -> [UInt8] {
    try withScratchFolder { folder in
      let path = folder.appendingPathComponent("made.sqlite").path
      try make(sql, at: path)
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
  }

  /// Writes a database to a file.
  static func make(_ sql: String, at path: String) throws {
    try SQLiteWriter(path).run(sql)
  }

  /// What a database in a file says about itself to the `sqlite3` command; nil without it.
  static func query(_ sql: String, of path: String) throws -> [String]? {
    let tool = "/usr/bin/sqlite3"
    guard FileManager.default.isExecutableFile(atPath: tool) else { return nil }
    let result = try Command.run([tool, "-readonly", "file:\(path)?mode=ro&immutable=1", sql])
    #expect(result.status == 0, "\(result.error)")
    return result.output.split(separator: "\n").map(String.init)
  }

  /// Reads one column of a table, as far as it goes.
  static func column(
    _ name: String, of table: String, in bytes: [UInt8]
  ) throws -> (values: [Int64], issues: [String]) {
    var issues = ImportIssues()
    var values: [Int64] = []
    try withScratchFolder { folder in
      let file = folder.appendingPathComponent("read.sqlite")
      try Data(bytes).write(to: file)
      let database = try SQLiteDatabase(
        try TraceInput(path: file.path, formats: .all), issues: &issues)
      try database.forEachRow(of: table, [name], without: "nothing else", issues: &issues) {
        (row, _, _) in
        if let value = row.integer(1) { values.append(value) }
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(left == ["read.sqlite"], "nothing is made beside a capture")
    }
    return (values, issues.all.map { "\($0.severity.name) \($0.text) @\($0.lines)" })
  }
}

/// A database open for writing, for as long as the value lives.
@safe
final class SQLiteWriter {
  private let connection: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let status = unsafe sqlite3_open(path, &opened)
    try #require(status == SQLITE_OK)
    guard let opened = unsafe opened else { throw CocoaError(.fileWriteUnknown) }
    unsafe connection = opened
    // Nobody misses these files after a loss of power.
    try run("PRAGMA synchronous=OFF")
  }

  deinit {
    unsafe sqlite3_close(connection)
  }

  /// Runs statements.
  func run(_ sql: String) throws {
    let status = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
    let message = unsafe String(cString: sqlite3_errmsg(connection))
    try #require(status == SQLITE_OK, "\(message)")
  }
}

/// Cuts a database at many places and changes its bytes: a reader may refuse with a ``TraceError``
/// or count issues, and nothing else.
///
/// Refusals are counted, so that a reader that refuses everything is noticed.
func checkDatabaseDamage(
  _ bytes: [UInt8], as format: TraceFormat, seed: UInt64 = 11, mutations: Int = 150
) throws {
  var reads = 0
  func read(_ bytes: [UInt8], _ what: String) {
    do {
      _ = try load(bytes, as: format, file: "capture.sqlite")
      reads += 1
    } catch is TraceError {
      // Refused with a place and a reason: that is what is asked for.
    } catch {
      Issue.record("\(what): \(error)")
    }
  }
  for length in stride(from: 0, to: bytes.count, by: 512) {
    read(Array(bytes.prefix(length)), "cut at \(length)")
  }
  for length in 0..<128 { read(Array(bytes.prefix(length)), "cut at \(length)") }
  var random = SplitMix64(seed: seed)
  for mutation in 0..<mutations {
    var damaged = bytes
    for _ in 0...Int(random.next() % 8) {
      damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
    }
    // A page of one thing is what a bad block of a disk looks like.
    if mutation % 5 == 0 {
      let page = Int(random.next() % UInt64(bytes.count / 512)) * 512
      for place in page..<(page + 512) { damaged[place] = UInt8(mutation & 0xFF) }
    }
    read(damaged, "mutation \(mutation) of seed \(seed)")
  }
  #expect(reads > mutations / 4)
}
