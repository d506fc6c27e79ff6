internal import Foundation

/// Perfetto's own trace processor, where `JETTISON_TRACE_QUERY` names a program that runs SQL on a trace
/// (`program TRACE SQL…`; for each query, `>>>` and the query, the names of the columns, and rows of
/// fields joined by `|`).
package enum TraceProcessor {
  package static let program = ProcessInfo.processInfo.environment["JETTISON_TRACE_QUERY"]

  /// The lines that each query yields, without the names of the columns.
  ///
  /// The processor takes longer to start than to answer: queries of one trace are best asked together.
  package static func query(_ path: String, _ sql: [String]) throws -> [[String]] {
    // The query is repeated in the output: on one line, so that the rows can be found.
    let queries = sql.map { $0.replacingOccurrences(of: "\n", with: " ") }
    let result = try Command.run([program ?? "", path] + queries)
    return result.output.components(separatedBy: ">>> ").dropFirst().map { part in
      part.split(separator: "\n").dropFirst(2).map(String.init)
    }
  }
}
