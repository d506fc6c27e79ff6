import Foundation
import JettisonTestSupport
import Testing

/// The built `jettison`, run in a directory of its own.
final class Program {
  /// Where it runs; removed afterwards.
  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("jettison-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// The command beside the test bundle, or another build of it that the environment names, such as
  /// one with a sanitizer.
  static func executable() throws -> URL {
    if let path = ProcessInfo.processInfo.environment["JETTISON_EXECUTABLE"] {
      return URL(filePath: path)
    }
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<6 {
      let candidate = folder.appendingPathComponent("jettison")
      if FileManager.default.isExecutableFile(atPath: candidate.path),
        !FileManager.default.fileExists(atPath: candidate.appendingPathComponent(".").path)
      {
        return candidate
      }
      folder = folder.deletingLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
  }

  /// Writes a file into the directory.
  func write(_ text: String, to name: String) throws {
    let url = directory.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try writeScratch(text.utf8, to: url)
  }

  /// The text of a file in the directory.
  func text(_ name: String) throws -> String {
    try String(decoding: Data(contentsOf: directory.appendingPathComponent(name)), as: UTF8.self)
  }

  /// The names in a folder of the directory, sorted; none if there is no such folder.
  func names(in folder: String = ".") throws -> [String] {
    let path = directory.appendingPathComponent(folder).path
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// Runs the command to its end.
  ///
  /// - Parameters:
  ///   - arguments: What follows the program's name.
  ///   - input: Standard input; empty unless given.
  ///   - output: Where standard output goes; collected unless given.
  ///   - columns: The variable `COLUMNS`; not set unless given.
  @discardableResult
  func run(
    _ arguments: [String], input: String = "", output: FileHandle? = nil, columns: Int? = nil
  ) throws -> CommandResult {
    var environment = ProcessInfo.processInfo.environment
    environment["NO_COLOR"] = nil
    environment["COLUMNS"] = columns.map { "\($0)" }
    return try Command.run(
      [try Self.executable().path] + arguments, in: directory, environment: environment,
      input: input, output: output)
  }

  /// Runs a command line whose words are separated by blanks.
  @discardableResult
  func run(
    _ line: String, input: String = "", output: FileHandle? = nil, columns: Int? = nil
  ) throws -> CommandResult {
    try run(
      line.split(separator: " ").map(String.init), input: input, output: output, columns: columns)
  }
}

/// The trace of the format's description: Notes loses four seconds of work at 20 s.
let example = TraceFixtures.workedExample
