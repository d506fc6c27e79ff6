internal import JettisonModel
internal import JettisonSupport
public import JettisonTraces

extension TraceFormat {
  /// Reports of jetsam events, as iOS writes them.
  public static let jetsamReport = TraceFormat(
    name: "jetsam-report",
    summary: "iOS report of a jetsam event (JetsamEvent .ips, or LowMemory text of iOS 4 to 8).",
    provides: [.footprints, .systemMemory, .exits],
    fileExtensions: ["ips", "json"],
    sniff: { prefix in isJetsamReport(prefix) },
    read: { (input, options) throws(TraceError) in
      let file = input.displayName
      var timeline = try CaptureTimeline(input, options)
      let report = try input.withBytes(atMost: JetsamReport.mostBytes) {
        (bytes) throws(TraceError) in
        guard bytes.count <= JetsamReport.mostBytes else {
          throw TraceError(
            file: file, what: "is larger than a report of a jetsam event can be",
            remedy: "one has at most 128 MiB")
        }
        return try readJetsamReport(bytes, file: file, issues: &timeline.issues)
      }
      return try JetsamMoment(report, AppFilter(options.apps), zone: options.zoneOffsetSeconds)
        .write(to: timeline)
    })

  /// Whether the first bytes are of a report: JSON that names its kind, or one of the texts.
  private static func isJetsamReport(_ prefix: Span<UInt8>) -> Bool {
    let start = prefix.extracting(first: 1 << 14)
    var first = start.markCount
    while first < start.count, [0x20, 0x09, 0x0A, 0x0D].contains(start[first]) { first += 1 }
    guard first < start.count else { return false }
    if start[first] == UInt8(ascii: "{") {
      let text = String(decoding: Array(span: start), as: UTF8.self)
      if text.contains("\"bug_type\""), text.contains("\"298\"") { return true }
      return text.contains("\"memoryStatus\"") && text.contains("\"pageSize\"")
    }
    return hasLine(in: prefix, amongFirst: 60) { line in
      line.starts(with: "Largest process:") || JetsamTextReader.isRow(line)
    }
  }

  private static func readJetsamReport(
    _ bytes: Span<UInt8>, file: String, issues: inout ImportIssues
  ) throws(TraceError) -> JetsamReport {
    let bytes = bytes.extracting(bytes.markCount..<bytes.count)
    var first = 0
    while first < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[first]) { first += 1 }
    let isJSON = first < bytes.count && bytes[first] == UInt8(ascii: "{")
    let report: JetsamReport
    let isReport: Bool
    if isJSON {
      var reader = JetsamJSONReader()
      reader.read(bytes, issues: &issues)
      (report, isReport) = (reader.report, reader.isReport)
    } else {
      var reader = JetsamTextReader()
      reader.read(bytes, issues: &issues)
      (report, isReport) = (reader.report, reader.isReport)
    }
    guard isReport else {
      throw TraceError(
        file: file, what: "is not a report of a jetsam event",
        remedy: "it has memoryStatus and processes, or lines of pages and processes")
    }
    return report
  }
}

extension Span where Element == UInt8 {
  /// How many bytes the byte-order mark of UTF-8 has at the beginning; 0 if there is none.
  fileprivate var markCount: Int { starts(with: "\u{FEFF}") ? 3 : 0 }
}
