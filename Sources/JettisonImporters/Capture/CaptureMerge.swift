internal import HeapModule

/// What happened at a time of a capture.
protocol CaptureTimed: BitwiseCopyable {
  /// When, on the capture's own clock.
  var nanoseconds: Int64 { get }
}

/// Order of the facts of a capture: by time, equal times as they were added.
///
/// A capture is a few parts in which times do not fall (its buffers, sections or processors), and
/// those are merged: memory is bounded by their number, not by that of the facts.
struct CaptureMerge<Record: CaptureTimed> {
  private struct Cursor: Comparable {
    let nanoseconds: Int64
    let position: Int
    let end: Int

    static func < (left: Cursor, right: Cursor) -> Bool {
      (left.nanoseconds, left.position) < (right.nanoseconds, right.position)
    }
  }

  private let parts: [Range<Int>]
  /// Where the next fact is; nil: there is none.
  private var first: Cursor?
  /// Where the other parts go on.
  private var others = Heap<Cursor>()
  private var hasBegun = false

  /// Prepares the order of `count` facts, whose parts begin at the given positions.
  init(partStarts: [Int], count: Int) {
    parts = partStarts.indices.map { part in
      partStarts[part]..<(part + 1 < partStarts.count ? partStarts[part + 1] : count)
    }
  }

  /// The position of the next fact; nil after the last one.
  ///
  /// Complexity: O(log parts); O(1) while facts of one part follow each other.
  mutating func next(_ records: Span<Record>) -> Int? {
    if !hasBegun {
      hasBegun = true
      others = Heap(parts.compactMap { Self.cursor(records, $0) })
      first = others.popMin()
    }
    guard let found = first else { return nil }
    if let next = Self.cursor(records, (found.position + 1)..<found.end) {
      let isNext = others.min.map { next < $0 } ?? true
      first = isNext ? next : others.replaceMin(with: next)
    } else {
      first = others.popMin()
    }
    return found.position
  }

  private static func cursor(
    _ records: Span<Record>, _ range: Range<Int>
  ) -> Cursor? {
    guard !range.isEmpty else { return nil }
    return Cursor(
      nanoseconds: records[range.lowerBound].nanoseconds, position: range.lowerBound,
      end: range.upperBound)
  }
}
