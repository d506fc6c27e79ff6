/// Where the events of a trace live: an array, or a file mapped read-only.
public protocol EventStorage: Sendable {
  /// Number of events.
  var count: Int { get }

  /// Appends the events at some positions to an array.
  ///
  /// - Complexity: O(length of the range), if it begins and ends at multiples of
  ///   ``EventWindows/batchCount``.
  func append(_ range: Range<Int>, to events: inout [TraceEvent])

  /// Lends the events part after part, in order, each with the position of its first event. They
  /// must not be kept beyond the call.
  ///
  /// Events of one instant are never parted: what belongs together is in one part.
  func forEachWindow<Failure: Error>(
    _ body: (Span<TraceEvent>, Int) throws(Failure) -> Void
  ) throws(Failure)
}

/// How storages part their events.
public enum EventWindows {
  /// Number of events that are decoded together; with the memory of their records, half of what
  /// the second cache of a small core holds.
  public static let batchCount = 8192
}

extension EventStorage {
  /// Copies batch after batch, for storages that hold no records: memory for one batch and the
  /// longest instant.
  public func forEachWindow<Failure: Error>(
    _ body: (Span<TraceEvent>, Int) throws(Failure) -> Void
  ) throws(Failure) {
    var window: [TraceEvent] = []
    var first = 0
    while first < count {
      let next = first + window.count
      append(next..<min(next + EventWindows.batchCount, count), to: &window)
      let isLast = first + window.count == count
      let length = isLast ? window.count : Self.wholeInstants(window.span)
      if length == 0 { continue }
      try body(window.span.extracting(first: length), first)
      window.removeFirst(length)
      first += length
    }
  }

  /// How many events come before the last instant, of which there may be more to come.
  private static func wholeInstants(_ events: Span<TraceEvent>) -> Int {
    let last = events[events.count - 1].timeNanoseconds
    // Checked first, so that an instant of many batches costs one comparison for each.
    if events[0].timeNanoseconds == last { return 0 }
    var length = events.count
    while events[length - 1].timeNanoseconds == last { length -= 1 }
    return length
  }

  /// Calls a function for each event in order.
  public func forEach<Failure: Error>(
    _ body: (TraceEvent) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachWindow { (events, _) throws(Failure) in
      for position in 0..<events.count { try body(events[position]) }
    }
  }

  /// Lends all events at once: copies them where the storage holds no records.
  public func withEvents<Failure: Error>(
    _ body: (Span<TraceEvent>) throws(Failure) -> Void
  ) throws(Failure) {
    var events: [TraceEvent] = []
    append(0..<count, to: &events)
    try body(events.span)
  }
}

/// Events held in memory.
public struct ArrayEventStorage: EventStorage {
  private let events: [TraceEvent]

  /// Keeps `events`, in trace order.
  public init(_ events: [TraceEvent]) {
    self.events = events
  }

  /// Number of events.
  public var count: Int { events.count }

  /// Copies some of the events.
  public func append(_ range: Range<Int>, to events: inout [TraceEvent]) {
    events.append(contentsOf: self.events[range])
  }

  /// Lends the events, which are in memory already, all at once.
  public func forEachWindow<Failure: Error>(
    _ body: (Span<TraceEvent>, Int) throws(Failure) -> Void
  ) throws(Failure) {
    try body(events.span, 0)
  }
}
