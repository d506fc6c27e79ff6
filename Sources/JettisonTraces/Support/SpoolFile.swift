package import JettisonSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A temporary file without a name: it is gone when the last mapping of it is.
///
/// Lives in `TMPDIR`, else in `/tmp`. Reading a trace from standard input spools its records
/// here, so that memory is bounded by apps and live blocks.
@usableFromInline
package struct SpoolFile: ~Copyable {
  private let descriptor: Int32
  /// Bytes written so far.
  package private(set) var count = 0

  package init() throws(TraceFault) {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var path = Array("\(folder)/jettison-spool-XXXXXX".utf8CString)
    descriptor = unsafe path.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return -1 }
      let descriptor = unsafe mkstemp(start)
      if descriptor >= 0 {
        unsafe unlink(start)
        // No program that is started meanwhile holds it open.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      }
      return descriptor
    }
    if descriptor < 0 { throw Self.fault() }
  }

  deinit {
    close(descriptor)
  }

  /// Appends the bytes of plain data.
  package mutating func append<Element: BitwiseCopyable>(
    _ elements: borrowing [Element]
  ) throws(TraceFault) {
    try write(elements, at: count)
    count += elements.count * MemoryLayout<Element>.stride
  }

  /// Appends bytes.
  package mutating func append(_ bytes: Span<UInt8>) throws(TraceFault) {
    var failure: TraceFault?
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe failure = Self.write(buffer, to: descriptor, at: count)
    }
    if let failure { throw failure }
    count += bytes.count
  }

  /// Writes over elements that were appended before.
  package func write<Element: BitwiseCopyable>(
    _ elements: borrowing [Element], at offset: Int
  ) throws(TraceFault) {
    var failure: TraceFault?
    unsafe elements.withUnsafeBytes { buffer in
      unsafe failure = Self.write(buffer, to: descriptor, at: offset)
    }
    if let failure { throw failure }
  }

  /// Maps what was written.
  package consuming func map() throws(TraceFault) -> MappedFile {
    guard let file = MappedFile(descriptor: descriptor, count: count) else {
      throw Self.fault()
    }
    return file
  }

  /// Maps what was written so far and goes on.
  package func mapSoFar() throws(TraceFault) -> MappedFile {
    guard let file = MappedFile(descriptor: descriptor, count: count) else {
      throw Self.fault()
    }
    return file
  }

  private static func write(
    _ buffer: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int
  ) -> TraceFault? {
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
      let written = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if written < 0 {
        if errno == EINTR { continue }
        // What is copied lies in a file that is no longer as long as it was.
        return errno == EFAULT ? .inputCutShort : fault()
      }
      done += written
    }
    return nil
  }

  private static func fault() -> TraceFault {
    let failure = SystemFailure.last
    return .storage(
      failure.text,
      remedy: failure.remedy(or: "set TMPDIR to a folder with enough room"))
  }
}
