package import JettisonCore

/// Events that are lent instant by instant, as they are from a file whose blocks end anywhere.
package struct InstantStorage: EventStorage {
  private let events: [TraceEvent]

  /// Keeps events, in trace order.
  package init(_ events: [TraceEvent]) { self.events = events }

  package var count: Int { events.count }

  package func append(_ range: Range<Int>, to events: inout [TraceEvent]) {
    events.append(contentsOf: self.events[range])
  }

  package func forEachWindow<Failure: Error>(
    _ body: (Span<TraceEvent>, Int) throws(Failure) -> Void
  ) throws(Failure) {
    var first = 0
    while first < events.count {
      let time = events[first].timeNanoseconds
      var next = first
      while next < events.count, events[next].timeNanoseconds == time { next += 1 }
      try body(events.span.extracting(first..<next), first)
      first = next
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
