#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The file of a recording: rows are appended, each by one call of the system.
///
/// What is in the file is whole after every call, whatever happens to the process. After a power
/// failure, or on a full disk, the last row may be cut; it is taken off when the file is opened
/// again, or at once.
///
/// A header may be cut as well, and is written anew then: what is left of it begins as a recorder's
/// does, with the source in the second line. Anything else is somebody's file.
///
/// The file is not locked: iOS ends an app that holds a lock in a shared container while it is
/// suspended. One process may write to a file, and in it one recorder, which has its ``FileClaim``.
struct RecordingFile: ~Copyable {
  /// Sums over edits, which a trace limits.
  struct EditSums: Equatable {
    /// The largest sum that a trace may have.
    private static let limit: Int64 = 1 << 61

    /// What further edits may have.
    private(set) var bytesLeft = limit
    private(set) var workNanosecondsLeft = limit

    /// Adds an edit, whose figures are 0 or more.
    mutating func add(bytes: Int64, workNanoseconds: Int64) {
      bytesLeft = max(0, bytesLeft - bytes)
      workNanosecondsLeft = max(0, workNanosecondsLeft - workNanoseconds)
    }
  }

  /// What earlier lives of the process left in the file.
  struct Past: Equatable {
    /// Seconds since 1970 from which the times of the file count.
    var startSeconds: Int64
    /// Time of the last row in nanoseconds.
    var lastTime: Int64 = 0
    /// Whether the life that was recorded last has not ended.
    var isAlive = false
    /// Whether it was in front.
    var wasInFront = false
    /// Sums over the edits among the rows that were read: the last ones.
    var editSums = EditSums()
  }

  static let firstLine = "# jettison-trace: 1\n"
  static let sourceKey = "# source: "
  /// How the source of every recording begins.
  static let ownSource = "# source: \"recorded by the app itself"
  static let headerRow = "time_ns,app,event,value,id,detail\n"
  /// More than the longest header and than any row.
  private static let windowBytes = 64 << 10

  /// Appends only.
  private var appending: Int32
  /// Writes over what is there: a descriptor that appends cannot, on Linux.
  private var patching: Int32
  /// Keeps other recorders of the process away.
  private var claim: FileClaim?
  /// Bytes in the file.
  private(set) var byteCount: Int64 = 0
  /// What earlier lives left; nil for a new file.
  private(set) var past: Past?

  /// Opens the file of an app or makes one.
  init(path: String, app: AppName) throws(RecorderError) {
    appending = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    patching = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard appending >= 0, patching >= 0 else { throw .file(path: path, code: errno) }
    var status = stat()
    guard unsafe fstat(appending, &status) == 0 else { throw .file(path: path, code: errno) }
    claim = FileClaim(status: status)
    if claim == nil { throw .inUse(path: path) }
    byteCount = Int64(lseek(appending, 0, SEEK_END))
    guard byteCount >= 0 else { throw .file(path: path, code: errno) }
    if byteCount == 0 { return }
    guard let head = read(at: 0), let tail = read(at: max(0, byteCount - Int64(Self.windowBytes)))
    else { throw .file(path: path, code: errno) }
    switch Self.read(head: head, of: app) {
    case .foreign: throw .foreign(path: path)
    case .cut:
      guard truncate(to: 0) else { throw .file(path: path, code: errno) }
    case .whole(let startSeconds):
      let (past, cutBytes) = Self.read(tail: tail, startSeconds: startSeconds)
      guard cutBytes == 0 || truncate(to: byteCount - Int64(cutBytes)) else {
        throw .file(path: path, code: errno)
      }
      self.past = past
    }
  }

  deinit { closeDescriptors() }

  /// Closes the file, so that another recorder may have it; nothing can be written after it.
  mutating func release() {
    closeDescriptors()
    appending = -1
    patching = -1
    claim = nil
  }

  private func closeDescriptors() {
    if appending >= 0 { close(appending) }
    if patching >= 0 { close(patching) }
  }

  /// Appends bytes that belong together; the result is where they begin, or nil if they could not
  /// be written, and then nothing of them is there.
  mutating func append(_ bytes: [UInt8]) -> Int64? {
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(appending, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        if done > 0 { _ = truncate(to: byteCount) }
        return nil
      }
      done += written
    }
    let start = byteCount
    byteCount += Int64(bytes.count)
    return start
  }

  /// Writes over bytes that are there.
  func patch(_ bytes: [UInt8], at offset: Int64) {
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          patching, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done,
          off_t(offset) + off_t(done))
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      done += written
    }
  }

  private mutating func truncate(to count: Int64) -> Bool {
    guard ftruncate(appending, off_t(count)) == 0 else { return false }
    byteCount = count
    return true
  }

  private func read(at offset: Int64) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Self.windowBytes)
    var done = 0
    while done < bytes.count {
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          appending, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done,
          off_t(offset) + off_t(done))
      }
      if got < 0, errno == EINTR { continue }
      if got < 0 { return nil }
      if got == 0 { break }
      done += got
    }
    bytes.removeLast(bytes.count - done)
    return bytes
  }
}

