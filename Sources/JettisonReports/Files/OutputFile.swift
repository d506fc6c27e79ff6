internal import JettisonSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A report while it is written: a file that appears under its name only when it is whole, or a
/// descriptor that is open already.
package final class OutputFile {
  /// Bytes held back before they are written.
  private static let capacity = 1 << 16

  /// Name under which the file appears; what messages call it.
  package let path: String
  /// The file; nil: the descriptor belongs to the caller.
  private var file: AtomicFile?
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Creates a file that will appear at `path`.
  package init(path: String) throws(ReportError) {
    self.path = path
    do throws(SystemFailure) {
      let file = try AtomicFile(path: path)
      descriptor = file.descriptor
      self.file = consume file
    } catch {
      throw .fileNotCreatable(path: path, code: error.code)
    }
  }

  /// Writes to an open descriptor, such as standard output, which stays open.
  package init(descriptor: Int32, name: String) {
    self.path = name
    self.descriptor = descriptor
    file = nil
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
    let code = FileSystem.writeAll(buffer.span, to: descriptor)
    buffer.removeAll(keepingCapacity: true)
    try check(code)
  }

  /// Hands everything to the system and closes the file, still under its hidden name.
  ///
  /// Disks that are full, or far away, say so at the latest here.
  package func complete() throws(ReportError) {
    try flush()
    do throws(SystemFailure) {
      try file?.complete()
    } catch {
      throw .writeFailed(path: path, code: error.code)
    }
  }

  /// Gives the complete file its name, replacing one that was there.
  package func publish() throws(ReportError) {
    try flush()
    do throws(SystemFailure) {
      try file?.publish()
    } catch {
      throw .writeFailed(path: path, code: error.code)
    }
  }

  /// Closes the file and hands it over under its hidden name.
  func handOver() throws(ReportError) -> HiddenFile? {
    try flush()
    do throws(SystemFailure) {
      return try file?.handOver()
    } catch {
      throw .writeFailed(path: path, code: error.code)
    }
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
      try check(FileSystem.writeAll(chunk.span.extracting(first: count), to: descriptor))
    }
  }

  private func check(_ code: Int32) throws(ReportError) {
    guard code != 0 else { return }
    throw code == EPIPE ? .closedPipe(path: path) : .writeFailed(path: path, code: code)
  }
}

/// Where several files of results go.
package enum ReportDirectory {
  /// Makes a directory and those above it, unless they exist.
  package static func make(_ path: String) throws(ReportError) {
    do throws(SystemFailure) {
      try FileSystem.makeDirectory(path)
    } catch {
      throw .directoryNotCreatable(path: path, code: error.code)
    }
  }
}
