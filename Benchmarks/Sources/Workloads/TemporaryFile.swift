#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file name that nobody else has, in `TMPDIR` or `/tmp`; its file is removed at the end.
final class TemporaryFile: Sendable {
  let path: String

  init(suffix: String) {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    path = "\(folder)/jettison-benchmark-\(getpid())\(suffix)"
  }

  deinit {
    _ = unsafe unlink(path)
  }

  /// Makes the file of bytes; false if it cannot be written.
  func write(_ bytes: [UInt8]) -> Bool {
    guard let file = unsafe fopen(path, "w") else { return false }
    let written = unsafe fwrite(bytes, 1, bytes.count, file)
    return unsafe fclose(file) == 0 && written == bytes.count
  }

  /// Size of the file in bytes; 0 if there is none.
  var size: Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
