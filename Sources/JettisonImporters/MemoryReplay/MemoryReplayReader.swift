internal import JettisonModel
internal import JettisonTraces

/// Turns an allocation dump into a trace of one app that is in front all the time.
///
/// What a dump says and what becomes of it:
///
/// * `malloc`, `calloc` (number × size) and `memalign` are `alloc`; so is `realloc` of null.
/// * `realloc` of a block is `realloc`: the block keeps its id, wherever it moves.
/// * `realloc` that returns null for no bytes is `free`, as in the C library of its time.
/// * `free` of null, `thread_done` and calls that failed (null for some bytes) change nothing and
///   are counted.
/// * Times of the dump count from the start of its first call. A call without any happens with the
///   one before it.
struct MemoryReplayReader: AllocationReader {
  private var stream: AllocationStream
  /// Start of the first call, where the dump has times.
  private var origin: Int64?
  private var hasOperation = false
  /// The first line that is not an operation.
  private var firstOther: Int?

  /// Begins a trace.
  init(_ stream: AllocationStream) {
    self.stream = stream
  }

  var appName: String { stream.name }

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
      if firstOther == nil { firstOther = number }
      return
    }
    hasOperation = true
    if let start = operation.startNanoseconds { advance(to: start, number, &builder) }
    switch operation.call {
    case .threadDone:
      builder.issues.add(.info, "a thread that ended changes nothing", line: number)
    case .free(0):
      builder.issues.add(.info, "free of null changes nothing", line: number)
    case .free(let address):
      try free(address, number, &builder)
    case .allocate(0, _, _):
      builder.issues.add(.info, "a call that returned null changes nothing", line: number)
    case .allocate(let address, let bytes, let alignment):
      try stream.allocate(
        at: address, bytes: bytes, alignment: alignment, line: number, builder: &builder)
    case .reallocate(0, let old, 0) where old != 0:
      try free(old, number, &builder)
    case .reallocate(0, _, _):
      builder.issues.add(.info, "a call that returned null changes nothing", line: number)
    case .reallocate(let address, 0, let bytes):
      try stream.allocate(at: address, bytes: bytes, line: number, builder: &builder)
    case .reallocate(let address, let old, let bytes):
      try stream.reallocate(
        at: address, from: old, bytes: bytes, line: number, builder: &builder)
    }
  }

  /// Ends the trace at its last event.
  mutating func finish(builder: inout TraceBuilder) throws(TraceFault) {
    try stream.finish(builder: &builder)
  }

  func checkEnd(file: String) throws(TraceError) {
    guard !hasOperation, let firstOther else { return }
    throw TraceError(
      file: file, line: firstOther, what: "is not an allocation dump",
      remedy: "a dump has lines such as '202: malloc 0xb4837058 20'")
  }

  private func isBlank(_ line: Span<UInt8>) -> Bool {
    for position in 0..<line.count where line[position] > 0x20 { return false }
    return true
  }

  private mutating func advance(to start: Int64, _ line: Int, _ builder: inout TraceBuilder) {
    let first = origin ?? start
    origin = first
    // Neither is negative, so the difference cannot overflow.
    if !stream.advance(to: start - first, builder: builder) {
      builder.issues.add(
        .info, "a call that began before the one above it happens with that one", line: line)
    }
  }

  private mutating func free(
    _ address: UInt64, _ line: Int, _ builder: inout TraceBuilder
  ) throws(TraceFault) {
    if try !stream.free(at: address, builder: &builder) {
      builder.issues.add(.error, "the address to free holds no block", line: line)
    }
  }
}
