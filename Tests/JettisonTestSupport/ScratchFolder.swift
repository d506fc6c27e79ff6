package import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Lends a folder of its own that goes away afterwards, in another if one is given.
package func withScratchFolder<Result>(
  in parent: URL = FileManager.default.temporaryDirectory, _ body: (URL) throws -> Result
) throws -> Result {
  let folder = parent.appendingPathComponent("jettison-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

/// Writes a file that nobody needs after a loss of power.
///
/// Foundation waits until the disk has it, which takes longer than most tests.
package func writeScratch(_ bytes: some Sequence<UInt8>, to file: URL) throws {
  let descriptor = unsafe open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
  try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(bytes))
}
