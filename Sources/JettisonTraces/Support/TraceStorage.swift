internal import JettisonModel
package import JettisonSupport

/// Where a builder keeps the events.
public enum TraceStorage: Sendable {
  /// In an array.
  case memory
  /// In an unlinked temporary file that is mapped at the end.
  case spool
}

/// Events in a mapped file, checked when it was opened.
struct MappedEventStorage: EventStorage {
  let file: MappedFile
  let offset: Int
  let count: Int

  func append(_ range: Range<Int>, to events: inout [TraceEvent]) {
    file.withElements(of: TraceEvent.self, at: offset, count: count) { all in
      for position in range { events.append(all[position]) }
    }
  }

  func forEachWindow<Failure: Error>(
    _ body: (Span<TraceEvent>, Int) throws(Failure) -> Void
  ) throws(Failure) {
    try file.withElements(of: TraceEvent.self, at: offset, count: count) {
      (events) throws(Failure) in try body(events, 0)
    }
  }
}

/// Captured ids in a mapped file.
struct MappedIDStorage: IDStorage {
  let file: MappedFile
  let offset: Int
  let count: Int

  func withIDs<Failure: Error>(
    _ body: (Span<Int64>) throws(Failure) -> Void
  ) throws(Failure) {
    try file.withElements(of: Int64.self, at: offset, count: count, body)
  }
}

/// A list of plain data that grows in memory or in a temporary file.
///
/// Importers append millions of facts: what they call is inlined into them.
@usableFromInline
package struct GrowingList<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline static var batch: Int { 8192 }

  @usableFromInline var tail: [Element] = []
  @usableFromInline var spool: SpoolFile?
  @usableFromInline var spooled = 0

  package init(_ storage: TraceStorage) throws(TraceFault) {
    switch storage {
    case .memory: spool = nil
    case .spool:
      spool = try SpoolFile()
      tail.reserveCapacity(Self.batch)
    }
  }

  /// Number of elements.
  @inlinable package var count: Int { spooled + tail.count }

  @inlinable package mutating func append(_ element: Element) throws(TraceFault) {
    tail.append(element)
    if tail.count >= Self.batch, spool != nil { try flush() }
  }

  /// Makes room in memory for so many elements in all.
  package mutating func reserve(_ count: Int) {
    if spool == nil { tail.reserveCapacity(count) }
  }

  @usableFromInline mutating func flush() throws(TraceFault) {
    try spool?.append(tail)
    spooled += tail.count
    tail.removeAll(keepingCapacity: true)
  }

  /// Changes every element in place, in order.
  package mutating func rewrite(_ change: (inout Element) -> Void) throws(TraceFault) {
    if spool == nil {
      for position in tail.indices { change(&tail[position]) }
      return
    }
    try flush()
    guard let file = try spool?.mapSoFar() else { return }
    var position = 0
    while position < spooled {
      let length = min(Self.batch, spooled - position)
      let offset = position * MemoryLayout<Element>.stride
      var part: [Element] = []
      part.reserveCapacity(length)
      file.withElements(of: Element.self, at: offset, count: length) { elements in
        for index in 0..<elements.count {
          var element = elements[index]
          change(&element)
          part.append(element)
        }
      }
      try spool?.write(part, at: offset)
      position += length
    }
  }

  /// The elements in an array, or the mapped file.
  package consuming func finish() throws(TraceFault) -> Finished {
    if spool == nil { return .memory(tail) }
    try flush()
    let count = spooled
    guard let file = try spool?.mapSoFar() else { return .memory([]) }
    return .mapped(file, count: count)
  }

  package enum Finished {
    case memory([Element])
    case mapped(MappedFile, count: Int)
  }
}
