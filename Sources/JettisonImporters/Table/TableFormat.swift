internal import JettisonModel
public import JettisonTraces

extension TraceFormat {
  /// Any table whose columns the user names.
  public static let table = TraceFormat(
    name: "csv",
    summary: "Any table with a row per event; its columns are named: time=…,app=…,event=….",
    provides: Set(TraceFact.allCases),
    // A table looks like anything: it is read only when asked for.
    readsColumns: true,
    read: { (input, options) throws(TraceError) in try readTable(input, options) })

  private static func readTable(
    _ input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> Trace {
    let file = input.displayName
    guard !options.columns.isEmpty else {
      throw TraceError(
        .misuse, file: file, what: "is a table, and what its columns mean is not said",
        remedy: "say it: 'jettison import … `ImportOptions.columns` time=header,app=header'")
    }
    let columns: TableColumns
    do throws(ConfigurationError) {
      columns = try TableColumns(options.columns)
    } catch {
      throw TraceError(.misuse, file: file, what: error.description)
    }
    var table = try TableImport(options: options, columns: columns, input: input)
    var unsortedLine: Int?
    try input.forEachLine { (line, number) throws(TraceError) in
      if unsortedLine != nil { return }
      if try table.take(line, number: number) == .earlier { unsortedLine = number }
    }
    guard let unsortedLine else { return try table.finish(input, options) }
    guard !input.isStream else {
      throw TraceError(
        file: file, line: unsortedLine, column: columns.columns[.time],
        what: "the row is earlier than the one before it, and a stream cannot be sorted",
        remedy: "sort the rows by time, or read them from a file")
    }
    var sorted = try TableImport(options: options, columns: columns, input: input)
    try sorted.takeSorted(input)
    sorted.note(.info, "the rows were not in order of time: sorted in memory", line: unsortedLine)
    return try sorted.finish(input, options)
  }
}
