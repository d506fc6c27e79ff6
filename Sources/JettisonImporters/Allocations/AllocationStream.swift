internal import JettisonModel
internal import JettisonTraces

/// The allocations of one process on their way into a trace: one app that is launched at 0 and in
/// front all the time.
///
/// What readers of allocation streams share: numbers for blocks, addresses that are used again and
/// again, and the time of every event.
///
/// * Block ids are the numbers of the `alloc` rows, from 1.
/// * A stream without times happens at a fixed rate: the *k*-th event at *k* / rate, from 1.
/// * ``allocate(at:bytes:alignment:line:builder:)``, ``reallocate(at:from:bytes:line:builder:)`` and
///   ``free(at:line:builder:)`` speak of addresses, or of ids of the stream's own; the other verbs
///   of blocks by their numbers.
///
/// Memory is bounded by the number of live blocks.
struct AllocationStream {
  /// What the app is called; fixed by the first event.
  var name: String
  /// Events taken.
  private(set) var eventCount: Int64 = 0

  private var app: UInt32?
  /// Events per second; nil: as the stream says, or the default.
  private let rate: Double?
  /// Numbers of the live blocks by address.
  private var numbers = IDTable()
  private var blockCount: Int64 = 0
  /// When the stream says that events happen now.
  private var moment: Int64?
  /// Details of the alignments, by their power of two.
  private var alignments = [UInt32](repeating: 0, count: 64)

  /// Events per second where neither the stream nor the user says.
  static let defaultRate = 1_000.0
  /// Rates that make sense: one event in 17 minutes to one in a nanosecond.
  static let rates = 0.001...1e9

  /// An empty stream.
  ///
  /// - Parameters:
  ///   - name: What the app is called.
  ///   - rate: Events per second, within ``rates``; nil: the stream's times, else 1000.
  init(name: String, rate: Double?) {
    self.name = name
    self.rate = rate
  }

  /// Says that the next events happen at a time, in nanoseconds since the launch; one before the
  /// last event counts as that one's.
  ///
  /// Returns whether it was not before it. Without effect under a rate that the user gave.
  mutating func advance(to nanoseconds: Int64, builder: borrowing TraceBuilder) -> Bool {
    if rate != nil { return true }
    moment = max(nanoseconds, builder.lastTime)
    return nanoseconds >= builder.lastTime
  }

  /// Ends the trace at its last event, or at `nanoseconds` if that is later.
  mutating func finish(
    at nanoseconds: Int64 = 0, builder: inout TraceBuilder
  ) throws(TraceFault) {
    if eventCount == 0 { builder.issues.add(.error, "the stream has no allocation") }
    _ = try launched(&builder)
    let detail = try builder.detail("reason=complete", for: .end)
    let end = rate == nil ? max(nanoseconds, builder.lastTime) : builder.lastTime
    try builder.append(.end, time: end, detail: detail)
  }
}

// MARK: - By number

extension AllocationStream {
  /// A new block; its number.
  mutating func begin(
    bytes: Int64, alignment: Int64 = 0, builder: inout TraceBuilder
  ) throws(TraceFault) -> Int64 {
    let detail = try detail(ofAlignment: alignment, &builder)
    try append(.alloc, bytes: bytes, id: blockCount + 1, detail: detail, builder: &builder)
    blockCount += 1
    return blockCount
  }

  /// Another size for a block.
  mutating func resize(
    _ number: Int64, bytes: Int64, builder: inout TraceBuilder
  ) throws(TraceFault) {
    try append(.realloc, bytes: bytes, id: number, builder: &builder)
  }

  /// The end of a block.
  mutating func end(_ number: Int64, builder: inout TraceBuilder) throws(TraceFault) {
    try append(.free, id: number, builder: &builder)
  }

  private mutating func append(
    _ kind: EventKind, bytes: Int64? = nil, id: Int64, detail: UInt32 = 0,
    builder: inout TraceBuilder
  ) throws(TraceFault) {
    let app = try launched(&builder)
    let time = try time(builder)
    eventCount += 1
    try builder.append(kind, time: time, app: app, value: bytes, id: id, detail: detail)
  }

  private mutating func launched(_ builder: inout TraceBuilder) throws(TraceFault) -> UInt32 {
    if let app { return app }
    let app = try builder.app(named: name)
    try builder.append(.launch, time: 0, app: app)
    self.app = app
    return app
  }

