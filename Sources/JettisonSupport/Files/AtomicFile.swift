internal import CSupport
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that appears under its name only when it is whole.
///
/// It is created at once, under a hidden name beside the final one, so that a place that cannot be
/// written is found before any work is done. ``publish()`` gives it its name, and with it the
/// permissions of the file that it replaces; one that is dropped before, or whose process is ended
/// by a signal, leaves nothing behind. A link is written through: what it points to is replaced.
/// Devices and pipes are written as they are.
package struct AtomicFile: ~Copyable {
  /// Where to write; negative once closed.
  package private(set) var descriptor: Int32
  private let target: String
  /// The file while it is written; nil: there is none, or it has been handed over.
  private var hidden: Hidden?

  /// Creates a file that will appear at `path`.
  package init(path: String) throws(SystemFailure) {
    // The system takes a path for as much of it as stands before a NUL.
    guard !path.isEmpty, !path.utf8.contains(0) else { throw SystemFailure(code: ENOENT) }
    let parts = try Self.open(path)
    descriptor = parts.descriptor
    target = parts.target
    hidden = parts.hidden
  }

  /// Where the file will appear; nil for a device or a pipe.
  package var place: FileSystem.Place? { hidden == nil ? nil : FileSystem.Place(target) }

  private typealias Hidden = (path: String, ticket: Int32)

  private static func open(
    _ path: String
  ) throws(SystemFailure) -> (descriptor: Int32, target: String, hidden: Hidden?) {
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    // Another user's link that the system refuses to follow is not followed here either.
    if !exists, errno != ENOENT { throw SystemFailure.last }
    let kind = status.st_mode & S_IFMT
    if exists, kind == S_IFDIR { throw SystemFailure(code: EISDIR) }
    let isFile = !exists || kind == S_IFREG
    guard isFile, let target = try followingLinks(path) else {
      // What was written to a descriptor that is open already stays.
      let flags = isFile ? O_APPEND : 0
      let descriptor = FileSystem.open(path, O_WRONLY | O_CLOEXEC | flags)
      if descriptor < 0 { throw SystemFailure.last }
      return (descriptor, path, nil)
    }
    let created = try createHidden(
      beside: target, mode: exists ? status.st_mode & 0o777 : 0o666)
    if exists {
      // The owner stays the same where this user may say so; where not even the group can, it has
      // no more right than others. The umask has no part in it.
      let keepsGroup =
        fchown(created.descriptor, status.st_uid, status.st_gid) == 0
        || fchown(created.descriptor, uid_t.max, status.st_gid) == 0
      _ = fchmod(created.descriptor, status.st_mode & (keepsGroup ? 0o777 : 0o707))
    }
    return (created.descriptor, target, created.file)
  }

  /// The name is beside the final one, and hidden, so that programs that read the directory skip it.
  private static func createHidden(
    beside path: String, mode: mode_t
  ) throws(SystemFailure) -> (descriptor: Int32, file: Hidden) {
    let (directory, name) = FileSystem.split(path)
    var code: Int32 = EEXIST
    // A process that was killed may have left its file, and process numbers come round again.
    for attempt in 0..<100 {
      var descriptor: Int32 = -1
      let candidate = "\(directory).\(name).\(getpid()).\(attempt).tmp"
      let ticket = unsafe file_guard_create(candidate, mode, &descriptor)
      if ticket >= 0 { return (descriptor, (candidate, ticket)) }
      code = errno
      if code != EEXIST { break }
    }
    throw SystemFailure(code: code)
  }

  /// The path that a link points to, whether it is there or not; nil: a descriptor that is open already,
  /// such as /dev/stdout.
  private static func followingLinks(_ path: String) throws(SystemFailure) -> String? {
    var path = path
    for _ in 0..<40 {
      // In /dev itself there are files like any other, too: /dev/shm is a disk in memory.
      if path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/") { return nil }
      guard let next = FileSystem.destination(ofLink: path) else { return path }
      path = next.hasPrefix("/") ? next : FileSystem.split(path).directory + next
    }
    throw SystemFailure(code: ELOOP)
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
    if let hidden { file_guard_remove(hidden.ticket) }
  }

  /// Writes all bytes.
  package func write(_ bytes: Span<UInt8>) throws(SystemFailure) {
    let code = FileSystem.writeAll(bytes, to: descriptor)
    if code != 0 { throw SystemFailure(code: code) }
  }

  /// Closes the file, still under its hidden name.
  ///
  /// Disks that are full, or far away, say so at the latest here.
  package mutating func complete() throws(SystemFailure) {
    guard descriptor >= 0 else { return }
    let closing = descriptor
    descriptor = -1
    if close(closing) != 0 { throw SystemFailure.last }
  }

  /// Gives the complete file its name, replacing one that was there.
  package mutating func publish() throws(SystemFailure) {
    try complete()
    guard let hidden else { return }
    if unsafe file_guard_publish(hidden.ticket, target) != 0 { throw SystemFailure.last }
    self.hidden = nil
  }

  /// Closes the file and hands it over under its hidden name; nil for a device or a pipe.
  package mutating func handOver() throws(SystemFailure) -> HiddenFile? {
    try complete()
    defer { hidden = nil }
    return hidden.map { HiddenFile(path: $0.path, target: target, ticket: $0.ticket) }
  }

  /// Gives several files their names together: a signal comes before all of them or after.
  package static func together<Fault: Error>(
    _ publish: () throws(Fault) -> Void
  ) throws(Fault) {
    file_guard_hold()
    defer { file_guard_release() }
    try publish()
  }
}

/// A complete file under a hidden name: published, or removed at the latest when it is dropped.
package final class HiddenFile: Sendable {
  /// Where it is.
  package let path: String
  private let target: String
  private let ticket: Mutex<Int32?>

  fileprivate init(path: String, target: String, ticket: Int32) {
    self.path = path
    self.target = target
    self.ticket = Mutex(ticket)
  }

  deinit { remove() }

  /// Removes it, once.
  package func remove() {
    ticket.withLock { ticket in
      if let held = ticket { file_guard_remove(held) }
      ticket = nil
    }
  }

  /// Gives it its name, once.
  package func publish() throws(SystemFailure) {
    let code = ticket.withLock { ticket -> Int32 in
      guard let held = ticket else { return 0 }
      if unsafe file_guard_publish(held, target) != 0 { return errno }
      ticket = nil
      return 0
    }
    if code != 0 { throw SystemFailure(code: code) }
  }
}