// MARK: - What is in a file

extension RecordingFile {
  private enum Head {
    case foreign, cut
    case whole(startSeconds: Int64)
  }

  private static func read(head: [UInt8], of app: AppName) -> Head {
    // A cut may leave less than shows whose file it is: there is nothing in it that could be lost.
    guard !(firstLine + ownSource).utf8.starts(with: head) else { return .cut }
    guard head.starts(with: firstLine.utf8) else { return .foreign }
    var startSeconds: Int64?
    var hasSource = false
    var isOfApp = true
    for line in head.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let text = String(decoding: line, as: UTF8.self)
      let isWhole = line.endIndex < head.endIndex
      if text.hasPrefix("# start: \""), text.hasSuffix("\"") {
        startSeconds = RecorderDate.seconds(text.dropFirst(10).dropLast())
      } else if text.hasPrefix(sourceKey) {
        // A trace that something else wrote is not to be touched.
        guard text.hasPrefix(ownSource) else { return .foreign }
        hasSource = true
      } else if isWhole, text.hasPrefix(RecordingHeader.entryIndent) {
        isOfApp = line.starts(with: RecordingHeader.entry(of: app).utf8)
      } else if isWhole, !text.hasPrefix("#") {
        // The first row of a recording has its app; without a row the header may.
        if let other = Self.app(ofRows: head[line.endIndex...]) {
          isOfApp = other.elementsEqual(app.field)
        }
        guard text + "\n" == headerRow, hasSource, isOfApp, let startSeconds,
          (0...RecorderClock.latestSeconds).contains(startSeconds)
        else { return .foreign }
        return .whole(startSeconds: startSeconds)
      }
    }
    return hasSource && head.count < windowBytes ? .cut : .foreign
  }

  /// The app of the first row that has one.
  private static func app(ofRows rows: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    rows.split(separator: 0x0A).lazy
      .map { $0.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
      .first { $0.count > 2 && !$0[1].isEmpty }
      .map { $0[1] }
  }

  private static func read(tail: [UInt8], startSeconds: Int64) -> (past: Past, cutBytes: Int) {
    var past = Past(startSeconds: startSeconds)
    let end = tail.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    for line in tail[..<end].split(separator: 0x0A) {
      let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      guard fields.count == 6,
        let time = Int64(String(decoding: fields[0], as: UTF8.self)), time >= past.lastTime,
        time <= RecordingState.longestTime
      else { continue }
      past.lastTime = time
      switch String(decoding: fields[2], as: UTF8.self) {
      case "launch", "interrupt", "interrupt-end":
        past.wasInFront = true
        past.isAlive = true
      case "background-launch", "home":
        past.wasInFront = false
        past.isAlive = true
      case "exit", "quit", "crash", "update", "boot", "observed-exit":
        past.wasInFront = false
        past.isAlive = false
      case "screen":
        past.wasInFront = fields[3].elementsEqual("1".utf8)
        past.isAlive = true
      case "edit":
        past.isAlive = true
        past.editSums.add(bytes: number(fields[3]), workNanoseconds: work(ofDetail: fields[5]))
      case "footprint", "save": past.isAlive = true
      default: break
      }
    }
    return (past, tail.count - end)
  }

  /// The nanoseconds of work that the detail of an edit begins with; a fraction of a millisecond
  /// counts as a whole one, so that what may still be written is never too much.
  private static func work(ofDetail detail: ArraySlice<UInt8>) -> Int64 {
    let text = detail.dropFirst("work_ms=".utf8.count).prefix { $0 != UInt8(ascii: ";") }
    let milliseconds = number(text.prefix { $0 != UInt8(ascii: ".") })
    let hasFraction = text.contains(UInt8(ascii: "."))
    return (min(milliseconds, .max / 1_000_000 - 1) + (hasFraction ? 1 : 0)) * 1_000_000
  }

  /// A number that the recorder wrote, from 0; 0 for anything else.
  private static func number(_ field: ArraySlice<UInt8>) -> Int64 {
    max(0, Int64(String(decoding: field, as: UTF8.self)) ?? 0)
  }
}
