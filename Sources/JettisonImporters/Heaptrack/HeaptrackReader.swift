internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Turns a heaptrack data file into a trace of one app that is in front all the time.
///
/// A *raw* file names blocks by their addresses. An *interpreted* one, which is what heaptrack
/// leaves by default, names the kind of an allocation (its size and where in the program it was
/// made), also at its end; which of the live blocks of a kind it was is not known, so the newest
/// ends first. All blocks of a kind have one size, so the footprint is exact.
///
/// heaptrack writes the time every 10 ms; what happens in between happens at the time above it. A
/// `realloc` is recorded as an end and a new allocation. Samples of the resident set (`R`) are
/// counted and ignored: the allocations say what the process requested, and the recorder's own
/// memory is part of those samples.
///
/// Memory is bounded by the live blocks and the kinds of allocations.
struct HeaptrackReader: AllocationReader {
  /// What a kind of allocation is, and its live blocks.
  private struct Kind {
    /// Size of its blocks; below 0 where it could not be read.
    var bytes: Int64
    /// Its newest live block: a position in ``live`` plus one; 0: none.
    var newest: UInt32 = 0
  }

  /// A live block of a kind.
  private struct Block {
    let slot: UInt32
    /// The one before it: as ``Kind/newest``; of a free place the next free one.
    let older: UInt32
  }

  /// The newest version of the format that can be read.
  static let newestVersion: UInt64 = 3

  private var stream: AllocationStream
  private var isNamed: Bool
  private var version: UInt64 = 0
  /// Whether ends are addresses; nil until the first allocation.
  private var isRaw: Bool?
  private var kinds: [Kind] = []
  private var live: [Block] = []
  /// First free place of ``live``, plus one; 0: none.
  private var vacant: UInt32 = 0
  private var milliseconds: UInt64 = 0
  /// Bytes of a text that come on this line and the next ones.
  private var missingBytes = 0
  /// Whether the lines before belong to the command, which may hold line ends.
  private var isInCommand = false

  /// Begins a trace.
  ///
  /// - Parameter isNamed: Whether the user named the app; if not, the command does.
  init(_ stream: AllocationStream, isNamed: Bool) {
    self.stream = stream
    self.isNamed = isNamed
  }

  /// What the app is called.
  var appName: String { stream.name }

  func checkFirst(_ line: Span<UInt8>, file: String) throws(TraceError) {
    guard let version = Self.version(line) else {
      throw TraceError(
        file: file, line: 1, what: "not heaptrack data: the first line does not say its version",
        remedy: "it is like 'v 10400 3'")
    }
    guard version <= Self.newestVersion else {
      throw TraceError(
        file: file, line: 1, what: "heaptrack data of version \(version)",
        remedy: "versions up to \(Self.newestVersion) can be read")
    }
  }

  /// The version of the format that the first line of a file says, if it is one.
  static func version(_ line: Span<UInt8>) -> UInt64? {
    guard line.starts(with: "v ") else { return nil }
    var position = 2
    guard let program = HeaptrackLine.hexadecimal(line, &position),
      (0x100...0xFF_FFFF).contains(program)
    else {
      return nil
    }
    // Before 1.0 the program's version was that of the format: 1 in its last form.
    guard position < line.count else { return program == 0x1_0200 ? 1 : 0 }
    guard let version = HeaptrackLine.hexadecimal(line, &position), position == line.count
    else { return nil }
    return version
  }

  /// Takes one line, counted from 1.
  mutating func take(
    _ line: Span<UInt8>, number: Int, builder: inout TraceBuilder
  ) throws(TraceFault) {
    // What happens before the first time happens at 0.
    if number == 1 { _ = stream.advance(to: 0, builder: builder) }
    if missingBytes > 0 {
      missingBytes -= min(missingBytes, line.count + 1)
      return
    }
    let content = HeaptrackLine(line)
    switch content {
    case .allocationOfKind(let kind): try allocate(kind, number, &builder)
    case .allocation(let bytes, let address):
      try allocate(bytes, address, number, &builder)
    case .end(let name): try end(name, number, &builder)
    case .kind(let bytes): add(bytes, number, &builder.issues)
    case .time(let milliseconds): advance(to: milliseconds, number, &builder)
    case .residentSet:
      builder.issues.add(
        .info, "a sample of the resident set is ignored: allocations say more", line: number)
    case .attached:
      builder.issues.add(
        .info, "the recorder was attached late: earlier blocks are not known", line: number)
    case .command: takeCommand(line)
    case .text(let missing): if version >= 3 { missingBytes = missing }
    case .other: if number == 1 { version = Self.version(line) ?? 0 }
    case .unknown where isInCommand:
      builder.issues.add(.info, "a further line of the command", line: number)
    case .unknown:
      builder.issues.add(.error, "the line is of an unknown kind", line: number)
    case .malformed:
      builder.issues.add(
        .error, "the numbers of the line cannot be read or are too large", line: number)
    }
    if isInCommand, content != .unknown, content != .command { isInCommand = false }
  }

