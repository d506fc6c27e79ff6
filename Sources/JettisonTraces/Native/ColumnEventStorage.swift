internal import JettisonModel
internal import JettisonSupport

/// Events in columns of a mapped file, checked when it was opened; decoded block after block for
/// each who reads them.
struct ColumnEventStorage: EventStorage {
  let file: MappedFile
  let count: Int
  /// Where each block begins in the file.
  let blocks: [Int]
  /// Where the last block ends.
  let end: Int

  func append(_ range: Range<Int>, to events: inout [TraceEvent]) {
    var position = range.lowerBound
    while position < range.upperBound {
      let index = position / EventWindows.batchCount
      let first = index * EventWindows.batchCount
      let next = min(first + EventWindows.batchCount, count)
      if position == first, next <= range.upperBound {
        decode(block(at: blocks[index]), to: &events)
      } else {
        var part: [TraceEvent] = []
        decode(block(at: blocks[index]), to: &part)
        events.append(contentsOf: part[position - first..<min(next, range.upperBound) - first])
      }
      position = next
    }
  }

  /// Lends block after block with the codes as they stand in the file.
  func forEachBlock(
    _ body: ([TraceEvent], [UInt8]) throws(TraceError) -> Void
  ) throws(TraceError) {
    var codes = Widened<UInt8>()
    var events: [TraceEvent] = []
    for offset in blocks {
      let block = block(at: offset)
      events.removeAll(keepingCapacity: true)
      decode(block, to: &events)
      block.visit(.code, of: file, &codes)
      try body(events, codes.numbers)
    }
  }

  private func block(at offset: Int) -> EventBlock {
    // Its shape was checked when the file was opened.
    guard let block = file.withBytes({ EventBlock($0, at: offset, before: end) }) else {
      preconditionFailure("a file that is open does not change")
    }
    return block
  }

  /// Appends the events of a block.
  private func decode(_ block: EventBlock, to events: inout [TraceEvent]) {
    var rows = RowBuilder(block, appendingTo: &events)
    for column in EventBlock.Column.allCases where column != .detail || block.hasDetails {
      rows.column = column
      if block[column].count > 0 { block.visit(column, of: file, &rows) }
    }
    swap(&events, &rows.events)
  }
}

extension EventBlock {
  /// Whether the block may have an event with a detail.
  var hasDetails: Bool { self[.detail].width > 0 || self[.detail].base != 0 }
}

/// Fills in rows column by column.
///
/// Budget: 1 ns per event and column that it has.
private struct RowBuilder: ColumnVisitor {
  var events: [TraceEvent] = []
  var column = EventBlock.Column.code
  /// Where the block's rows begin in ``events``.
  private let first: Int
  private let start: Int64
  private let unit: Int64

  init(_ block: EventBlock, appendingTo events: inout [TraceEvent]) {
    start = block.start
    unit = block.unit
    first = events.count
    swap(&self.events, &events)
    let row = EventCode.rows[Int(UInt8(truncatingIfNeeded: block[.code].base))]
    self.events.append(contentsOf: repeatElement(row, count: block.count))
    isOfOneKind = block[.code].width == 0
  }

  private let isOfOneKind: Bool

  mutating func visit<Number: ColumnNumber>(_ numbers: Span<Number>, base: Int64) {
    switch column {
    case .code: if !isOfOneKind { setCodes(numbers, base) }
    case .time: setTimes(numbers, base)
    case .app: setApps(numbers, base)
    case .value: setValues(numbers, base)
    case .slot: setSlots(numbers, base)
    case .detail: setDetails(numbers, base)
    }
  }

  private mutating func setCodes<Number: ColumnNumber>(_ numbers: Span<Number>, _ base: Int64) {
    let known = EventCode.rows
    let first = first
    var rows = events.mutableSpan
    for index in 0..<numbers.count {
      rows[first + index] = known[Int(UInt8(truncatingIfNeeded: numbers[index].plus(base)))]
    }
  }

  private mutating func setTimes<Number: ColumnNumber>(_ numbers: Span<Number>, _ base: Int64) {
    var time = start
    let unit = unit
    let first = first
    var rows = events.mutableSpan
    for index in 0..<numbers.count {
      // Wraps in no file that passes the checks.
      time = time &+ numbers[index].plus(base) &* unit
      rows[first + index].timeNanoseconds = time
    }
  }

  private mutating func setApps<Number: ColumnNumber>(_ numbers: Span<Number>, _ base: Int64) {
    let last = numbers.count - 1
    let first = first
    var next = 0
    var rows = events.mutableSpan
    // The block has as many as rows: each has one.
    if first + numbers.count == rows.count {
      for index in 0...last {
        let app = UInt32(truncatingIfNeeded: numbers[index].plus(base))
        rows[first + index].app = AppIndex(rawValue: app)
      }
      return
    }
    for position in first..<rows.count {
      let hasApp = rows[position].app != .none
      let app = UInt32(truncatingIfNeeded: numbers[min(next, last)].plus(base))
      rows[position].app = AppIndex(rawValue: hasApp ? app : .max)
      next += hasApp ? 1 : 0
    }
  }

  private mutating func setValues<Number: ColumnNumber>(_ numbers: Span<Number>, _ base: Int64) {
    let last = numbers.count - 1
    let first = first
    var next = 0
    var rows = events.mutableSpan
    for position in first..<rows.count {
      // Without branches: which rows have a value is not to be guessed.
      let hasValue = Int64(rows[position].flags.intersection(.hasValue).rawValue)
      rows[position].value = numbers[min(next, last)].plus(base) & (0 &- hasValue)
      next &+= Int(hasValue)
    }
  }

  private mutating func setSlots<Number: ColumnNumber>(_ numbers: Span<Number>, _ base: Int64) {
    let last = numbers.count - 1
    let first = first
    var next = 0
    var rows = events.mutableSpan
    // The block has as many as rows: each has one.
    if first + numbers.count == rows.count {
      for index in 0...last {
        rows[first + index].slot = UInt32(truncatingIfNeeded: numbers[index].plus(base))
      }
      return
    }
    for position in first..<rows.count {
      let hasID = rows[position].flags.contains(.hasID)
      let slot = UInt32(truncatingIfNeeded: numbers[min(next, last)].plus(base))
      rows[position].slot = hasID ? slot : 0
      next += hasID ? 1 : 0
    }
  }

  private mutating func setDetails<Number: ColumnNumber>(_ numbers: Span<Number>, _ base: Int64) {
    let first = first
    var rows = events.mutableSpan
    for index in 0..<numbers.count {
      rows[first + index].detail = UInt32(truncatingIfNeeded: numbers[index].plus(base))
    }
  }
}
