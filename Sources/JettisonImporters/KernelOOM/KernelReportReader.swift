internal import JettisonModel
internal import JettisonTraces

/// Reads the reports of the kernel's OOM killer out of a log and turns them into the facts of a
/// capture.
///
/// A report is one moment. What happened between two of them is known by the later one only: a
/// process that is new there began before it, one that is missing has ended.
struct KernelReportReader {
  private var parser: KernelReportParser
  private var moments: KernelMoments

  /// Begins to read; only processes whose names the filter keeps count as apps.
  init(_ options: ImportOptions) {
    parser = KernelReportParser(year: options.year, zone: options.zoneOffsetSeconds)
    moments = KernelMoments(AppFilter(options.apps))
  }

  /// What the times count from.
  var clock: CaptureClock { parser.clock }
  var source: String { moments.source }
  var deviceYAML: String? { moments.deviceYAML }

  /// Takes one line.
  mutating func take(
    _ line: Span<UInt8>, _ number: Int, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    if let ended = parser.take(line, number, &timeline.issues) {
      try moments.add(ended, parser.names, &timeline)
    }
  }

  /// Ends the capture.
  ///
  /// - Parameter cutLine: A last line that has no end.
  mutating func finish(
    cutLine: Int?, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    if let cutLine, parser.isInReport {
      timeline.issues.add(.dataLoss, "the last report is cut off", line: cutLine)
    }
    if let ended = parser.finish() { try moments.add(ended, parser.names, &timeline) }
  }
}
