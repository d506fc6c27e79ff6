internal import JettisonCore
internal import JettisonSupport

/// Writes what happens in runs as a Perfetto trace: <doc:Perfetto>.
///
/// Several runs lie beside one another, each as a machine of its own, and all of them beside a capture
/// if one is named, on its clock. The file is created at once and gets its name in ``publish()``: an
/// error before leaves what was there untouched.
public final class PerfettoReportSink: ReportSink, FileOutput {
  /// Those of all runs.
  public let listeners: (any RunListeners)?
  private let file: OutputFile
  package var outputFiles: [OutputFile] { [file] }

  /// Makes the file under a temporary name, and copies the capture into it.
  ///
  /// - Parameters:
  ///   - path: Where the file belongs.
  ///   - capture: A Perfetto trace that the runs are put beside; nil: they have the file for themselves.
  ///   - samplePeriodNanoseconds: At most one footprint per app in this time; 0 or less: all.
  /// - Throws: ``ReportError`` if the file cannot be made, or the capture cannot be used.
  public init(
    path: String, beside capture: String? = nil, samplePeriodNanoseconds: Int64 = 1_000_000_000
  ) throws(ReportError) {
    let beside = try capture.map { (path) throws(ReportError) in try BesideCapture(path: path) }
    file = try OutputFile(path: path)
    if let capture { try file.append(contentsOf: capture) }
    listeners = PerfettoListeners(
      path: path, capture: beside, samplePeriodNanoseconds: samplePeriodNanoseconds)
  }

  /// Adds the packets of a run.
  ///
  /// - Throws: ``ReportError`` if they cannot be written.
  public func add(_ part: any RunPart) throws(ReportError) {
    guard let packets = (part as? PerfettoPart)?.packets else { return }
    try file.append(packets)
  }

  /// Closes the file.
  ///
  /// - Throws: ``ReportError`` if it cannot be written.
  public func finish(runs: [RunRecord], comparisons: [Comparison]) throws(ReportError) {
    try file.complete()
  }

  /// Gives the file its name.
  ///
  /// - Throws: ``ReportError`` if it cannot have it.
  public func publish() throws(ReportError) {
    try file.publish()
  }
}

/// Makes listeners for runs that execute in parallel: each writes a part of its own, which the sink
/// joins in order.
private struct PerfettoListeners: RunListeners {
  let path: String
  let capture: BesideCapture?
  let samplePeriodNanoseconds: Int64
  let memory = PartMemory()

  func listener(to run: StartedRun) throws(ReportError) -> (any RunListener)? {
    guard run.position < PerfettoPlace.runCount else {
      throw .tooManyRuns(path: path, most: PerfettoPlace.runCount)
    }
    let place = PerfettoPlace(run.position, beside: try capture?.origin(of: run))
    let file = OutputFile(partOf: "\(path).part\(run.position)", in: memory)
    return PerfettoListener(
      PerfettoRecorder(
        run, place, samplePeriodNanoseconds: samplePeriodNanoseconds, file: file),
      file)
  }
}

private final class PerfettoListener: RunListener {
  private let packets: PerfettoRecorder
  private let file: OutputFile

  var recorder: any Recorder { packets }

  init(_ packets: PerfettoRecorder, _ file: OutputFile) {
    self.packets = packets
    self.file = file
  }

  func finish() throws(ReportError) -> any RunPart {
    try packets.finish()
    return PerfettoPart(packets: try file.handOver())
  }
}

/// The packets of one run.
private final class PerfettoPart: RunPart {
  let packets: OutputPart?

  init(packets: OutputPart?) {
    self.packets = packets
  }

  func discard() { packets?.discard() }
}
