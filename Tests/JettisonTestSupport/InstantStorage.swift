package import JettisonCore

/// Events that are lent instant by instant, as they are from a file whose blocks end anywhere.
package struct InstantStorage: EventStorage {
  private let whole: ArrayEventStorage

  /// Keeps events, in trace order.
  package init(_ events: [TraceEvent]) { whole = ArrayEventStorage(events) }

  package var count: Int { whole.count }

  package func append(_ range: Range<Int>, to events: inout [TraceEvent]) {
    whole.append(range, to: &events)
  }

  package func forEachWindow<Failure: Error>(
    _ body: (Span<TraceEvent>, Int) throws(Failure) -> Void
  ) throws(Failure) {
    try whole.forEachWindow { (events, _) throws(Failure) in
      var first = 0
      while first < events.count {
        let time = events[first].timeNanoseconds
        var next = first
        while next < events.count, events[next].timeNanoseconds == time { next += 1 }
        try body(events.extracting(first..<next), first)
        first = next
      }
    }
  }
}

extension Trace {
  /// The same trace with other events, lent instant by instant.
  package func lending(_ events: [TraceEvent]) -> Trace {
    Trace(
      name: name, header: header, apps: apps, details: details, detailTexts: detailTexts,
      events: InstantStorage(events), blockSlotCount: blockSlotCount, taskSlotCount: taskSlotCount,
      capturedIDs: capturedIDs, issues: issues)
  }
}
