internal import Foundation
internal import JettisonSupport

/// The questions to the file system that finding traces takes.
package enum InputFile {
  /// Whether a directory stands at `path`.
  package static func isDirectory(_ path: String) -> Bool {
    // Foundation takes an empty path for the folder that the program runs in.
    guard !path.isEmpty else { return false }
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
      let code = (error as? CocoaError)?.underlying.flatMap { ($0 as? POSIXError)?.code }
      let remedy = SystemFailure(code: (code ?? .EACCES).rawValue)
        .remedy(or: "ask for the right to read it")
      let reason = code == .EMFILE || code == .ENFILE ? "too many open files" : "permission denied"
      throw .unreadable(path: directory, reason: "\(reason) (\(remedy))")
    }
  }
}
