internal import JettisonSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A report while it is written: a file that appears under its name only when it is whole, a descriptor
/// that is open already, or what one run adds to a file that several share.
package final class OutputFile {
  /// Name under which the file appears; what messages call it.
  package let path: String
  /// The file; nil: the descriptor belongs to the caller, or no file was needed yet.
  private var file: AtomicFile?
  /// Where to write; negative: a part that is held in memory.
  private var descriptor: Int32
  /// Where a part may stay once it has ended; nil: it is none.
  private let memory: PartMemory?
  private var isComplete = false
  /// Whether a run has begun whose results it takes.
  var hasBegun = false
  private var buffer: [UInt8] = []

  /// Bytes held back before they are written; of a part, before a file is made for it.
  private var capacity: Int { descriptor < 0 ? 1 << 18 : 1 << 16 }

  /// Creates a file that will appear at `path`.
  package init(path: String) throws(ReportError) {
    self.path = path
    descriptor = -1
    memory = nil
    try makeFile()
  }

  /// Holds a part in memory until it is large; then a hidden file beside `path` is made for it.
  ///
  /// Most runs say little, and making and removing thousands of files takes longer than they do.
  ///
  /// - Parameter memory: Where it may stay once it has ended.
  init(partOf path: String, in memory: PartMemory) {
    self.path = path
    self.memory = memory
    descriptor = -1
    file = nil
  }

  /// Writes to an open descriptor, such as standard output, which stays open.
  package init(descriptor: Int32, name: String) {
    self.path = name
    self.descriptor = descriptor
    memory = nil
    file = nil
  }

  /// Where it will appear; nil for a device, a pipe or an open descriptor.
  var place: FileSystem.Place? { file?.place }

  private func makeFile() throws(ReportError) {
    do throws(SystemFailure) {
      let file = try AtomicFile(path: path)
      descriptor = file.descriptor
      self.file = consume file
    } catch {
      throw .fileNotCreatable(path: path, code: error.code)
    }
  }

  /// Adds bytes.
  ///
  /// They reach the file when enough have come together.
  package func write(_ bytes: borrowing [UInt8]) throws(ReportError) {
    buffer.append(contentsOf: copy bytes)
    if buffer.count >= capacity { try empty() }
  }

  /// Adds text.
  package func write(_ text: String) throws(ReportError) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= capacity { try empty() }
  }

  /// Hands everything to the system, but for a part that is held in memory.
  package func flush() throws(ReportError) {
    guard descriptor >= 0 else { return }
    try empty()
  }

  private func empty() throws(ReportError) {
    if descriptor < 0 { try makeFile() }
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
    isComplete = true
  }

  /// Gives the file its name, replacing one that was there.
  ///
  /// Does nothing before ``complete()``: what is there stays, because this file is not whole.
  package func publish() throws(ReportError) {
    guard isComplete else { return }
    do throws(SystemFailure) {
      try file?.publish()
    } catch {
      throw .writeFailed(path: path, code: error.code)
    }
  }

  /// Ends a part and hands it over: in memory if there is room, or else as a file.
  func handOver() throws(ReportError) -> OutputPart? {
    if descriptor < 0, let memory, let part = OutputPart(buffer, in: memory) {
      buffer = []
      return part
    }
    try empty()
    do throws(SystemFailure) {
      return try file?.handOver().map { OutputPart($0) }
    } catch {
      throw .writeFailed(path: path, code: error.code)
    }
  }

  /// Adds a part.
  func append(_ part: OutputPart) throws(ReportError) {
    switch part.place {
    case .memory(let bytes, _): try write(bytes)
    case .file(let file): try append(contentsOf: file.path)
    case .gone: break
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
