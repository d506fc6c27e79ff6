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

  /// Size of the file in bytes; 0 if there is none.
  var size: Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
