internal import JettisonModel
internal import JettisonSupport

/// A row's kind, and which of its columns are filled, in one byte.
///
/// Bits 0 to 5 are the kind's number, bit 6 says that `value` is filled, bit 7 that `app` is. A kind
/// has an id always or never.
struct EventCode: BitwiseCopyable {
  static let valueBit: UInt8 = 1 << 6
  static let appBit: UInt8 = 1 << 7
  static let kindMask: UInt8 = 1 << 6 - 1

  let rawValue: UInt8

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  init(_ event: TraceEvent) {
    rawValue =
      event.kind.rawValue | (event.flags.contains(.hasValue) ? Self.valueBit : 0)
      | (event.app != .none ? Self.appBit : 0)
  }

  var kindNumber: UInt8 { rawValue & Self.kindMask }
  /// Nil for a number that no kind has.
  var kind: EventKind? { EventKind(rawValue: kindNumber) }
  var hasValue: Bool { rawValue & Self.valueBit != 0 }
  var hasApp: Bool { rawValue & Self.appBit != 0 }
  var hasID: Bool { kind.map { EventShape.of($0).id == .required } ?? false }

  var flags: EventFlags {
    var flags: EventFlags = []
    if hasValue { flags.insert(.hasValue) }
    if hasID { flags.insert(.hasID) }
    return flags
  }

  /// The part of a row that its code tells, by raw value.
  ///
  /// A number that no kind has stands as `end`: who reads such rows asks for the number itself.
  static let rows: [TraceEvent] = (0...UInt8.max).map { raw in
    let code = EventCode(rawValue: raw)
    return TraceEvent(
      timeNanoseconds: 0, kind: code.kind ?? .end,
      app: code.hasApp ? AppIndex(rawValue: 0) : .none, flags: code.flags)
  }
}

/// Where the columns of some events of a binary trace of version 2 are in its file.
///
/// A block has ``EventWindows/batchCount`` events, the last one of a trace 1 to that many. It
/// begins with
///
/// - the number of events, and of those with an app, with a value and with an id (32 bits each);
/// - a byte for each column of ``Column``: how many bytes its numbers have, 0, 1, 2, 4 or 8; two
///   bytes 0;
/// - the time of the event before the block, 0 for the first (64 bits);
/// - the unit of its times in nanoseconds (64 bits);
/// - a base for each column (64 bits each).
///
/// The columns follow in order, each with zeros up to a multiple of 8 bytes. What a column says is
/// base + number; where numbers have no bytes, all of them are the base.
struct EventBlock {
  /// A column; raw values are the order in the file.
  enum Column: Int, CaseIterable {
    /// ``EventCode`` of each event.
    case code
    /// Units since the event before, for each event.
    case time
    /// Number of the app, for each event with one.
    case app
    /// For each event with a value.
    case value
    /// Slot of the block or task, for each event with an id.
    case slot
    /// Number of the detail, for each event.
    case detail

    /// Largest number that may stand in the column; nil: any 64 bits.
    var limit: Int64? {
      switch self {
      case .code: Int64(UInt8.max)
      case .app, .slot, .detail: Int64(UInt32.max)
      case .time, .value: nil
      }
    }
  }

  /// The numbers of a column.
  struct Extent {
    /// Bytes of a number.
    var width: Int
    var base: Int64
    var offset: Int
    var count: Int
  }

  static let headBytes = 40 + 8 * Column.allCases.count

  /// Number of events.
  let count: Int
  /// Time of the event before the block, in nanoseconds.
  let start: Int64
  /// Unit of its times in nanoseconds.
  let unit: Int64
  /// Size in bytes.
  let length: Int
  private let extents: [Extent]

  subscript(column: Column) -> Extent { extents[column.rawValue] }

