package import JettisonCore

/// Streams what happens in one run to the large files.
///
/// A recorder cannot stop a run: the first write that fails is kept, what follows is dropped,
/// and ``finish()`` throws it. Memory is bounded by the number of apps.
package final class CSVRecorder: Recorder {
  package let wantsEvents: Bool
  package let wantsDecisions: Bool
  package let wantsFootprints: Bool
  /// The first write that failed.
  package private(set) var failure: ReportError?

  private let run: DetailTables.NamedRun
  private let encodedKey: [UInt8]
  private let keyCount: Int
  private let events: CSVWriter?
  /// Whether a kind of event has a row, by its raw value.
  private let isTold: [Bool]
  private let decisions: CSVWriter?
  private let footprints: CSVWriter?
  private var thinning: FootprintThinning

  /// Writes rows of one run.
  ///
  /// - Parameters:
  ///   - key: The run.
  ///   - apps: Decoded names of its apps, by ``AppIndex``.
  ///   - details: Texts of the details of its trace, by position.
  ///   - eventKinds: The kinds of events that have rows; nil: all.
  ///   - samplePeriodNanoseconds: At most one footprint per app in this time; 0 or less: all.
  ///   - writers: Where each file's rows go; files without a writer are not wanted.
  package init(
    key: RunKey, apps: [String], details: [String], eventKinds: Set<RecordedKind>? = nil,
    samplePeriodNanoseconds: Int64, writers: [DetailKind: CSVWriter]
  ) {
    run = DetailTables.NamedRun(key: key, apps: apps, details: details)
    thinning = FootprintThinning(
      appCount: apps.count, samplePeriodNanoseconds: samplePeriodNanoseconds)
    events = writers[.events]
    isTold = RecordedKind.allCases.map { eventKinds?.contains($0) ?? true }
    decisions = writers[.decisions]
    footprints = writers[.footprints]
    wantsEvents = events != nil
    wantsDecisions = decisions != nil
    wantsFootprints = footprints != nil
    let cells = RunTables.keyFields { (key: borrowing RunKey) in copy key }.map { $0.cell(key) }
    encodedKey = CSVWriter.encoded(cells)
    keyCount = cells.count
  }

  package func record(_ event: EventRecord) {
    guard failure == nil, let events, isTold[Int(event.kind.rawValue)] else { return }
    let row = DetailTables.Row(run: run, record: event)
    attempt { () throws(ReportError) in
      try DetailTables.events.write(
        row, encodedKey: encodedKey, keyCount: keyCount, to: events)
    }
  }

  package func record(_ decision: DecisionRecord) {
    guard failure == nil, let decisions else { return }
    attempt { () throws(ReportError) in
      for place in 0..<max(1, decision.candidates.count) {
        let ranked = DetailTables.Ranked(
          decision: decision, rank: place + 1,
          candidate: decision.candidates.isEmpty ? nil : decision.candidates[place])
        try DetailTables.decisions.write(
          DetailTables.Row(run: run, record: ranked), encodedKey: encodedKey, keyCount: keyCount,
          to: decisions)
      }
    }
  }

  package func record(_ footprint: FootprintRecord) {
    guard failure == nil, let footprints else { return }
    thinning.take(footprint) { write($0, to: footprints) }
  }

  package func record(_ memory: MemoryRecord) {
    guard failure == nil, let footprints else { return }
    thinning.take(memory) { write($0, to: footprints) }
  }

  /// Writes what is still held back and hands everything to the system.
  package func finish() throws(ReportError) {
    if let footprints { thinning.flush { write($0, to: footprints) } }
    if let failure { throw failure }
    for writer in [events, decisions, footprints] { try writer?.file.flush() }
  }

  private func write(_ record: MemoryRow, to writer: CSVWriter) {
    attempt { () throws(ReportError) in
      try DetailTables.footprints.write(
        DetailTables.Row(run: run, record: record), encodedKey: encodedKey, keyCount: keyCount,
        to: writer)
    }
  }

  private func attempt(_ body: () throws(ReportError) -> Void) {
    guard failure == nil else { return }
    do throws(ReportError) { try body() } catch { failure = error }
  }
}
