#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file mapped read-only for as long as the value lives.
///
/// The address is kept as an integer, so that a mapping is plainly `Sendable`; the bytes are
/// lent as spans, which cannot escape. A file that another program shortens while it is mapped
/// ends the process, as with every mapping; the command says so (``MappedRange``).
package final class MappedFile: Sendable {
  private let address: UInt
  private let mapping: MappedRange?
  /// Size in bytes.
  package let count: Int

  /// Maps the first `count` bytes of an open file; nil if the system refuses (see `errno`).
  ///
  /// The descriptor may be closed afterwards.
  ///
  /// - Parameter name: What to call the file if another program shortens it; nil: none can.
  package init?(descriptor: Int32, count: Int, name: String? = nil) {
    self.count = count
    if count == 0 {
      address = 0
      mapping = nil
      return
    }
    let pointer = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
    let mapped = UInt(bitPattern: pointer)
    // The system's "failed" is the address -1.
    if mapped == UInt.max || mapped == 0 { return nil }
    address = mapped
    mapping = name.map { MappedRange(at: mapped, count: count, name: $0) }
  }

  /// Maps the whole of a file; nil if there is none, or none that can be read.
  package convenience init?(path: String) {
    let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    self.init(descriptor: descriptor, count: Int(status.st_size), name: path)
  }

  deinit {
    if count > 0 { unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), count) }
  }

  /// Lends the bytes.
  package func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = unsafe UnsafePointer<UInt8>(bitPattern: address)
    let buffer = unsafe UnsafeBufferPointer(start: start, count: count)
    return try body(unsafe Span(_unsafeElements: buffer))
  }

  /// Lends `count` values of plain data that begin at a byte offset.
  ///
  /// The caller has checked that every bit pattern there is a value of the type.
  ///
  /// - Precondition: the range is inside the file and aligned.
  package func withElements<Element: BitwiseCopyable, Failure: Error>(
    of type: Element.Type, at offset: Int, count elementCount: Int,
    _ body: (Span<Element>) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(offset >= 0 && elementCount >= 0, "the range is inside the file")
    precondition(
      elementCount * MemoryLayout<Element>.stride <= count - offset,
      "the range is inside the file")
    let start = unsafe UnsafePointer<Element>(bitPattern: address + UInt(offset))
    let buffer = unsafe UnsafeBufferPointer(start: start, count: elementCount)
    try body(unsafe Span(_unsafeElements: buffer))
  }
}
