internal import JettisonModel
internal import JettisonSupport
public import JettisonTraces

extension TraceFormat {
  /// The app-usage log of LSApp (Aliannejadi et al., *Understanding Mobile Search Task Relevance and
  /// User Behaviour in Context*, CHIIR 2019): many users in one table.
  public static let lsapp = TraceFormat(
    name: "lsapp",
    summary: "Usage log of several users as TSV (user_id, session_id, timestamp, app_name, …).",
    provides: [.launches],
    sniff: { prefix in hasLine(in: prefix, amongFirst: 1) { LSAppReader.isHeader($0) } },
    read: { (input, options) throws(TraceError) in
      let traces = try readLSApp(input, options, isOfOne: true)
      guard let trace = traces.first else { throw noRows(input, options) }
      return trace
    },
    readAll: { (input, options) throws(TraceError) in
      let traces = try readLSApp(input, options, isOfOne: false)
      if traces.isEmpty { throw noRows(input, options) }
      return traces
    })

  private static func noRows(_ input: TraceInput, _ options: ImportOptions) -> TraceError {
    TraceError(
      file: input.displayName,
      what: options.user == nil ? "has no row that opens an app" : "has no such row of that user",
      remedy: "rows are user_id, session_id, timestamp, app_name, event_type")
  }

  private static func readLSApp(
    _ input: TraceInput, _ options: ImportOptions, isOfOne: Bool
  ) throws(TraceError) -> [Trace] {
    var rows = LSAppImport(input, options, isOfOne: isOfOne)
    var unsortedLine: Int?
    try input.forEachLine { (line, number) throws(TraceError) in
      if unsortedLine != nil { return }
      if try rows.take(line, number: number) == .earlier { unsortedLine = number }
    }
    guard let unsortedLine else { return try rows.finish() }
    guard !input.isStream else {
      throw TraceError(
        file: input.displayName, line: unsortedLine,
        what: "the row is earlier than the one before it, or its user came before another, and a "
          + "stream cannot be sorted",
        remedy: "sort the rows by user and time, or read them from a file")
    }
    var sorted = LSAppImport(input, options, isOfOne: isOfOne)
    try sorted.takeSorted(firstUnsorted: unsortedLine)
    return try sorted.finish()
  }
}
