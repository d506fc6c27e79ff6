internal import JettisonCore

/// Turns an allocation dump into a trace of one app that is in front all the time.
///
/// What a dump says and what becomes of it:
///
/// * `malloc`, `calloc` (number × size) and `memalign` are `alloc`; so is `realloc` of null.
/// * `realloc` of a block is `realloc`: the block keeps its id, wherever it moves.
/// * `realloc` that returns null for no bytes is `free`, as in the C library of its time.
/// * `free` of null, `thread_done` and calls that failed (null for some bytes) change nothing and
///   are counted.
/// * Addresses are used again and again; ids are the numbers of the `alloc` rows, from 1.
///
/// A dump without times happens at a fixed rate: the *k*-th event at *k* / rate, from 1. Memory
/// is bounded by the number of live blocks.
struct MemoryReplayReader {
  private let app: UInt32
  /// Events per second; nil: as the dump says, or the default.
  private let rate: Double?
  private var ids: [UInt64: Int64] = [:]
  private var blocks: Int64 = 0
  private var events: Int64 = 0
  /// Start of the first call, where the dump has times.
  private var origin: Int64?

  /// Events per second where neither the dump nor the user says.
  static let defaultRate = 1_000.0
  /// Rates that make sense: one event in 17 minutes to one in a nanosecond.
  static let rates = 0.001...1e9

  /// Begins a trace: `app` is launched at 0.
  ///
  /// - Parameter rate: Events per second, within ``rates``; nil: the dump's times, else 1000.
  init(app name: String, rate: Double?, builder: inout TraceBuilder) throws(TraceFault) {
    app = try builder.app(named: name)
    self.rate = rate
    try builder.append(.launch, time: 0, app: app)
  }

  /// Takes one line, counted from 1.
  mutating func take(
    _ line: Span<UInt8>, number: Int, builder: inout TraceBuilder
  ) throws(TraceFault) {
    if isBlank(line) { return }
    let operation: MemoryReplayOperation
    do throws(MemoryReplayOperation.Malformation) {
      operation = try MemoryReplayOperation.parse(line)
    } catch {
      builder.issues.add(.error, error.rawValue, line: number)
      return
    }
    let time = try self.time(of: operation, line: number, &builder)
    switch operation.call {
    case .threadDone:
      builder.issues.add(.info, "a thread that ended changes nothing", line: number)
    case .free(0):
      builder.issues.add(.info, "free of null changes nothing", line: number)
    case .free(let address):
      try free(address, time, number, &builder)
    case .allocate(let address, let bytes, let alignment):
      try allocate(address, bytes, alignment, time, number, &builder)
    case .reallocate(let address, let old, let bytes):
      try reallocate(address, old, bytes, time, number, &builder)
    }
  }

  /// Ends the trace at its last event.
  func finish(builder: inout TraceBuilder) throws(TraceFault) {
    if events == 0 {
      builder.issues.add(.error, "the dump has no allocation")
    }
    let detail = try builder.detail("reason=complete", for: .end)
    try builder.append(.end, time: builder.lastTime, detail: detail)
  }

  private func isBlank(_ line: Span<UInt8>) -> Bool {
    for position in 0..<line.count where line[position] > 0x20 { return false }
    return true
  }

  /// When the event that this line may become happens.
  private mutating func time(
    of operation: MemoryReplayOperation, line: Int, _ builder: inout TraceBuilder
  ) throws(TraceFault) -> Int64 {
    if rate == nil, let start = operation.startNanoseconds {
      let first = origin ?? start
      origin = first
      // Neither is negative, so the difference cannot overflow.
      if start - first >= builder.lastTime { return start - first }
      builder.issues.add(
        .info, "a call that began before the one above it happens with that one", line: line)
      return builder.lastTime
    }
    if origin != nil { return builder.lastTime }
    // The spacing first: for the usual rates it is whole, and so every product is exact.
    let time = Double(events + 1) * (1e9 / (rate ?? Self.defaultRate))
    guard time < Double(TraceLimits.timeNanoseconds) else { throw .timeOutOfRange(.max) }
    return Int64(time.rounded())
  }

  private mutating func allocate(
    _ address: UInt64, _ bytes: Int64, _ alignment: Int64, _ time: Int64, _ line: Int,
    _ builder: inout TraceBuilder
  ) throws(TraceFault) {
    guard address != 0 else {
      builder.issues.add(.info, "a call that returned null changes nothing", line: line)
      return
    }
    if let stale = ids.removeValue(forKey: address) {
      builder.issues.add(
        .error, "the address holds a live block: that block is taken as freed", line: line)
      try append(.free, time, id: stale, builder: &builder)
    }
    blocks += 1
    ids[address] = blocks
    // Powers of two are the only alignments there are; others are noise of the dump.
    let isAligned =
      alignment > 0 && alignment & (alignment - 1) == 0
      && alignment <= TraceLimits.alignment
    let detail = isAligned ? try builder.detail("align=\(alignment)", for: .alloc) : 0
    try append(.alloc, time, bytes: bytes, id: blocks, detail: detail, builder: &builder)
  }

  private mutating func reallocate(
    _ address: UInt64, _ old: UInt64, _ bytes: Int64, _ time: Int64, _ line: Int,
    _ builder: inout TraceBuilder
  ) throws(TraceFault) {
    guard old != 0 else {
      try allocate(address, bytes, 0, time, line, &builder)
      return
    }
    guard address != 0 else {
      if bytes == 0 {
        try free(old, time, line, &builder)
      } else {
        builder.issues.add(.info, "a call that returned null changes nothing", line: line)
      }
      return
    }
    guard let id = ids.removeValue(forKey: old) else {
      builder.issues.add(
        .error, "the address to resize holds no block: taken as a new one", line: line)
      try allocate(address, bytes, 0, time, line, &builder)
      return
    }
    if let stale = ids.removeValue(forKey: address) {
      builder.issues.add(
        .error, "the address holds a live block: that block is taken as freed", line: line)
      try append(.free, time, id: stale, builder: &builder)
    }
    ids[address] = id
    try append(.realloc, time, bytes: bytes, id: id, builder: &builder)
  }

  private mutating func free(
    _ address: UInt64, _ time: Int64, _ line: Int, _ builder: inout TraceBuilder
  ) throws(TraceFault) {
    guard let id = ids.removeValue(forKey: address) else {
      builder.issues.add(.error, "the address to free holds no block", line: line)
      return
    }
    try append(.free, time, id: id, builder: &builder)
  }

  private mutating func append(
    _ kind: EventKind, _ time: Int64, bytes: Int64? = nil, id: Int64, detail: UInt32 = 0,
    builder: inout TraceBuilder
  ) throws(TraceFault) {
    events += 1
    try builder.append(kind, time: time, app: app, value: bytes, id: id, detail: detail)
  }
}
