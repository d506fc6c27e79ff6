internal import CSQLite
internal import JettisonSupport

/// A connection of the C library to the bytes of one database, which it cannot change.
///
/// A hostile database can neither run anything of its own (views, triggers, virtual tables and
/// functions in its schema are never used, see ``SQLiteDatabase``) nor keep the reader busy: a
/// statement ends after a number of steps that follows from the size of the file.
@safe
final class SQLiteConnection {
  /// Largest row in bytes.
  static let rowBytes: Int32 = 1 << 24
  /// After how many steps of its machine the library asks whether to go on.
  private static let stepsPerQuestion: Int32 = 4096

  /// How often a statement may still ask whether to go on.
  private final class Allowance {
    var questions = 0
  }

  // The pointer is used in this file alone and lives as long as the connection.
  private let handle: OpaquePointer
  private let image: MappedFile
  private let allowance = Allowance()

  /// Opens a database; nil if the library refuses.
  ///
  /// - Parameter toleratesDamage: Whether a schema that is damaged in part is used in part.
  init?(_ image: MappedFile, toleratesDamage: Bool) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
    let status = unsafe sqlite3_open_v2(":memory:", &opened, flags, nil)
    guard status == SQLITE_OK, let opened = unsafe opened else {
      unsafe sqlite3_close_v2(opened)
      return nil
    }
    unsafe handle = opened
    self.image = image
    let isTaken = image.withBytes { bytes in
      unsafe bytes.withUnsafeBytes { buffer in
        let start = unsafe UnsafeMutableRawPointer(mutating: buffer.baseAddress)
        let count = Int64(buffer.count)
        return unsafe sqlite3_deserialize(
          opened, "main", start?.assumingMemoryBound(to: UInt8.self), count, count,
          UInt32(SQLITE_DESERIALIZE_READONLY)) == SQLITE_OK
      }
    }
    guard isTaken else { return nil }
    defend(toleratesDamage: toleratesDamage)
  }

  deinit {
    unsafe sqlite3_close_v2(handle)
  }

  private func defend(toleratesDamage: Bool) {
    // "Writable" is the library's word for not giving up on a damaged schema; the bytes stay
    // read-only, and the defence that follows takes the writing away again.
    if toleratesDamage { run("PRAGMA writable_schema=ON") }
    let settings: [(Int32, Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
    ]
    for (option, value) in settings { _ = unsafe csqlite_configure(handle, option, value) }
    let limits: [(Int32, Int32)] = [
      (SQLITE_LIMIT_LENGTH, Self.rowBytes), (SQLITE_LIMIT_ATTACHED, 0),
      (SQLITE_LIMIT_VDBE_OP, 25_000), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
    for (limit, value) in limits { _ = unsafe sqlite3_limit(handle, limit, value) }
    run("PRAGMA cell_size_check=ON")
    run("PRAGMA query_only=ON")
    let context = unsafe Unmanaged.passUnretained(allowance).toOpaque()
    unsafe sqlite3_progress_handler(
      handle, Self.stepsPerQuestion,
      { context in
        guard let context = unsafe context else { return 1 }
        let allowance = unsafe Unmanaged<Allowance>.fromOpaque(context).takeUnretainedValue()
        allowance.questions -= 1
        return allowance.questions < 0 ? 1 : 0
      }, context)
  }

  private func run(_ sql: String) {
    unsafe sqlite3_exec(handle, sql, nil, nil, nil)
  }

  /// Prepares a statement; nil if it cannot be.
  ///
  /// A table of rows needs about one step per byte of the file; sixteen are allowed, and more for
  /// the schema.
  func prepare(_ sql: String) -> SQLiteRow? {
    allowance.questions = (image.count / Int(Self.stepsPerQuestion) + 1) * 16 + 256
    var statement: OpaquePointer?
    let status = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard status == SQLITE_OK, let statement = unsafe statement else { return nil }
    return unsafe SQLiteRow(statement, of: self)
  }
}

/// The current row of a statement.
///
/// A value has the type it is stored with: nothing is converted, so that damage shows.
@safe
struct SQLiteRow: ~Copyable {
  /// What a step led to.
  enum Step: Equatable {
    case row, end, tooLarge, damaged
  }

  private let statement: OpaquePointer
  // The statement must not outlive it.
  private let connection: SQLiteConnection

  fileprivate init(_ statement: OpaquePointer, of connection: SQLiteConnection) {
    unsafe self.statement = statement
    self.connection = connection
  }

  deinit {
    unsafe sqlite3_finalize(statement)
  }

  /// Goes to the next row.
  func step() -> Step {
    switch unsafe sqlite3_step(statement) {
    case SQLITE_ROW: .row
    case SQLITE_DONE: .end
    case SQLITE_TOOBIG: .tooLarge
    default: .damaged
    }
  }

  /// Whether a column holds nothing.
  func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  /// An integer; nil if the column holds something else.
  func integer(_ column: Int32) -> Int64? {
    guard unsafe sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_column_int64(statement, column)
  }

  /// A finite number; nil if the column holds something else.
  func number(_ column: Int32) -> Double? {
    switch unsafe sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER, SQLITE_FLOAT:
      let value = unsafe sqlite3_column_double(statement, column)
      return value.isFinite ? value : nil
    default: return nil
    }
  }

  /// A text; nil if the column holds something else or bytes that are no UTF-8.
  func text(_ column: Int32) -> String? {
    guard unsafe sqlite3_column_type(statement, column) == SQLITE_TEXT,
      let start = unsafe sqlite3_column_text(statement, column)
    else { return nil }
    // The count is that of the text just asked for.
    let count = Int(unsafe sqlite3_column_bytes(statement, column))
    let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
    return unsafe String(validating: bytes, as: UTF8.self)
  }
}