  private func time(_ builder: borrowing TraceBuilder) throws(TraceFault) -> Int64 {
    if let moment { return moment }
    // The spacing first: for the usual rates it is whole, and so every product is exact.
    let time = Double(eventCount + 1) * (1e9 / (rate ?? Self.defaultRate))
    guard time < Double(TraceLimits.timeNanoseconds) else { throw .timeOutOfRange(.max) }
    return Int64(time.rounded())
  }

  /// Powers of two are the only alignments there are; others are noise of the stream.
  private mutating func detail(
    ofAlignment alignment: Int64, _ builder: inout TraceBuilder
  ) throws(TraceFault) -> UInt32 {
    guard alignment > 0, alignment & (alignment - 1) == 0, alignment <= TraceLimits.alignment
    else { return 0 }
    let power = alignment.trailingZeroBitCount
    if alignments[power] == 0 {
      alignments[power] = try builder.detail("align=\(alignment)", for: .alloc)
    }
    return alignments[power]
  }
}

// MARK: - By address

extension AllocationStream {
  /// A new block at an address.
  mutating func allocate(
    at address: UInt64, bytes: Int64, alignment: Int64 = 0, line: Int,
    builder: inout TraceBuilder
  ) throws(TraceFault) {
    try vacate(address, line, &builder)
    try occupy(address, try begin(bytes: bytes, alignment: alignment, builder: &builder))
  }

  /// Another size for the block at `old`, which moves to `address`.
  mutating func reallocate(
    at address: UInt64, from old: UInt64, bytes: Int64, line: Int, builder: inout TraceBuilder
  ) throws(TraceFault) {
    guard let slot = numbers.remove(Int64(bitPattern: old)) else {
      builder.issues.add(
        .error, "the address to resize holds no block: taken as a new one", line: line)
      try allocate(at: address, bytes: bytes, line: line, builder: &builder)
      return
    }
    try vacate(address, line, &builder)
    let number = Int64(slot)
    try occupy(address, number)
    try resize(number, bytes: bytes, builder: &builder)
  }

  /// Another size for the block at an address; false if there is none.
  mutating func resize(
    at address: UInt64, bytes: Int64, builder: inout TraceBuilder
  ) throws(TraceFault) -> Bool {
    guard let slot = numbers.slot(of: Int64(bitPattern: address)) else { return false }
    try resize(Int64(slot), bytes: bytes, builder: &builder)
    return true
  }

  /// The end of the block at an address; false if there is none.
  mutating func free(at address: UInt64, builder: inout TraceBuilder) throws(TraceFault) -> Bool {
    guard let slot = numbers.remove(Int64(bitPattern: address)) else { return false }
    try end(Int64(slot), builder: &builder)
    return true
  }

  private mutating func occupy(_ address: UInt64, _ number: Int64) throws(TraceFault) {
    guard let slot = UInt32(exactly: number), slot < .max else {
      throw .tooMany(.id, what: "blocks", limit: Int(UInt32.max) - 1)
    }
    _ = numbers.insert(Int64(bitPattern: address), slot: slot)
  }

  private mutating func vacate(
    _ address: UInt64, _ line: Int, _ builder: inout TraceBuilder
  ) throws(TraceFault) {
    guard let stale = numbers.remove(Int64(bitPattern: address)) else { return }
    builder.issues.add(
      .error, "the address holds a live block: that block is taken as freed", line: line)
    try end(Int64(stale), builder: &builder)
  }
}

extension ImportOptions {
  /// The rate at which a stream without times happens; a misuse if it makes no sense.
  func rate(for file: String) throws(TraceError) -> Double? {
    if let rate = operationsPerSecond, !AllocationStream.rates.contains(rate) {
      throw TraceError(
        .misuse, file: file, what: "a rate of \(rate) events a second cannot be used",
        remedy: "use 0.001 to 1000000000")
    }
    return operationsPerSecond
  }

  /// What the app of a stream is called that does not say: the file's name, or `app` for standard
  /// input, which has none.
  func appName(of input: TraceInput) -> String {
    app ?? (input.path == nil ? "app" : input.traceName)
  }
}

extension TraceHeader {
  /// The header of a trace of one process.
  init(of input: TraceInput, _ options: ImportOptions, app: String, source: String) {
    self.init(user: options.user ?? input.traceName)
    device = options.device
    self.source = source
    appsYAML = CategoryBlock.yaml(apps: [app])
  }
}
