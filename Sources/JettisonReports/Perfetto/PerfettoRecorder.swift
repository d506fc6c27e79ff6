internal import JettisonCore
internal import JettisonPerfetto
internal import JettisonSupport

/// Streams what happens in one run to a part of a Perfetto trace.
///
/// A recorder cannot stop a run: the first write that fails is kept, what follows is dropped, and
/// ``finish()`` throws it. Memory is bounded by the number of apps.
final class PerfettoRecorder: Recorder {
  let wantsEvents = true
  let wantsDecisions = true
  let wantsFootprints = true

  /// Bytes that are written together.
  private static let chunkBytes = 1 << 16

  private let file: OutputFile
  private var writer: PacketWriter
  private var processes: PerfettoProcesses
  private var tracks: PerfettoTracks
  private var thinning: FootprintThinning
  private var failure: ReportError?

  init(
    _ run: StartedRun, _ place: PerfettoPlace, samplePeriodNanoseconds: Int64, file: OutputFile
  ) {
    self.file = file
    writer = PacketWriter(sequence: place.sequence, machine: place.machine)
    processes = PerfettoProcesses(run, place)
    tracks = PerfettoTracks(run, place)
    thinning = FootprintThinning(
      appCount: run.apps.count, samplePeriodNanoseconds: samplePeriodNanoseconds)
    let start = run.start.flatMap { CivilTime.moment($0.utf8.span)?.nanoseconds }
    processes.begin(sinceEpoch: start, &writer)
    tracks.begin(&writer)
  }

  func record(_ event: EventRecord) {
    guard failure == nil else { return }
    // Footprints from before belong to processes that may end now.
    thinning.advance(to: event.timeNanoseconds) { show($0) }
    if processes.take(event, &writer) { thinning.forget(event.app) }
    tracks.take(event, &writer)
    drain()
  }

  func record(_ decision: DecisionRecord) {
    guard failure == nil else { return }
    processes.take(decision, &writer)
    tracks.take(decision, &writer)
    drain()
  }

  func record(_ footprint: FootprintRecord) {
    guard failure == nil else { return }
    thinning.take(footprint) { show($0) }
    drain()
  }

  func record(_ memory: MemoryRecord) {
    guard failure == nil else { return }
    thinning.take(memory) { show($0) }
    drain()
  }

  /// Writes what is still held back and hands everything to the system.
  func finish() throws(ReportError) {
    thinning.flush { show($0) }
    processes.finish(&writer)
    tracks.finish(&writer)
    writer.flush()
    drain(all: true)
    if let failure { throw failure }
    try file.flush()
  }

  private func show(_ row: MemoryRow) {
    if let footprint = row.footprint {
      processes.take(footprint, &writer)
      tracks.take(footprint, &writer)
    }
    processes.take(row.memory, &writer)
    tracks.take(row.memory, &writer)
  }

  private func drain(all: Bool = false) {
    guard all || writer.byteCount >= Self.chunkBytes else { return }
    do throws(ReportError) {
      if processes.isFull { throw .tooManyProcesses(path: file.path) }
      try writer.take { (bytes) throws(ReportError) in try file.write(bytes) }
    } catch {
      failure = failure ?? error
    }
  }
}
