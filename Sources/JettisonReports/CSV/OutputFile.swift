#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that appears under its name only when it is whole.
///
/// It is created at once, under a temporary name in the same directory, so that a place that
/// cannot be written is found before any work is done. ``publish()`` gives it its name; a file
/// that is dropped before leaves nothing behind.
package final class OutputFile {
  /// Bytes held back before they are written.
  private static let capacity = 1 << 16

  /// Name under which the file appears; what messages call it.
  package let path: String
  private let temporaryPath: String?
  private var descriptor: Int32
  private let ownsDescriptor: Bool
  private var buffer: [UInt8] = []
  private var isPublished = false

  /// Creates a file that will appear at `path`.
  package init(path: String) throws(ReportError) {
    self.path = path
    self.ownsDescriptor = true
    if FileSystem.isDirectory(path) { throw .fileNotCreatable(path: path, code: EISDIR) }
    let (directory, name) = FileSystem.split(path)
    var code: Int32 = EEXIST
    // A process that was killed may have left its temporary file, and pids come round again.
    for attempt in 0..<100 {
      let candidate = "\(directory).\(name).\(getpid()).\(attempt).tmp"
      let opened = unsafe open(candidate, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if opened >= 0 {
        descriptor = opened
        temporaryPath = candidate
        return
      }
      code = errno
      if code != EEXIST { break }
    }
    throw .fileNotCreatable(path: path, code: code)
  }

  /// Writes to an open descriptor, such as standard output, which stays open.
  package init(descriptor: Int32, name: String) {
    self.path = name
    self.descriptor = descriptor
    self.ownsDescriptor = false
    self.temporaryPath = nil
  }

  deinit {
    if ownsDescriptor, descriptor >= 0 { close(descriptor) }
    if let temporaryPath, !isPublished { _ = unsafe unlink(temporaryPath) }
  }

  /// Adds bytes.
  ///
  /// They reach the file when enough have come together.
  package func write(_ bytes: borrowing [UInt8]) throws(ReportError) {
    buffer.append(contentsOf: copy bytes)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Adds text.
  package func write(_ text: String) throws(ReportError) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Hands everything to the system.
  package func flush() throws(ReportError) {
    let path = self.path
    let descriptor = self.descriptor
    let code = unsafe buffer.withUnsafeBytes { bytes -> Int32 in
      unsafe FileSystem.writeAll(bytes, to: descriptor)
    }
    buffer.removeAll(keepingCapacity: true)
    guard code == 0 else {
      throw code == EPIPE ? .closedPipe(path: path) : .writeFailed(path: path, code: code)
    }
  }

  /// Hands everything to the system and closes the file, still under its temporary name.
  ///
  /// Disks that are full, or far away, say so at the latest here.
  package func complete() throws(ReportError) {
    guard descriptor >= 0 else { return }
    try flush()
    guard ownsDescriptor else { return }
    let closing = descriptor
    descriptor = -1
    guard close(closing) == 0 else { throw .writeFailed(path: path, code: errno) }
  }

  /// Gives the complete file its name, replacing one that was there.
  package func publish() throws(ReportError) {
    try complete()
    guard let temporaryPath, !isPublished else { return }
    guard unsafe rename(temporaryPath, path) == 0 else {
      throw .writeFailed(path: path, code: errno)
    }
    isPublished = true
  }

  /// Closes the file and leaves it under its temporary name, which is returned; from now on the
  /// caller owns it.
  func detach() throws(ReportError) -> String {
    try complete()
    isPublished = true
    return temporaryPath ?? path
  }

  /// Adds the contents of another file.
  ///
  /// - Complexity: O(size); holds one buffer.
  package func append(contentsOf source: String) throws(ReportError) {
    try flush()
    let input = unsafe open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw .writeFailed(path: path, code: errno) }
    defer { close(input) }
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { bytes in
        unsafe read(input, bytes.baseAddress, bytes.count)
      }
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR { continue }
        throw .writeFailed(path: path, code: errno)
      }
      let target = descriptor
      let code = unsafe chunk.withUnsafeBytes { bytes in
        unsafe FileSystem.writeAll(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: target)
      }
      guard code == 0 else {
        throw code == EPIPE ? .closedPipe(path: path) : .writeFailed(path: path, code: code)
      }
    }
  }
}

/// The few questions to the file system that reports ask.
package enum FileSystem {
  /// Makes a directory and those above it, unless they exist.
  package static func makeDirectory(_ path: String) throws(ReportError) {
    guard !path.isEmpty else { throw .directoryNotCreatable(path: path, code: ENOENT) }
    if isDirectory(path) { return }
    var prefix = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      prefix += part
      if unsafe mkdir(prefix, 0o777) != 0 {
        let code = errno
        // Some systems answer EACCES or EROFS for a directory that exists already.
        guard isDirectory(prefix) else {
          throw .directoryNotCreatable(path: path, code: code == EEXIST ? ENOTDIR : code)
        }
      }
      prefix += "/"
    }
  }

  /// Whether there is a directory at a path.
  package static func isDirectory(_ path: String) -> Bool {
    var info = stat()
    return unsafe stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }

  /// Removes a file; one that is gone already is as good.
  static func remove(_ path: String) {
    _ = unsafe unlink(path)
  }

  /// Lets writing to a closed pipe fail with an error instead of ending the process.
  ///
  /// To be called once, before the first byte is written.
  package static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// The directory of a path, with its slash, and the name.
  static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }

  /// Writes all bytes; returns 0 or the system's error code.
  static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = unsafe bytes
    while let start = rest.baseAddress, rest.count > 0 {
      let count = unsafe write(descriptor, start, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return 0
  }
}
