internal import JettisonModel
internal import JettisonSupport
public import JettisonTraces

extension TraceFormat {
  /// Screen-time logs: what was shown, from when, for how long.
  public static let appUsage = TraceFormat(
    name: "app-usage",
    summary: "Screen-time log as CSV (app name, date, time, duration; newest first).",
    provides: [.launches, .screen],
    sniff: { prefix in hasLine(in: prefix, amongFirst: 16) { AppUsageReader.isRow($0) } },
    read: { (input, options) throws(TraceError) in try readAppUsage(input, options) })

  private static func readAppUsage(
    _ input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> Trace {
    let file = input.displayName
    var builder = try TraceBuilder(storage: input.storage, file: file)
    var reader = AppUsageReader(dateOrder: options.dateOrder, filter: AppFilter(options.apps))
    try input.forEachLine { (line, number) throws(TraceError) in
      reader.take(line, number: number, issues: &builder.issues)
    }
    let facts: AppUsageReader.Facts?
    do throws(LocatedFault) {
      facts = try reader.finish(builder: &builder)
    } catch {
      throw TraceError(error.fault, file: file, line: error.line)
    }
    guard let facts else {
      throw TraceError(
        file: file, what: "has no row of a screen-time log",
        remedy: "rows are name, date, time, duration; another order of columns can be read "
          + "with `ImportOptions.columns`")
    }
    var header = TraceHeader(user: options.user ?? input.traceName)
    header.device = options.device
    if header.device == nil { header.deviceYAML = CaptureDevice.anyAndroid.yaml }
    header.setLocalStart(
      facts.startSeconds, zone: options.zoneOffsetSeconds, source: "screen-time log")
    header.appsYAML = CategoryBlock.yaml(apps: facts.apps)
    return try builder.finish(name: input.traceName, header: header, file: file)
  }
}
