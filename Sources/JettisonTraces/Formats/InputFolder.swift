internal import JettisonModel
internal import JettisonSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files of a folder, as one input: in order of their names, numbers in them by value, so that
/// `sample-9` comes before `sample-10`.
///
/// Folders inside and files whose names begin with a dot are ignored.
struct InputFolder {
  /// The folder as the user named it.
  let path: String
  /// Names of the files, in order.
  let names: [String]
  /// Bytes of all files when the folder was opened.
  let byteCount: Int

  /// Opens a folder; nil if the path is none.
  init?(path: String) throws(TraceError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    self.path = path
    guard let folder = unsafe opendir(path) else { throw TraceInput.unreadable(path) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    var byteCount = 0
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 1) {
          unsafe String(cString: $0)
        }
      }
      guard !name.hasPrefix("."), unsafe stat("\(path)/\(name)", &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      names.append(name)
      byteCount += Int(status.st_size)
    }
    self.names = names.sorted(by: Self.isBefore)
    self.byteCount = byteCount
  }

  /// Lends the bytes of the first file; nil if there is none.
  func first<Result>(_ body: (Span<UInt8>) -> Result) throws(TraceError) -> Result? {
    guard let name = names.first else { return nil }
    return try TraceInput(path: "\(path)/\(name)").mapped().withBytes(body)
  }

  /// Lends each file with its name and the number that its first line has among all lines; each
  /// ends with a line's end.
  func forEachFile(
    _ body: (IssuePart, Span<UInt8>) throws(TraceError) -> Void,
    end: (Span<UInt8>) throws(TraceError) -> Void
  ) throws(TraceError) {
    let newline: [UInt8] = [0x0A]
    var line = 1
    for name in names {
      let file = try TraceInput(path: "\(path)/\(name)").mapped()
      try file.withBytes { (bytes) throws(TraceError) in
        try body(IssuePart(name: name, firstLine: line), bytes)
        for position in 0..<bytes.count where bytes[position] == 0x0A { line += 1 }
        guard bytes.count > 0, bytes[bytes.count - 1] != 0x0A else { return }
        line += 1
        try end(newline.span)
      }
    }
  }

  /// Order of names: runs of digits by value, everything else by bytes.
  static func isBefore(_ left: String, _ right: String) -> Bool {
    var (a, b) = (Array(left.utf8)[...], Array(right.utf8)[...])
    while let first = a.first, let second = b.first {
      if isDigit(first), isDigit(second) {
        let (one, two) = (digits(&a), digits(&b))
        if one.count != two.count { return one.count < two.count }
        if one != two { return one.lexicographicallyPrecedes(two) }
      } else if first != second {
        return first < second
      } else {
        a = a.dropFirst()
        b = b.dropFirst()
      }
    }
    if a.isEmpty, b.isEmpty { return left.utf8.lexicographicallyPrecedes(right.utf8) }
    return a.isEmpty
  }

  /// Takes a run of digits off, without the zeros that it begins with.
  private static func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let run = rest.prefix(while: isDigit)
    rest = rest.dropFirst(run.count)
    return run.drop { $0 == 0x30 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
