import Foundation

/// Perfetto's own trace processor, where `JETTISON_TRACE_QUERY` names a program that runs SQL on a trace
/// (`program TRACE SQL…`; for each query, `>>>` and the query, the names of the columns, and rows of
/// fields joined by `|`).
enum TraceProcessor {
  static let program = ProcessInfo.processInfo.environment["JETTISON_TRACE_QUERY"]

  /// The lines that each query yields, without the names of the columns.
  static func query(_ path: String, _ sql: [String]) throws -> [[String]] {
    let process = Process()
    process.executableURL = URL(filePath: program ?? "")
    // The query is repeated in the output: on one line, so that the rows can be found.
    process.arguments = [path] + sql.map { $0.replacingOccurrences(of: "\n", with: " ") }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.components(separatedBy: ">>> ").dropFirst().map { part in
      part.split(separator: "\n").dropFirst(2).map(String.init)
    }
  }
}
