package import JettisonCore
package import JettisonTraces

/// Writes traces for tests, row by row, and reads them.
///
/// ```swift
/// let trace = try TraceText()
///   .row(0, "notes", "launch")
///   .row(4, "notes", "edit", value: 2048, detail: "work_ms=4000")
///   .end(10)
///   .trace()
/// ```
package struct TraceText: Sendable {
  /// Lines of the header after the first, without `# `.
  package var headerLines: [String] = []
  /// Rows, complete.
  package var rows: [String] = []
  /// The header row.
  package var columns = "time_ns,app,event,value,id,detail"

  /// A trace without header keys and rows.
  package init() {}

  /// Adds a header line, such as `device: iphone-4`.
  package func header(_ line: String) -> TraceText {
    var copy = self
    copy.headerLines.append(line)
    return copy
  }

  /// Adds a row; the time is in seconds.
  package func row(
    _ seconds: Double, _ app: String, _ event: String, value: Int64? = nil, id: Int64? = nil,
    detail: String = ""
  ) -> TraceText {
    let time = Int64((seconds * 1_000_000_000).rounded())
    let value = value.map(String.init) ?? ""
    let id = id.map(String.init) ?? ""
    return raw("\(time),\(app),\(event),\(value),\(id),\(detail)")
  }

  /// Adds a row as it stands.
  package func raw(_ row: String) -> TraceText {
    var copy = self
    copy.rows.append(row)
    return copy
  }

  /// Adds the `end` row.
  package func end(_ seconds: Double) -> TraceText {
    row(seconds, "", "end", detail: "reason=complete")
  }

  /// The whole text.
  package var text: String {
    let lines =
      ["# jettison-trace: 1"] + headerLines.map { "# " + $0 } + [columns] + rows
    return lines.joined(separator: "\n") + "\n"
  }

  /// The trace, read back.
  package func trace(name: String = "test") throws(TraceError) -> Trace {
    try Self.read(Array(text.utf8), name: name)
  }

  /// Reads bytes as a text trace, in pieces of `pieceBytes`.
  package static func read(
    _ bytes: [UInt8], name: String = "test", pieceBytes: Int = .max,
    storage: TraceStorage = .memory
  ) throws(TraceError) -> Trace {
    var reader = try TextTraceReader(file: "\(name).csv", traceName: name, storage: storage)
    var start = 0
    while start < bytes.count {
      let end = start + min(pieceBytes, bytes.count - start)
      try reader.feed(bytes.span.extracting(start..<end))
      start = end
    }
    return try reader.finish()
  }
}
