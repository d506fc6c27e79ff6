#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where bytes go: a file that appears under its name only when it is whole, a stream, or memory.
package struct ByteSink: ~Copyable {
  private static let batch = 1 << 18

  /// The output as the user named it.
  package let displayName: String
  private var buffer: [UInt8] = []
  /// Negative: bytes are collected in memory.
  private let descriptor: Int32
  /// The file while it is written, and the name that it gets at the end.
  private let renaming: (temporary: String, final: String)?
  private var isDone = false
  /// Number of bytes taken so far.
  package private(set) var count = 0

  /// Collects in memory.
  package init() {
    displayName = "memory"
    descriptor = -1
    renaming = nil
  }

  /// Writes to a file, or to standard output for `-`.
  ///
  /// A regular file is written under a temporary name beside it and renamed by ``finish()``, so
  /// that a file that exists is whole.
  package init(path: String) throws(TraceError) {
    let opened = try Self.create(path)
    displayName = path == "-" ? "<stdout>" : path
    descriptor = opened.descriptor
    renaming = opened.renaming
    buffer.reserveCapacity(Self.batch)
  }

  private static func create(
    _ path: String
  ) throws(TraceError) -> (descriptor: Int32, renaming: (temporary: String, final: String)?) {
    if path == "-" {
      let descriptor = dup(STDOUT_FILENO)
      if descriptor < 0 { throw failure(.notCreatable, "<stdout>", "cannot be written") }
      return (descriptor, nil)
    }
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR {
      throw TraceError(
        .misuse, file: path, what: "is a directory", remedy: "name a file in it")
    }
    let isSpecial = exists && status.st_mode & S_IFMT != S_IFREG
    let temporary = "\(path).\(getpid()).tmp"
    let flags = isSpecial ? O_WRONLY : O_WRONLY | O_CREAT | O_TRUNC
    let descriptor = unsafe open(isSpecial ? path : temporary, flags | O_CLOEXEC, 0o666)
    if descriptor < 0 { throw failure(.notCreatable, path, "cannot be created") }
    return (descriptor, isSpecial ? nil : (temporary, path))
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if let renaming, !isDone { _ = unsafe unlink(renaming.temporary) }
  }

  /// What was collected in memory.
  package var collected: [UInt8] { buffer }

  /// Appends one byte.
  package mutating func append(_ byte: UInt8) throws(TraceError) {
    buffer.append(byte)
    count += 1
    if buffer.count >= Self.batch { try flush() }
  }

  /// Appends bytes.
  package mutating func append(_ bytes: [UInt8]) throws(TraceError) {
    buffer.append(contentsOf: bytes)
    count += bytes.count
    if buffer.count >= Self.batch { try flush() }
  }

  /// Appends the bytes of a text.
  package mutating func append(_ text: String) throws(TraceError) {
    let before = buffer.count
    buffer.append(contentsOf: text.utf8)
    count += buffer.count - before
    if buffer.count >= Self.batch { try flush() }
  }

  /// Appends an integer in decimal digits.
  package mutating func append(decimal number: Int64) throws(TraceError) {
    if number < 0 { try append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var length = 0
    repeat {
      digits[length] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
      length += 1
    } while rest > 0
    while length > 0 {
      length -= 1
      buffer.append(digits[length])
      count += 1
    }
  }

  /// Writes what is pending and gives the file its name.
  package consuming func finish() throws(TraceError) {
    try flush()
    if let renaming {
      let result = unsafe rename(renaming.temporary, renaming.final)
      if result != 0 { throw Self.failure(.notCreatable, displayName, "cannot be created") }
    }
    isDone = true
  }

  private mutating func flush() throws(TraceError) {
    guard descriptor >= 0 else { return }
    var done = 0
    while done < buffer.count {
      let written = unsafe buffer.withUnsafeBytes { bytes in
        unsafe write(descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
      }
      if written < 0 {
        if errno == EINTR { continue }
        let kind: TraceError.Kind = errno == EPIPE ? .closedPipe : .writingFailed
        throw Self.failure(kind, displayName, "writing failed")
      }
      done += written
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private static func failure(
    _ kind: TraceError.Kind, _ name: String, _ what: String
  ) -> TraceError {
    let reason = unsafe String(cString: strerror(errno))
    return TraceError(kind, file: name, what: "\(what): \(reason)")
  }
}