  /// Finds the columns of the block at an offset; nil if it has no such shape or does not fit.
  ///
  /// Complexity: O(1).
  init?(_ bytes: Span<UInt8>, at offset: Int, before end: Int) {
    guard offset >= 0, end <= bytes.count, Self.headBytes <= end - offset else { return nil }
    let head = bytes.extracting(offset..<offset + Self.headBytes)
    let counts = (0..<4).map { Int(head.number(at: $0 * 4, bytes: 4)) }
    count = counts[0]
    guard count > 0, count <= EventWindows.batchCount, counts.allSatisfy({ $0 <= counts[0] }),
      head.number(at: 16 + Column.allCases.count, bytes: 2) == 0,
      let unit = Int64(exactly: head.number(at: 32, bytes: 8)), unit > 0
    else { return nil }
    start = Int64(bitPattern: head.number(at: 24, bytes: 8))
    self.unit = unit
    var extents: [Extent] = []
    var place = offset + Self.headBytes
    for column in Column.allCases {
      let extent = Extent(
        width: Int(head[16 + column.rawValue]),
        base: Int64(bitPattern: head.number(at: 40 + 8 * column.rawValue, bytes: 8)),
        offset: place, count: Self.count(of: column, counts))
      guard Self.isLegal(extent, in: column) else { return nil }
      let numbers = place + extent.count * extent.width
      place += Self.padded(extent.count * extent.width)
      guard place <= end, (numbers..<place).allSatisfy({ bytes[$0] == 0 }) else { return nil }
      extents.append(extent)
    }
    self.extents = extents
    length = place - offset
  }

  private static func count(of column: Column, _ counts: [Int]) -> Int {
    switch column {
    case .code, .time, .detail: counts[0]
    case .app: counts[1]
    case .value: counts[2]
    case .slot: counts[3]
    }
  }

  /// Whether no number of a column can be beyond its limit.
  private static func isLegal(_ extent: Extent, in column: Column) -> Bool {
    guard [0, 1, 2, 4, 8].contains(extent.width) else { return false }
    guard let limit = column.limit else { return true }
    guard extent.width < 8 else { return false }
    return extent.base >= 0 && extent.base <= limit - (1 << (8 * Int64(extent.width)) - 1)
  }

  static func padded(_ bytes: Int) -> Int { (bytes + 7) & ~7 }
}

/// What is done with the numbers of a column, however wide they are.
protocol ColumnVisitor {
  mutating func visit<Number: ColumnNumber>(_ numbers: Span<Number>, base: Int64)
}

/// A number in a column.
protocol ColumnNumber: FixedWidthInteger, UnsignedInteger, BitwiseCopyable, Sendable {}

extension UInt8: ColumnNumber {}
extension UInt16: ColumnNumber {}
extension UInt32: ColumnNumber {}
extension UInt64: ColumnNumber {}

extension ColumnNumber {
  /// What the column says: wraps where a hostile base makes it, which checks find out.
  @inline(__always) func plus(_ base: Int64) -> Int64 {
    base &+ Int64(truncatingIfNeeded: self)
  }
}

extension EventBlock {
  /// Stands for numbers without bytes.
  private static let zeros = [UInt8](repeating: 0, count: EventWindows.batchCount)

  /// Lets a visitor see the numbers of a column.
  ///
  /// All numbers are little-endian, as the machines are that this runs on.
  func visit<Visitor: ColumnVisitor>(
    _ column: Column, of file: MappedFile, _ visitor: inout Visitor
  ) {
    let extent = self[column]
    let base = extent.base
    func read<Number: ColumnNumber>(_ type: Number.Type) {
      file.withElements(of: type, at: extent.offset, count: extent.count) { numbers in
        visitor.visit(numbers, base: base)
      }
    }
    switch extent.width {
    case 1: read(UInt8.self)
    case 2: read(UInt16.self)
    case 4: read(UInt32.self)
    case 8: read(UInt64.self)
    default:
      let zeros = Self.zeros
      visitor.visit(zeros.span.extracting(first: extent.count), base: base)
    }
  }
}

extension Span where Element == UInt8 {
  /// The little-endian number of so many bytes at a place.
  func number(at offset: Int, bytes: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in 0..<bytes { number |= UInt64(self[offset + index]) << UInt64(index * 8) }
    return number
  }
}
