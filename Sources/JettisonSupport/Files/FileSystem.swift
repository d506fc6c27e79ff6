internal import CSupport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The few questions to the file system that reading and writing ask.
package enum FileSystem {
  /// Makes a directory and those above it, unless they exist; throws the error code of the system.
  ///
  /// What it made and nothing was put into is removed when the program ends.
  package static func makeDirectory(_ path: String) throws(SystemFailure) {
    guard !path.isEmpty else { throw SystemFailure(code: ENOENT) }
    if isDirectory(path) { return }
    var prefix = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      prefix += part
      if unsafe file_guard_make_directory(prefix, 0o777) != 0 {
        let code = errno
        // Some systems answer EACCES or EROFS for a directory that exists already.
        guard isDirectory(prefix) else {
          throw SystemFailure(code: code == EEXIST ? ENOTDIR : code)
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

  /// Whether there is something at a path that is neither a file nor a directory: a device or a pipe.
  package static func isSpecial(_ path: String) -> Bool {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else { return false }
    let kind = info.st_mode & S_IFMT
    return kind != S_IFREG && kind != S_IFDIR
  }

  /// What tells a file from all others, whatever names and links lead to it.
  package struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// That of the regular file at a path; nil: there is none.
    package init?(of path: String) { self.init(path, kind: S_IFREG) }

    fileprivate init?(_ path: String, kind: mode_t) {
      var info = stat()
      guard unsafe stat(path, &info) == 0, info.st_mode & S_IFMT == kind else { return nil }
      device = UInt64(truncatingIfNeeded: info.st_dev)
      number = UInt64(truncatingIfNeeded: info.st_ino)
    }
  }

  /// Where a file is or will be, whatever names and links lead to its directory.
  package struct Place: Hashable, Sendable {
    private let directory: Identity
    private let name: String

    /// That of a path; nil: its directory is not there.
    package init?(_ path: String) {
      let (directory, name) = FileSystem.split(path)
      guard let identity = Identity(directory.isEmpty ? "." : directory, kind: S_IFDIR) else {
        return nil
      }
      self.directory = identity
      self.name = name
    }
  }

  /// Whether there is a file at a path that begins with a text.
  package static func isFile(_ path: String, beginningWith text: String) -> Bool {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let expected = Array(text.utf8)
    var found = [UInt8](repeating: 0, count: expected.count)
    let count = unsafe found.withUnsafeMutableBytes { bytes in
      unsafe pread(descriptor, bytes.baseAddress, bytes.count, 0)
    }
    return count == expected.count && found == expected
  }

  /// Removes a file; whether there was one that could be removed.
  @discardableResult
  package static func removeFile(_ path: String) -> Bool { unsafe unlink(path) == 0 }

  /// Lets signals that end the program remove unfinished files first, and lets writing to a closed
  /// pipe, or beyond the size that a file may have, fail instead of ending it.
  ///
  /// To be called once, before anything is opened.
  package static func guardAgainstSignals() {
    file_guard_install()
  }

  /// Lets writing to a closed pipe fail with an error instead of ending the process.
  package static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// The directory of a path, with its slash, and the name.
  package static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }

  /// What a symbolic link says; nil: there is none at the path.
  static func destination(ofLink path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe bytes.withUnsafeMutableBufferPointer { buffer -> Int in
      guard let start = buffer.baseAddress else { return -1 }
      return unsafe start.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
        unsafe readlink(path, $0, buffer.count)
      }
    }
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  /// Writes all bytes; returns 0 or the system's error code.
  package static func writeAll(_ bytes: Span<UInt8>, to descriptor: Int32) -> Int32 {
    unsafe bytes.withUnsafeBytes { buffer in
      var rest = unsafe buffer
      while let start = rest.baseAddress, rest.count > 0 {
        let count = unsafe Self.write(descriptor, start, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          return errno
        }
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return 0
    }
  }

  static func open(_ path: String, _ flags: Int32) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.open(path, flags)
    #else
      unsafe Darwin.open(path, flags)
    #endif
  }

  private static func write(
    _ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int
  ) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.write(descriptor, start, count)
    #else
      unsafe Darwin.write(descriptor, start, count)
    #endif
  }
}
