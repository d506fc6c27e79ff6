internal import JettisonModel

/// Puts events into the columns of a block (``EventBlock``).
struct EventColumnWriter {
  /// Time of the event before the block.
  private var time: Int64 = 0
  private var columns = [[Int64]](repeating: [], count: EventBlock.Column.allCases.count)
  private var counts: [UInt32] = [0, 0, 0, 0]

  /// The block of the next events, at most ``EventWindows/batchCount``.
  mutating func block(_ events: Span<TraceEvent>) -> [UInt8] {
    for column in columns.indices { columns[column].removeAll(keepingCapacity: true) }
    let start = time
    for position in 0..<events.count { add(events[position]) }
    let unit = divideTimes()
    var bytes: [UInt8] = []
    for column in [EventBlock.Column.code, .app, .value, .slot] {
      bytes.append(little: UInt32(self[column].count))
    }
    let encoded = EventBlock.Column.allCases.map { Encoded(self[$0], $0) }
    for column in encoded { bytes.append(UInt8(column.width)) }
    bytes.append(contentsOf: [0, 0])
    bytes.append(little: UInt64(bitPattern: start))
    bytes.append(little: UInt64(bitPattern: unit))
    for column in encoded { bytes.append(little: UInt64(bitPattern: column.base)) }
    for (column, encoded) in zip(EventBlock.Column.allCases, encoded) {
      encoded.append(self[column], to: &bytes)
    }
    return bytes
  }

  private subscript(column: EventBlock.Column) -> [Int64] {
    _read { yield columns[column.rawValue] }
    _modify { yield &columns[column.rawValue] }
  }

  private mutating func add(_ event: TraceEvent) {
    self[.code].append(Int64(EventCode(event).rawValue))
    self[.time].append(event.timeNanoseconds - time)
    time = event.timeNanoseconds
    if event.app != .none { self[.app].append(Int64(event.app.rawValue)) }
    if event.flags.contains(.hasValue) { self[.value].append(event.value) }
    if event.flags.contains(.hasID) { self[.slot].append(Int64(event.slot)) }
    self[.detail].append(Int64(event.detail))
  }

  /// Divides the times by the largest number that divides all of them, and returns it.
  private mutating func divideTimes() -> Int64 {
    var unit: Int64 = 0
    for difference in self[.time] where unit != 1 {
      var (a, b) = (difference, unit)
      while b != 0 { (a, b) = (b, a % b) }
      unit = a
    }
    unit = max(unit, 1)
    if unit > 1 { for index in self[.time].indices { self[.time][index] /= unit } }
    return unit
  }

  /// How the numbers of a column are written.
  private struct Encoded {
    let base: Int64
    let width: Int

    init(_ numbers: [Int64], _ column: EventBlock.Column) {
      let lowest = numbers.min() ?? 0
      let highest = numbers.max() ?? 0
      // Numbers of things are written as they are, unless there is one alone.
      let base = column.limit == nil || lowest == highest ? lowest : 0
      self.base = base
      width =
        switch UInt64(bitPattern: highest &- base) {
        case 0: 0
        case 1...0xFF: 1
        case 0x100...0xFFFF: 2
        case 0x1_0000...0xFFFF_FFFF: 4
        default: 8
        }
    }

    func append(_ numbers: [Int64], to bytes: inout [UInt8]) {
      guard width > 0 else { return }
      for number in numbers {
        let difference = UInt64(bitPattern: number &- base)
        for index in 0..<width {
          bytes.append(UInt8(truncatingIfNeeded: difference >> UInt64(8 * index)))
        }
      }
      let length = numbers.count * width
      bytes.append(contentsOf: repeatElement(0, count: EventBlock.padded(length) - length))
    }
  }
}
