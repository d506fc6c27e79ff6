internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The bytes of a database, ready to be opened where they are mapped.
///
/// SQLite reads a mapping as it reads a file, without locks, journals or names, so nothing can be
/// created beside a capture. Two things in the header stand in the way, and a database with either
/// is copied to a temporary file in which the header says otherwise:
///
/// * The database was last written with a log (`-wal`), as most on phones are. Such a log cannot be
///   read from a mapping. It holds the newest rows, so that one beside the file is a loss.
/// * The header counts more pages than the file has. SQLite refuses such a file; with the true
///   number it reads all that is left.
enum SQLiteImage {
  /// What every database begins with.
  static let magic = "SQLite format 3\0"

  /// Maps a database.
  ///
  /// Complexity: O(1), or O(bytes) for a database that has to be copied.
  static func map(
    _ input: TraceInput, issues: inout ImportIssues
  ) throws(TraceError) -> MappedFile {
    var header = Array(input.prefix.prefix(100))
    guard header.count == 100, header.span.starts(with: magic) else {
      throw TraceError(
        file: input.displayName, what: "is not a SQLite database",
        remedy: "one begins with 'SQLite format 3'")
    }
    let limit = databaseBytes(header)
    let file = try input.mapped(atMost: limit)
    if file.count > limit {
      issues.add(.info, "bytes that follow the last page of the database are not read")
    }
    let isLogged = header[18] == 2 || header[19] == 2
    noteCompanions(of: input, isLogged: isLogged, issues: &issues)
    var isChanged = isLogged
    if isLogged {
      header[18] = 1
      header[19] = 1
    }
    let pages = file.count / pageBytes(header)
    if bigEndian(header[28..<32]) > pages {
      issues.add(.dataLoss, "the file ends before its last page")
      for place in 0..<4 { header[31 - place] = UInt8(truncatingIfNeeded: pages >> (8 * place)) }
      // The number counts only if the change counter is that of the last change.
      header.replaceSubrange(92..<96, with: header[24..<28])
      isChanged = true
    }
    if !isChanged { return file }
    do throws(TraceFault) {
      var copy = try SpoolFile()
      var failure: TraceFault?
      file.withBytes { (bytes) in
        do throws(TraceFault) { try copy.append(bytes) } catch { failure = error }
      }
      if let failure { throw failure }
      try copy.write(header, at: 0)
      return try copy.map()
    } catch {
      throw TraceError(error, file: input.displayName)
    }
  }

  private static func pageBytes(_ header: [UInt8]) -> Int {
    let written = Int(bigEndian(header[16..<18]))
    return written == 1 ? 65536 : max(written, 512)
  }

  /// How many bytes a database has by its header, if that says so: an old program leaves the number
  /// of pages as it was, and then the number of the last change is not that of the counter.
  private static func databaseBytes(_ header: [UInt8]) -> Int {
    let pages = Int(bigEndian(header[28..<32]))
    guard pages > 0, header[24..<28] == header[92..<96] else { return .max }
    return pages * pageBytes(header)
  }

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Counts what is written beside the file and is not read.
  private static func noteCompanions(
    of input: TraceInput, isLogged: Bool, issues: inout ImportIssues
  ) {
    guard let path = input.path else {
      if isLogged {
        issues.add(.info, "the newest rows may be in a log (-wal) that does not come with a stream")
      }
      return
    }
    if hasBytes("\(path)-wal") {
      issues.add(
        .dataLoss,
        "the log beside the file (-wal) is not read: open a copy of both with sqlite3 and run "
          + "'PRAGMA wal_checkpoint(TRUNCATE)' first")
    }
    if hasBytes("\(path)-journal") {
      issues.add(
        .dataLoss,
        "a journal beside the file is not read, so that rows may be half written: open a copy of "
          + "both with sqlite3 first")
    }
  }

  private static func hasBytes(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_size > 0
  }
}
