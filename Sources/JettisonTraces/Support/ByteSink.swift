package import JettisonSupport

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
  /// The file that is written; nil: bytes go elsewhere.
  private var file: AtomicFile?
  /// Our own copy of standard output; negative: bytes go elsewhere.
  private let stream: Int32
  /// Number of bytes taken so far.
  package private(set) var count = 0

  /// Collects in memory.
  package init() {
    displayName = "memory"
    file = nil
    stream = -1
  }

  /// Writes to a file, or to standard output for `-`.
  ///
  /// A regular file gets its name by ``finish()``, so that a file that exists is whole.
  package init(path: String) throws(TraceError) {
    buffer.reserveCapacity(Self.batch)
    guard path != "-" else {
      displayName = "<stdout>"
      file = nil
      stream = dup(STDOUT_FILENO)
      if stream < 0 { throw Self.failure(.notCreatable, displayName, "cannot be written", errno) }
      return
    }
    displayName = path
    stream = -1
    do throws(SystemFailure) {
      file = try AtomicFile(path: path)
    } catch {
      guard error.code != EISDIR else {
        throw TraceError(
          .misuse, file: path, what: "is a directory", remedy: "name a file in it")
      }
      throw Self.failure(.notCreatable, path, "cannot be created", error.code)
    }
  }

  deinit {
    if stream >= 0 { close(stream) }
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
    let name = displayName
    if let file = try complete() { try Self.publish(file, as: name) }
  }

  /// Writes what is pending and closes the file, which is left to get its name later; nil: there is
  /// none that would get one.
  package consuming func complete() throws(TraceError) -> HiddenFile? {
    try flush()
    do throws(SystemFailure) {
      return try file?.handOver()
    } catch {
      throw Self.failure(.writingFailed, displayName, "writing failed", error.code)
    }
  }

  static func publish(_ file: HiddenFile, as name: String) throws(TraceError) {
    do throws(SystemFailure) {
      try file.publish()
    } catch {
      throw failure(.notCreatable, name, "cannot be created", error.code)
    }
  }

  private mutating func flush() throws(TraceError) {
    let descriptor = file?.descriptor ?? stream
    guard descriptor >= 0 else { return }
    let code = FileSystem.writeAll(buffer.span, to: descriptor)
    buffer.removeAll(keepingCapacity: true)
    guard code != 0 else { return }
    throw Self.failure(
      code == EPIPE ? .closedPipe : .writingFailed, displayName, "writing failed", code)
  }

  private static func failure(
    _ kind: TraceError.Kind, _ name: String, _ what: String, _ code: Int32
  ) -> TraceError {
    let failure = SystemFailure(code: code)
    let remedy =
      switch kind {
      case .notCreatable: "name a place you may write to"
      case .writingFailed: "make room there, or write elsewhere"
      default: ""
      }
    return TraceError(
      kind, file: name.isEmpty ? "''" : name, what: "\(what): \(failure.text)",
      remedy: failure.remedy(or: remedy))
  }
}
