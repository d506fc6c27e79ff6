internal import JettisonModel
internal import JettisonTraces

/// The allocations of one process on their way into a trace: one app that is launched at 0 and in
/// front all the time.
///
/// What readers of allocation streams share: slots for blocks, addresses that are used again and
/// again, and the time of every event.
///
/// * Block ids are the numbers of the `alloc` rows, from 1.
/// * A stream without times happens at a fixed rate: the *k*-th event at *k* / rate, from 1.
/// * ``allocate(at:bytes:alignment:line:stale:builder:)``,
///   ``reallocate(at:from:bytes:line:builder:)`` and ``free(at:builder:)`` speak of addresses, or of
///   ids of the stream's own; the other verbs of blocks by their slots.
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
  /// Nanoseconds from event to event at the rate: for the usual ones they are whole, and so every
  /// product is exact.
  private let spacing: Double
  private let isSpacingWhole: Bool
  /// Slots of the live blocks by address.
  private var slots = IDTable(isRoomy: true)
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
    spacing = 1e9 / (rate ?? Self.defaultRate)
    isSpacingWhole = spacing.rounded() == spacing
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

// MARK: - By slot

extension AllocationStream {
  /// A new block; the slot by which it is known.
  mutating func begin(
    bytes: Int64, alignment: Int64 = 0, builder: inout TraceBuilder
  ) throws(TraceFault) -> UInt32 {
    let detail = alignment == 0 ? 0 : try detail(ofAlignment: alignment, &builder)
    let app = try launched(&builder)
    let time = try nextTime()
    return try builder.beginBlock(of: app, time: time, bytes: bytes, detail: detail)
  }

  /// Another size for a block.
  mutating func resize(
    _ slot: UInt32, bytes: Int64, builder: inout TraceBuilder
  ) throws(TraceFault) {
    let app = try launched(&builder)
    try builder.resizeBlock(slot, of: app, time: try nextTime(), bytes: bytes)
  }

  /// The end of a block.
  mutating func end(_ slot: UInt32, builder: inout TraceBuilder) throws(TraceFault) {
    let app = try launched(&builder)
    try builder.endBlock(slot, of: app, time: try nextTime())
  }

  private mutating func launched(_ builder: inout TraceBuilder) throws(TraceFault) -> UInt32 {
    if let app { return app }
    let app = try builder.app(named: name)
    try builder.append(.launch, time: 0, app: app)
    self.app = app
    return app
  }

  /// Counts an event, and says when it happens.
  private mutating func nextTime() throws(TraceFault) -> Int64 {
    eventCount += 1
    if let moment { return moment }
    let time = Double(eventCount) * spacing
    guard time < Double(TraceLimits.timeNanoseconds) else { throw .timeOutOfRange(.max) }
    if isSpacingWhole { return Int64(time) }
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
  ///
  /// - Parameter stale: What is to be counted where the address holds a live block.
  mutating func allocate(
    at address: UInt64, bytes: Int64, alignment: Int64 = 0, line: Int,
    stale: String = staleAddress, builder: inout TraceBuilder
  ) throws(TraceFault) {
    try vacate(address, stale, line, &builder)
    let slot = try begin(bytes: bytes, alignment: alignment, builder: &builder)
    _ = slots.insert(Int64(bitPattern: address), slot: slot)
  }

  /// Another size for the block at `old`, which moves to `address`.
  mutating func reallocate(
    at address: UInt64, from old: UInt64, bytes: Int64, line: Int, builder: inout TraceBuilder
  ) throws(TraceFault) {
    // Where it stays, nothing else can be there.
    if address == old, try resize(at: address, bytes: bytes, builder: &builder) { return }
    guard let slot = slots.remove(Int64(bitPattern: old)) else {
      builder.issues.add(
        .error, "the address to resize holds no block: taken as a new one", line: line)
      try allocate(at: address, bytes: bytes, line: line, builder: &builder)
      return
    }
    try vacate(address, Self.staleAddress, line, &builder)
    _ = slots.insert(Int64(bitPattern: address), slot: slot)
    try resize(slot, bytes: bytes, builder: &builder)
  }

  /// Another size for the block at an address; false if there is none.
  mutating func resize(
    at address: UInt64, bytes: Int64, builder: inout TraceBuilder
  ) throws(TraceFault) -> Bool {
    guard let slot = slots.slot(of: Int64(bitPattern: address)) else { return false }
    try resize(slot, bytes: bytes, builder: &builder)
    return true
  }

  /// The end of the block at an address; false if there is none.
  mutating func free(at address: UInt64, builder: inout TraceBuilder) throws(TraceFault) -> Bool {
    guard let slot = slots.remove(Int64(bitPattern: address)) else { return false }
    try end(slot, builder: &builder)
    return true
  }

  static let staleAddress = "the address holds a live block: that block is taken as freed"

  private mutating func vacate(
    _ address: UInt64, _ issue: String, _ line: Int, _ builder: inout TraceBuilder
  ) throws(TraceFault) {
    guard let stale = slots.remove(Int64(bitPattern: address)) else { return }
    builder.issues.add(.error, issue, line: line)
    try end(stale, builder: &builder)
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
