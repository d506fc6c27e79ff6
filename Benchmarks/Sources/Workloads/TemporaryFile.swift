#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file in a folder of its own, in `TMPDIR` or `/tmp`; both are removed at the end.
///
/// Its name is always the same: what a capture is called may be part of its trace.
final class TemporaryFile: Sendable {
  let path: String
  private let folder: String

  init(suffix: String) {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/jettison-benchmark-XXXXXX".utf8CString)
    precondition(unsafe mkdtemp(&template) != nil, "no folder can be made in \(parent)")
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    path = "\(folder)/capture\(suffix)"
  }

  deinit {
    _ = unsafe unlink(path)
    _ = unsafe rmdir(folder)
  }

  /// Makes the file of bytes; false if it cannot be written.
  func write(_ bytes: [UInt8]) -> Bool { Self.write(bytes, to: path) }

  /// Makes a file of bytes anywhere; false if it cannot be written.
  static func write(_ bytes: [UInt8], to path: String) -> Bool {
    guard let file = unsafe fopen(path, "w") else { return false }
    let written = unsafe fwrite(bytes, 1, bytes.count, file)
    return unsafe fclose(file) == 0 && written == bytes.count
  }

  /// Makes a database of statements; false if it cannot be made.
  func makeDatabase(_ sql: String) -> Bool {
    guard let pipe = unsafe popen("sqlite3 '\(path)'", "w") else { return false }
    // One transaction: a row alone would wait for the disk.
    let text = Array("BEGIN;\n\(sql)COMMIT;\n".utf8)
    let written = unsafe fwrite(text, 1, text.count, pipe)
    return unsafe pclose(pipe) == 0 && written == text.count
  }

  /// Size of the file in bytes; 0 if there is none.
  var size: Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
