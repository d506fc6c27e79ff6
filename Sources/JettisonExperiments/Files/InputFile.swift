internal import Foundation

/// The questions to the file system that finding traces takes.
package enum InputFile {
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
      throw .unreadable(path: directory, reason: "permission denied")
    }
  }
}
