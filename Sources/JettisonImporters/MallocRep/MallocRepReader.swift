internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Turns a trace of the malloc lab into a trace of one app that is in front all the time.
///
/// Four numbers come first, each on a line: a suggested size of the heap, the number of ids, the
/// number of operations, and a weight for the lab's marks. Then `a id bytes` allocates, `r id
/// bytes` resizes, `f id` frees. Ids run from 0 and may be used again once they are free; `f -1`
/// is a free of null. The trace has no times: it happens at a fixed rate.
///
/// Memory is bounded by the number of live blocks: the header's numbers are compared, never
/// trusted.
struct MallocRepReader: AllocationReader {
  /// What a line says.
  enum Content: Equatable {
    case blank
    /// A number of the header.
    case number(Int64)
    case allocate(id: Int64, bytes: Int64)
    case resize(id: Int64, bytes: Int64)
    case free(id: Int64)
  }

  private static let headerCount = 4

  private var stream: AllocationStream
  private var header: [Int64] = []
  private var operationCount: Int64 = 0

  /// Begins a trace.
  init(_ stream: AllocationStream) {
    self.stream = stream
  }

  var appName: String { stream.name }

  func checkEnd(file: String) throws(TraceError) {
    guard !isHeaderComplete else { return }
    throw TraceError(
      file: file, what: "not a malloc lab trace: it does not begin with four numbers",
      remedy: "they are the heap's size, the number of ids, the number of operations, a weight")
  }

  /// Whether all four numbers were there.
  var isHeaderComplete: Bool { header.count == Self.headerCount }
  private var idCount: Int64 { isHeaderComplete ? header[1] : 0 }

  /// Takes a number of the header; false if it cannot be one.
  mutating func takeHeader(_ number: Int64) -> Bool {
    guard !isHeaderComplete, number >= 0 else { return false }
    header.append(number)
    return true
  }

  /// Takes one line, counted from 1.
  mutating func take(
    _ line: Span<UInt8>, number: Int, builder: inout TraceBuilder
  ) throws(TraceFault) {
    let content = Self.content(of: line)
    if case .blank? = content { return }
    guard isHeaderComplete else {
      guard case .number(let value)? = content, takeHeader(value) else {
        builder.issues.add(.error, "the line is not a number of the header", line: number)
        return
      }
      return
    }
    operationCount += 1
    switch content {
    case .allocate(let id, let bytes): try allocate(id, bytes, number, &builder)
    case .resize(let id, let bytes): try resize(id, bytes, number, &builder)
    case .free(-1): builder.issues.add(.info, "free of null changes nothing", line: number)
    case .free(let id):
      if try isKnown(id, number, &builder), try !stream.free(at: key(id), builder: &builder) {
        builder.issues.add(.error, "the id to free has no block", line: number)
      }
    case .blank, .number, nil:
      builder.issues.add(
        .error, "an unknown line: expected 'a id bytes', 'r id bytes' or 'f id'", line: number)
    }
  }

  /// Ends the trace at its last event.
  mutating func finish(builder: inout TraceBuilder) throws(TraceFault) {
    if isHeaderComplete, header[2] != operationCount {
      builder.issues.add(
        operationCount < header[2] ? .dataLoss : .error,
        operationCount < header[2]
          ? "fewer operations than the header says" : "more operations than the header says",
        line: 3)
    }
    try stream.finish(builder: &builder)
  }

  private func key(_ id: Int64) -> UInt64 { UInt64(bitPattern: id) }

  /// Whether an id is one of those that the header announced; the others are counted and passed
  /// over, as the lab's driver refuses them.
  private func isKnown(
    _ id: Int64, _ line: Int, _ builder: inout TraceBuilder
  ) throws(TraceFault) -> Bool {
    if id >= 0, id < idCount { return true }
    builder.issues.add(.error, "the id is not below the header's number of ids", line: line)
    return false
  }

  private mutating func allocate(
    _ id: Int64, _ bytes: Int64, _ line: Int, _ builder: inout TraceBuilder
  ) throws(TraceFault) {
    guard try isKnown(id, line, &builder) else { return }
    try stream.allocate(
      at: key(id), bytes: bytes, line: line,
      stale: "the id has a live block: that block is taken as freed", builder: &builder)
  }

  private mutating func resize(
    _ id: Int64, _ bytes: Int64, _ line: Int, _ builder: inout TraceBuilder
  ) throws(TraceFault) {
    guard try isKnown(id, line, &builder) else { return }
    if try stream.resize(at: key(id), bytes: bytes, builder: &builder) { return }
    builder.issues.add(.error, "the id to resize has no block: taken as a new one", line: line)
    try stream.allocate(at: key(id), bytes: bytes, line: line, builder: &builder)
  }
}

// MARK: - Lines

extension MallocRepReader {
  /// What a line says; nil if it isn't one of the lab's.
  static func content(of line: Span<UInt8>) -> Content? {
    var position = 0
    skipBlanks(line, &position)
    guard position < line.count else { return .blank }
    let first = line[position]
    switch first {
    case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "f"):
      position += 1
      guard position < line.count, line[position] == 0x20 || line[position] == 0x09,
        let id = integer(line, &position)
      else { return nil }
      if first == UInt8(ascii: "f") {
        return isAtEnd(line, &position) ? .free(id: id) : nil
      }
      guard let bytes = integer(line, &position), (0...TraceLimits.bytes).contains(bytes),
        isAtEnd(line, &position)
      else { return nil }
      return first == UInt8(ascii: "a")
        ? .allocate(id: id, bytes: bytes) : .resize(id: id, bytes: bytes)
    default:
      guard let number = integer(line, &position), isAtEnd(line, &position) else { return nil }
      return .number(number)
    }
  }

  private static func skipBlanks(_ line: Span<UInt8>, _ position: inout Int) {
    while position < line.count, line[position] == 0x20 || line[position] == 0x09 {
      position += 1
    }
  }

  private static func isAtEnd(_ line: Span<UInt8>, _ position: inout Int) -> Bool {
    skipBlanks(line, &position)
    return position == line.count
  }

  /// The next field as a whole number.
  private static func integer(_ line: Span<UInt8>, _ position: inout Int) -> Int64? {
    skipBlanks(line, &position)
    let isNegative = position < line.count && line[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    guard let value = line.wholeNumber(&position),
      position == line.count || line[position] <= 0x20
    else { return nil }
    return isNegative ? -value : value
  }
}
