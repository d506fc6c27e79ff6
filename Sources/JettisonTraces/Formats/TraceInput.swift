package import JettisonModel
package import JettisonSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An input: a file that is mapped, a stream (standard input, a pipe) that is read in chunks, or a
/// folder, whose files are read one after the other.
///
/// A stream can be read once, either chunk by chunk or, spooled to a temporary file, as a whole.
public final class TraceInput {
  /// What a stream is read in, and the most that ``prefix`` holds.
  public static let chunkBytes = 1 << 18

  /// The input as the user named it; `<stdin>` for standard input.
  public let displayName: String
  /// The path; nil for standard input.
  public let path: String?
  /// Whether the input is neither a file that can be mapped nor a folder of them.
  public var isStream: Bool { file == nil && folder == nil }
  /// Whether the input is a folder.
  public var isFolder: Bool { folder != nil }
  /// The formats that the input may be of.
  public let formats: TraceFormats
  /// The first bytes, at most ``chunkBytes``, for detection by content.
  public let prefix: [UInt8]

  private let givenName: String?
  private let descriptor: Int32
  private var file: MappedFile?
  private let folder: InputFolder?
  /// The files of a folder that were handed out so far; empty for another input.
  package private(set) var parts: [IssuePart] = []

  /// Opens a path, or standard input for `-`.
  ///
  /// - Parameters:
  ///   - path: A file, or `-`.
  ///   - formats: The formats that the input may be of.
  ///   - name: What the trace is called; nil: see ``traceName``.
  /// - Throws: ``TraceError`` for a file that is not there or cannot be read, and for a directory.
  public convenience init(
    path: String, formats: TraceFormats = .native, name: String? = nil
  ) throws(TraceError) {
    guard !path.isEmpty else {
      throw TraceError(.misuse, file: "''", what: "names no file", remedy: "name a trace")
    }
    if path == "-" {
      let descriptor = dup(STDIN_FILENO)
      guard descriptor >= 0 else { throw Self.unreadable("<stdin>") }
      try self.init(
        descriptor: descriptor, displayName: "<stdin>", path: nil, formats: formats, name: name)
      return
    }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(path) }
    try self.init(
      descriptor: descriptor, displayName: path, path: path, formats: formats, name: name)
  }

  /// Opens a path that may be a folder of files, or standard input for `-`.
  ///
  /// - Parameters:
  ///   - path: A file, a folder, or `-`.
  ///   - formats: The formats that the input may be of.
  ///   - name: What the trace is called; nil: see ``traceName``.
  /// - Throws: ``TraceError`` for what is not there or cannot be read.
  public convenience init(
    capture path: String, formats: TraceFormats = .native, name: String? = nil
  ) throws(TraceError) {
    if let folder = try InputFolder(path: path) {
      try self.init(folder, formats, name)
    } else {
      try self.init(path: path, formats: formats, name: name)
    }
  }

  private init(
    _ folder: InputFolder, _ formats: TraceFormats, _ name: String?
  ) throws(TraceError) {
    self.formats = formats
    givenName = name
    descriptor = -1
    displayName = folder.path
    path = folder.path
    file = nil
    self.folder = folder
    prefix = try folder.first { Array(span: $0.extracting(first: Self.chunkBytes)) } ?? []
  }

  /// Takes over an open descriptor.
  package init(
    descriptor: Int32, displayName: String, path: String?, formats: TraceFormats = .native,
    name: String? = nil
  ) throws(TraceError) {
    self.formats = formats
    givenName = name
    self.descriptor = descriptor
    self.displayName = displayName
    self.path = path
    folder = nil
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let error = Self.unreadable(displayName)
      close(descriptor)
      throw error
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      close(descriptor)
      throw Self.folderError(displayName)
    // Files that the system makes up as they are read have no size: reading tells.
    case S_IFREG where status.st_size > 0 && lseek(descriptor, 0, SEEK_CUR) == 0:
      let mapped = MappedFile(
        descriptor: descriptor, count: Int(status.st_size), name: displayName)
      guard let mapped else {
        let error = Self.unreadable(displayName)
        close(descriptor)
        throw error
      }
      file = mapped
      prefix = mapped.withBytes { Array(span: $0.extracting(first: Self.chunkBytes)) }
    default:
      file = nil
      var first: [UInt8] = []
      guard Self.fill(&first, from: descriptor) else {
        let error = Self.unreadable(displayName)
        close(descriptor)
        throw error
      }
      prefix = first
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The error for a folder where a file is needed.
  package static func folderError(_ name: String) -> TraceError {
    TraceError(.misuse, file: name, what: "is a directory", remedy: "name a file in it")
  }

  /// What the trace is called: as who opened the input says, else after the file, as in
  /// ``TraceFormats/traceName(of:)``; `stdin` for standard input.
  public var traceName: String { givenName ?? path.map(formats.traceName(of:)) ?? "stdin" }

  /// Whether a path is called by the user: neither standard input, nor a pipe that a shell opened.
  package static func hasName(_ path: String) -> Bool {
    path != "-" && !path.hasPrefix("/dev/std") && !path.hasPrefix("/dev/fd/")
  }

  /// Whether there is a file, or a directory, of a name.
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Hands out all bytes in order: a file in one piece, a stream in chunks of at most
  /// ``chunkBytes``.
  ///
  /// - Throws: ``TraceError`` if reading fails, and what `body` throws.
  public func forEachChunk(
    _ body: (Span<UInt8>) throws(TraceError) -> Void
  ) throws(TraceError) {
    if let file {
      try file.withBytes(body)
      return
    }
    if let folder {
      parts = []
      return try folder.forEachFile(
        { (part, bytes) throws(TraceError) in
          parts.append(part)
          try body(bytes)
        }, end: body)
    }
    var chunk = prefix
    while !chunk.isEmpty {
      try body(chunk.span)
      chunk.removeAll(keepingCapacity: true)
      guard Self.fill(&chunk, from: descriptor) else { throw Self.unreadable(displayName) }
    }
  }

  /// Hands out all lines, without their ends, with their numbers from 1.
  ///
  /// Memory is bounded by the longest line.
  ///
  /// - Returns: The number of a last line that has no end, and so may be cut off; nil: there is none.
  /// - Throws: ``TraceError`` if reading fails, and what `body` throws.
  @discardableResult
  public func forEachLine(
    _ body: (Span<UInt8>, Int) throws(TraceError) -> Void
  ) throws(TraceError) -> Int? {
    var splitter = LineSplitter()
    try forEachChunk { (chunk) throws(TraceError) in try splitter.feed(chunk, body) }
    let whole = splitter.lineNumber
    try splitter.finish(body)
    return splitter.lineNumber > whole ? splitter.lineNumber : nil
  }

  /// Lends all bytes at once; a stream is spooled to a temporary file first.
  ///
  /// - Parameters:
  ///   - limit: The most bytes that are taken; more are an error.
  ///   - body: What is done with them.
  /// - Throws: ``TraceError`` if reading fails, for more than `limit` bytes and for a directory, and what
  ///   `body` throws.
  public func withBytes<Result>(
    atMost limit: Int = .max, _ body: (Span<UInt8>) throws(TraceError) -> Result
  ) throws(TraceError) -> Result {
    try mapped(atMost: limit).withBytes(body)
  }

  /// The input as a mapped file; a stream is spooled to a temporary file first.
  ///
  /// - Parameter limit: How many bytes a stream can have by its format. A longer one is not read
  ///   to its end, which may never come: at most a chunk beyond the limit is taken.
  package func mapped(atMost limit: Int = .max) throws(TraceError) -> MappedFile {
    if let file { return file }
    // What reads folders reads lines.
    if folder != nil { throw Self.folderError(displayName) }
    var readFailure: TraceError?
    let mapped: MappedFile
    do throws(TraceFault) {
      var spool = try SpoolFile()
      try spool.append(prefix)
      var chunk: [UInt8] = []
      repeat {
        chunk.removeAll(keepingCapacity: true)
        guard Self.fill(&chunk, from: descriptor) else {
          readFailure = Self.unreadable(displayName)
          break
        }
        try spool.append(chunk)
      } while !chunk.isEmpty && spool.count <= limit
      mapped = try spool.map()
    } catch {
      throw TraceError(error, file: displayName)
    }
    if let readFailure { throw readFailure }
    file = mapped
    return mapped
  }

  /// Size in bytes; nil: a stream, which has none before its end.
  public var byteCount: Int? { file?.count ?? folder?.byteCount }

  /// Where a reader of this input keeps its events: standard input, streams and very large files are
  /// spooled.
  public var storage: TraceStorage {
    guard path != nil, let byteCount else { return .spool }
    return byteCount > 1 << 30 ? .spool : .memory
  }

  /// Reads until a chunk is full or the stream ends; false on failure.
  private static func fill(_ chunk: inout [UInt8], from descriptor: Int32) -> Bool {
    chunk = Array(repeating: 0, count: chunkBytes)
    var done = 0
    while done < chunkBytes {
      let got = unsafe chunk.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress.map { unsafe $0 + done }, chunkBytes - done)
      }
      if got < 0, errno == EINTR { continue }
      if got < 0 { return false }
      if got == 0 { break }
      done += got
    }
    chunk.removeLast(chunkBytes - done)
    return true
  }

  package static func unreadable(_ name: String) -> TraceError {
    let failure = SystemFailure.last
    let usual =
      switch failure.code {
      case ENOENT: "check the name"
      case EACCES: "ask for the right to read it"
      default: ""
      }
    return TraceError(
      .unreadable, file: name, what: "cannot be read: \(failure.text)",
      remedy: failure.remedy(or: usual))
  }
}