  /// Ends the trace at its last event or time.
  mutating func finish(builder: inout TraceBuilder) throws(TraceFault) {
    try stream.finish(at: nanoseconds ?? 0, builder: &builder)
  }

  private var nanoseconds: Int64? {
    let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return overflow || product > UInt64(TraceLimits.timeNanoseconds) ? nil : Int64(product)
  }

  private mutating func advance(
    to stamp: UInt64, _ line: Int, _ builder: inout TraceBuilder
  ) {
    let before = milliseconds
    milliseconds = stamp
    guard stamp >= before, let nanoseconds else {
      milliseconds = before
      builder.issues.add(
        .error, "the time is before the one above it, or too late: skipped", line: line)
      return
    }
    _ = stream.advance(to: nanoseconds, builder: builder)
  }

  /// The name of the program without its folders, unless the user named the app.
  private mutating func takeCommand(_ line: Span<UInt8>) {
    isInCommand = true
    guard !isNamed, stream.eventCount == 0, line.count > 2 else { return }
    let bytes = Array(span: line.extracting(2..<line.count)).prefix { $0 != 0x20 }
    let program = bytes.split(separator: UInt8(ascii: "/")).last ?? []
    guard !program.isEmpty, program.count <= TraceLimits.nameBytes / 4 else { return }
    stream.name = String(decoding: program, as: UTF8.self)
    isNamed = true
  }
}

// MARK: - Blocks

extension HeaptrackReader {
  private mutating func add(_ bytes: Int64?, _ line: Int, _ issues: inout ImportIssues) {
    if bytes == nil {
      issues.add(.error, "the kind of allocation has no size that can be read", line: line)
    }
    kinds.append(Kind(bytes: bytes ?? -1))
  }

  private mutating func allocate(
    _ kind: UInt64, _ line: Int, _ builder: inout TraceBuilder
  ) throws(TraceFault) {
    guard isRaw != true, kind < kinds.count, kinds[Int(kind)].bytes >= 0, live.count < 1 << 31
    else {
      builder.issues.add(.error, "the allocation is of an unknown kind", line: line)
      return
    }
    isRaw = false
    let slot = try stream.begin(bytes: kinds[Int(kind)].bytes, builder: &builder)
    let block = Block(slot: slot, older: kinds[Int(kind)].newest)
    if vacant > 0 {
      let place = vacant
      vacant = live[Int(place - 1)].older
      live[Int(place - 1)] = block
      kinds[Int(kind)].newest = place
    } else {
      live.append(block)
      kinds[Int(kind)].newest = UInt32(live.count)
    }
  }

  private mutating func allocate(
    _ bytes: Int64, _ address: UInt64, _ line: Int, _ builder: inout TraceBuilder
  ) throws(TraceFault) {
    guard isRaw != false, address != 0 else {
      builder.issues.add(
        .error, "an allocation with an address among those of kinds, or at null", line: line)
      return
    }
    isRaw = true
    try stream.allocate(at: address, bytes: bytes, line: line, builder: &builder)
  }

  private mutating func end(
    _ name: UInt64, _ line: Int, _ builder: inout TraceBuilder
  ) throws(TraceFault) {
    if isRaw == true {
      if try stream.free(at: name, builder: &builder) { return }
    } else if name < kinds.count, kinds[Int(name)].newest > 0 {
      let place = kinds[Int(name)].newest
      let block = live[Int(place - 1)]
      kinds[Int(name)].newest = block.older
      live[Int(place - 1)] = Block(slot: 0, older: vacant)
      vacant = place
      try stream.end(block.slot, builder: &builder)
      return
    }
    // The recorder begins after the program; an interpreter leaves such ends out.
    builder.issues.add(
      kinds.isEmpty ? .info : .error, "the end of a block whose beginning is not known",
      line: line)
  }
}
