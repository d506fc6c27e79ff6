package import Foundation

/// Reads small input files and says in one sentence why it cannot.
package enum InputFile {
  /// The first bytes of a file, at most `limitBytes`.
  package static func read(_ path: String, limitBytes: Int) throws(ExperimentError) -> Data {
    guard !isDirectory(path) else { throw .directory(path: path, needed: "a file in it") }
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      return try handle.read(upToCount: limitBytes) ?? Data()
    } catch {
      throw .unreadable(path: path, reason: reason(for: path))
    }
  }

  /// Whether a directory stands at `path`.
  package static func isDirectory(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }

  /// The names in a directory, in the order of their bytes.
  package static func names(in directory: String) throws(ExperimentError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: directory)
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    } catch {
      throw .unreadable(path: directory, reason: reason(for: directory))
    }
  }

  /// Whether anything stands at `path`.
  package static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// Why `path` cannot be read, in words that do not depend on the locale.
  package static func reason(for path: String) -> String {
    exists(path) ? "permission denied or not a regular file" : "no such file"
  }
}
