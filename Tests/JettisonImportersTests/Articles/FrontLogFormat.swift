import JettisonCore
import JettisonTraces

extension TraceFormat {
  /// A log of which app came to the front when.
  static let frontLog = TraceFormat(
    name: "front-log",
    summary: "Seconds and the app that came to the front, one pair a line.",
    provides: [.launches],
    fileExtensions: ["log"],
    sniff: { prefix in hasLine(in: prefix, amongFirst: 4) { frontLogRow($0) != nil } },
    read: { (input, options) throws(TraceError) in try readFrontLog(input, options) })

  private static func readFrontLog(
    _ input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> Trace {
    let file = input.displayName
    var builder = try TraceBuilder(storage: input.storage, file: file)
    let filter = AppFilter(options.apps)
    var apps: [String] = []
    try input.forEachLine { (line, number) throws(TraceError) in
      guard let row = frontLogRow(line) else {
        builder.issues.add(.error, "the line is not a time and an app", line: number)
        return
      }
      guard filter.keeps(row.app) else { return }
      if !apps.contains(row.app) { apps.append(row.app) }
      do throws(TraceFault) {
        let app = try builder.app(named: row.app)
        try builder.append(.launch, time: row.nanoseconds, app: app)
      } catch {
        throw TraceError(error, file: file, line: number)
      }
    }
    var header = TraceHeader(user: options.user ?? input.traceName)
    header.device = options.device
    header.source = "front log"
    header.appsYAML = CategoryBlock.yaml(apps: apps)
    return try builder.finish(name: input.traceName, header: header, file: file)
  }

  /// The time and the app of a line; nil if it is none.
  private static func frontLogRow(_ line: Span<UInt8>) -> (nanoseconds: Int64, app: String)? {
    let bytes = line.indices.map { line[$0] }
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let fields = text.split(separator: " ")
    guard fields.count == 2, let seconds = Double(fields[0]),
      let time = Int64(exactly: (seconds * 1e9).rounded())
    else { return nil }
    return (time, String(fields[1]))
  }
}
