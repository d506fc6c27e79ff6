import JettisonCore
import JettisonReports

/// Makes a recorder for each run.
struct SkylineListeners: RunListeners {
  func listener(to run: StartedRun) -> (any RunListener)? { SkylineListener(run) }
}

/// Listens to one run.
private final class SkylineListener: RunListener {
  private let run: StartedRun
  private let skyline: SkylineRecorder

  var recorder: any Recorder { skyline }

  init(_ run: StartedRun) {
    self.run = run
    skyline = SkylineRecorder(
      appCount: run.apps.count, end: run.trace.index.endNanoseconds,
      startSecondsOfDay: run.trace.header.startSecondsOfDay)
  }

  func finish() -> any RunPart {
    SkylinePart(
      SkylineRun(
        key: run.key, position: run.position, trace: run.trace, policy: run.policy,
        days: skyline.finish(),
        droppedDays: skyline.droppedDays, tally: skyline.tally,
        marks: CaptureMarks(run.trace, binNanoseconds: skyline.binNanoseconds)))
  }
}

/// What is kept of a run.
final class SkylinePart: RunPart {
  let run: SkylineRun

  init(_ run: SkylineRun) { self.run = run }

  /// It holds nothing but memory.
  func discard() {}
}

/// Keeps the runs that cost most, as many as a page shows.
struct CostliestRuns {
  /// Runs that a page shows.
  static let limit = 6

  private(set) var runs: [SkylineRun] = []
  /// Runs that others were preferred to.
  private(set) var droppedCount = 0

  mutating func add(_ run: SkylineRun) {
    runs.append(run)
    guard runs.count > Self.limit else { return }
    let cheapest = runs.indices.min { SkylineRun.isCheaper(runs[$0], runs[$1]) } ?? 0
    runs.remove(at: cheapest)
    droppedCount += 1
  }

  /// The costliest first.
  var inOrder: [SkylineRun] { runs.sorted { SkylineRun.isCheaper($1, $0) } }
}
