public import JettisonModel
internal import JettisonSupport

/// The one way in which readers make a `Trace`: it numbers apps, details, blocks and tasks, and
/// checks every row by the rules of the format.
///
/// A reader calls ``app(named:)``, `detail(_:for:line:)` and
/// `append(_:time:app:value:id:detail:line:)` in the order of the rows and ends with
/// ``finish(name:header:file:)``. Faults have no place; the reader adds file and line
/// (`TraceError(fault, file:line:)`).
///
/// Memory is bounded by apps, distinct details and live blocks when the events are spooled.
public struct TraceBuilder: ~Copyable {
  /// Ids of the live blocks and open tasks of one app.
  private struct Tables {
    var blocks = IDTable()
    var tasks = IDTable()
  }

  /// How the live blocks of an app are known.
  private enum BlockNames: UInt8, BitwiseCopyable {
    /// It has none yet.
    case none
    /// By their slots, in ``slotOwners``: all were given without an id.
    case slots
    /// By their ids, too, in its table.
    case ids
  }

  /// What is known of a slot whose block was given without an id.
  private struct SlotOwner: BitwiseCopyable {
    /// The app of the live block; `UInt32.max`: the slot is free, or its block was given an id.
    var app: UInt32 = .max
    /// The id that the block has in the trace.
    var id: Int64 = 0
  }

  /// What a distinct detail text of one kind of event means.
  private struct RawDetail: BitwiseCopyable {
    var detail: UInt32
    var ignoredKeys: Int
  }

  /// What reading came across; readers add to it.
  public var issues = ImportIssues()
  /// Number of events taken.
  public var rowCount: Int { events.count }
  /// Time of the last row in nanoseconds.
  public var lastTime: Int64 { rules.lastTime }
  /// Whether an `end` row was taken.
  public var hasEnd: Bool { rules.hasEnd }

  private let storage: TraceStorage
  private var lines = EventLines()
  private var events: GrowingList<TraceEvent>
  private var ids: GrowingList<Int64>?
  private var ordinal: Int64 = 0
  private var rules = TraceRules()

  private var rawNames = ByteTable()
  private var appOfRawName: [UInt32] = []
  private var names = ByteTable()
  private var tables: [Tables] = []

  private var parser = DetailParser()
  private var rawDetails = ByteTable()
  private var rawDetailEntries: [RawDetail] = []
  private var detailTexts = ByteTable()
  private var details = [EventDetail()]
  /// Final number of each detail in order of first use; 0: not used yet.
  private var detailOrder: [UInt32] = [0]
  private var usedDetails: UInt32 = 0

  private var freeBlocks: [UInt32] = []
  private var blockSlotCount: UInt32 = 0
  /// Whose each slot is that has, or had, a block without an id; as long as such blocks need it.
  private var slotOwners: [SlotOwner] = []
  /// By app.
  private var blockNames: [BlockNames] = []
  private var freeTasks: [UInt32] = []
  private var taskSlotCount: UInt32 = 0

  /// An empty builder.
  ///
  /// Throws only if the temporary file cannot be made.
  public init(storage: TraceStorage = .memory) throws(TraceFault) {
    self.storage = storage
    events = try GrowingList(storage)
    ids = nil
  }

  /// An empty builder for the rows of a file.
  ///
  /// - Throws: ``TraceError`` with the file's name if there is no place to keep rows.
  public init(storage: TraceStorage, file: String) throws(TraceError) {
    self.storage = storage
    do throws(TraceFault) {
      events = try GrowingList(storage)
    } catch {
      throw TraceError(error, file: file)
    }
    ids = nil
  }
}

// MARK: - Names and details

extension TraceBuilder {
  /// The provisional number of an app, by its decoded name.
  ///
  /// - Throws: ``TraceFault`` for a name that no app may have, and for one app too many.
  public mutating func app(named name: String) throws(TraceFault) -> UInt32 {
    try app(decoded: Array(name.utf8))
  }

  /// The provisional number of an app, by its name as it stands in a trace (percent-encoded).
  ///
  /// - Parameters:
  ///   - bytes: The field.
  ///   - isQuoted: Whether the field had quotes, so that only controls must be encoded.
  /// - Throws: ``TraceFault`` for a name that is not encoded rightly or that no app may have, and for
  ///   one app too many.
  public mutating func app(
    encoded bytes: Span<UInt8>, isQuoted: Bool = false
  ) throws(TraceFault) -> UInt32 {
    let tag: UInt8 = isQuoted ? 1 : 0
    if let raw = rawNames.find(bytes, tag: tag) { return appOfRawName[Int(raw)] }
    for position in 0..<bytes.count {
      let byte = bytes[position]
      if PercentEncoding.isPlain(byte) || byte == UInt8(ascii: "%") { continue }
      if isQuoted, byte >= 0x20, byte != 0x7F { continue }
      throw .unencoded(.app, byte)
    }
    guard let decoded = PercentEncoding.decode(bytes) else { throw .percent(.app) }
    let number = try app(decoded: decoded)
    _ = rawNames.insert(bytes, tag: tag)
    appOfRawName.append(number)
    return number
  }

  /// The provisional number of an app whose field, without quotes, was given before; nil: it was not.
  func knownApp(encoded bytes: Span<UInt8>) -> UInt32? {
    rawNames.find(bytes).map { appOfRawName[Int($0)] }
  }

  /// The number of a detail whose field, without quotes, was given before for the same kind; nil: it
  /// was not, or something about it is to be counted.
  func knownDetail(_ bytes: Span<UInt8>, for kind: EventKind) -> UInt32? {
    if bytes.isEmpty { return 0 }
    guard let raw = rawDetails.find(bytes, tag: kind.rawValue << 1) else { return nil }
    let entry = rawDetailEntries[Int(raw)]
    return entry.ignoredKeys == 0 ? entry.detail : nil
  }

  private mutating func app(decoded: [UInt8]) throws(TraceFault) -> UInt32 {
    if let number = names.find(decoded.span) { return number }
    guard !decoded.isEmpty, decoded.count <= TraceLimits.nameBytes else {
      throw .nameLength(decoded.count)
    }
    guard String(validating: decoded, as: UTF8.self) != nil else { throw .notUTF8(.app) }
    guard names.count < 1 << 30 else { throw .tooMany(.app, what: "apps", limit: 1 << 30) }
    tables.append(Tables())
    blockNames.append(.none)
    rules.addApp()
    return names.insert(decoded.span)
  }

  /// The decoded name of an app's provisional number; empty for a number that was not given.
  public func name(of app: UInt32) -> String {
    app < names.count ? String(decoding: names[app], as: UTF8.self) : ""
  }

  /// The number of a detail: `key=value` pairs joined by `;`, values percent-encoded.
  ///
  /// - Parameters:
  ///   - text: The pairs.
  ///   - kind: The kind of row that they belong to.
  ///   - line: Where keys that begin with `x-` are counted as an issue.
  /// - Throws: ``TraceFault`` for a key or a value that rows of the kind do not have.
  public mutating func detail(
    _ text: String, for kind: EventKind, line: Int? = nil
  ) throws(TraceFault) -> UInt32 {
    try detail(text.utf8.span, for: kind, isQuoted: false, line: line)
  }

  /// The number of a detail given as decoded pairs.
  ///
  /// - Throws: ``TraceFault`` for a key or a value that rows of the kind do not have.
  public mutating func detail(
    _ pairs: [(key: String, value: String)], for kind: EventKind, line: Int? = nil
  ) throws(TraceFault) -> UInt32 {
    // Within a text these signs would end the key, or make a pair of their own.
    for pair in pairs where pair.key.utf8.contains(where: { ";=".utf8.contains($0) }) {
      throw .detailKey(pair.key, kind, known: DetailParser.keys(of: kind))
    }
    let text = pairs.map { "\($0.key)=\(PercentEncoding.encode($0.value))" }
    return try detail(text.joined(separator: ";"), for: kind, line: line)
  }

  /// The number of a detail, from the bytes of a field.
  ///
  /// - Throws: ``TraceFault`` for a key or a value that rows of the kind do not have.
  public mutating func detail(
    _ bytes: Span<UInt8>, for kind: EventKind, isQuoted: Bool, line: Int? = nil
  ) throws(TraceFault) -> UInt32 {
    if bytes.isEmpty { return 0 }
    let tag = kind.rawValue << 1 | (isQuoted ? 1 : 0)
    let entry: RawDetail
    if let raw = rawDetails.find(bytes, tag: tag) {
      entry = rawDetailEntries[Int(raw)]
    } else {
      let parsed = try parser.parse(bytes, for: kind, isQuoted: isQuoted)
      entry = RawDetail(detail: try intern(parsed, kind), ignoredKeys: parsed.ignoredKeys)
      _ = rawDetails.insert(bytes, tag: tag)
      rawDetailEntries.append(entry)
    }
    for _ in 0..<entry.ignoredKeys {
      issues.add(.info, "detail key that begins with x- ignored", line: line)
    }
    return entry.detail
  }

  private mutating func intern(
    _ parsed: DetailParser.Parsed, _ kind: EventKind
  ) throws(TraceFault) -> UInt32 {
    if parsed.text.isEmpty { return 0 }
    if let number = detailTexts.find(parsed.text.span, tag: kind.rawValue) { return number + 1 }
    guard details.count < 1 << 30 else {
      throw .tooMany(.detail, what: "distinct details", limit: 1 << 30)
    }
    details.append(parsed.detail)
    detailOrder.append(0)
    return detailTexts.insert(parsed.text.span, tag: kind.rawValue) + 1
  }
}

// MARK: - Rows

extension TraceBuilder {
  /// Makes room for so many rows, at once instead of little by little.
  ///
  /// What no row needs takes no memory. Rows beyond the first 16 million get room little by little;
  /// for less than one row there is nothing to do.
  public mutating func reserve(rows: Int) {
    guard rows > 0 else { return }
    // An estimate that is far off must not be the end of the process.
    events.reserve(min(rows, 1 << 24))
  }

  /// Takes one row.
  ///
  /// - Parameters:
  ///   - kind: What happened.
  ///   - time: Nanoseconds since the start; never less than before.
  ///   - app: A number that ``app(named:)`` gave, or nil where the column is empty.
  ///   - value: The `value` column, or nil where it is empty.
  ///   - id: The captured id of the block or task, or nil where the column is empty.
  ///   - detail: A number that `detail(_:for:line:)` gave for the same kind, or 0.
  ///   - line: Line of the row in an input whose rows are checked as they stand; nil: an importer's.
  /// - Throws: ``TraceFault`` if the row breaks a rule of the format, or cannot be kept. A row that
  ///   breaks a rule leaves the builder as it was.
  public mutating func append(
    _ kind: EventKind, time: Int64, app: UInt32? = nil, value: Int64? = nil, id: Int64? = nil,
    detail: UInt32 = 0, line: Int? = nil
  ) throws(TraceFault) {
    guard Int(detail) < details.count,
      detail == 0 || detailTexts.tag(of: detail - 1) == kind.rawValue
    else { throw .unknownNumber(.detail) }
    let issue = line == nil ? nil : rules.issue(kind, app: app, value: value)
    let mark = rules.mark(app)
    let change = try rules.check(
      kind, time: time, app: app, value: value, hasID: id != nil, detail: details[Int(detail)])
    var flags: EventFlags = []
    var slot: UInt32 = 0
    if let id, let app {
      do throws(TraceFault) {
        slot = try self.slot(kind, app: Int(app), id: id)
      } catch {
        rules.goBack(to: mark)
        throw error
      }
      flags.insert(.hasID)
    }
    if let line {
      lines.append(line)
      if let issue { issues.add(.info, issue, line: line) }
    }
    if change != .none { apply(change, app ?? 0) }
    if value != nil { flags.insert(.hasValue) }
    if detail != 0 { use(detail) }
    try events.append(
      TraceEvent(
        timeNanoseconds: time, kind: kind, app: AppIndex(rawValue: app ?? .max),
        value: value ?? 0, slot: slot, detail: detail, flags: flags))
  }

  /// Takes the time of a row that is no event: it obeys the order of the rows like any other.
  ///
  /// - Throws: ``TraceFault`` for a time before the newest, or beyond what a trace can have.
  public mutating func skip(to time: Int64) throws(TraceFault) {
    try rules.advance(to: time)
  }

  /// Numbers a detail in order of first use.
  private mutating func use(_ detail: UInt32) {
    guard detailOrder[Int(detail)] == 0 else { return }
    usedDetails += 1
    detailOrder[Int(detail)] = usedDetails
  }

  private mutating func apply(_ change: LifeChange, _ app: UInt32) {
    switch change {
    case .none, .endsObserved: break
    case .begins, .ends: freeSlots(Int(app))
    case .boot:
      for app in rules.bootList { freeSlots(Int(app)) }
      rules.finishBoot()
    }
  }

  private mutating func freeSlots(_ app: Int) {
    nameBlocks(of: app)
    let before = freeBlocks.count
    tables[app].blocks.drain(into: &freeBlocks)
    blockNames[app] = .none
    for slot in freeBlocks[before...] { disown(slot) }
    tables[app].tasks.drain(into: &freeTasks)
  }

  private mutating func slot(
    _ kind: EventKind, app: Int, id: Int64
  ) throws(TraceFault) -> UInt32 {
    switch kind {
    case .alloc:
      nameBlocks(of: app)
      let slot = try Self.nextSlot(freeBlocks, blockSlotCount, "live blocks")
      guard tables[app].blocks.insert(id, slot: slot) else { throw .idInUse(id, kind) }
      Self.take(&freeBlocks, &blockSlotCount)
      try keep(id)
      return slot
    case .realloc:
      nameBlocks(of: app)
      guard let slot = tables[app].blocks.slot(of: id) else { throw .idUnknown(id, kind) }
      return slot
    case .free:
      nameBlocks(of: app)
      guard let slot = tables[app].blocks.remove(id) else { throw .idUnknown(id, kind) }
      freeBlocks.append(slot)
      disown(slot)
      return slot
    case .taskBegin:
      let slot = try Self.nextSlot(freeTasks, taskSlotCount, "open tasks")
      guard tables[app].tasks.insert(id, slot: slot) else { throw .idInUse(id, kind) }
      Self.take(&freeTasks, &taskSlotCount)
      try keep(id)
      return slot
    default:
      guard let slot = tables[app].tasks.remove(id) else { throw .idUnknown(id, kind) }
      freeTasks.append(slot)
      return slot
    }
  }

  /// The slot that ``take(_:_:)`` will take.
  private static func nextSlot(
    _ free: [UInt32], _ count: UInt32, _ what: String
  ) throws(TraceFault) -> UInt32 {
    if let slot = free.last { return slot }
    guard count < .max - 1 else { throw .tooMany(.id, what: what, limit: Int(UInt32.max) - 1) }
    return count
  }

  private static func take(_ free: inout [UInt32], _ count: inout UInt32) {
    if free.popLast() == nil { count += 1 }
  }

  /// Keeps a captured id.
  ///
  /// Nothing is stored while the ids are 1, 2, 3, ….
  private mutating func keep(_ id: Int64) throws(TraceFault) {
    ordinal += 1
    if ids == nil {
      if id == ordinal { return }
      var list = try GrowingList<Int64>(storage)
      for earlier in 1..<ordinal { try list.append(earlier) }
      ids = consume list
    }
    try ids?.append(id)
  }
}

// MARK: - Rows of blocks that no id names

/// What readers of allocations call for every row: no table of ids, and no columns to ask for.
///
/// The id of such a block is the number of its row among the `alloc` and `task-begin` rows, from 1. A
/// block is over with the life of its app, as one with an id is.
extension TraceBuilder {
  /// Takes the row of a new block, and returns the slot by which it is known.
  ///
  /// - Throws: ``TraceFault`` if the row breaks a rule of the format, if a live block of the app was
  ///   given the id that this one would have, or if the row cannot be kept.
  public mutating func beginBlock(
    of app: UInt32, time: Int64, bytes: Int64, detail: UInt32 = 0
  ) throws(TraceFault) -> UInt32 {
    guard detail == 0 || detail <= detailTexts.count,
      detail == 0 || detailTexts.tag(of: detail - 1) == EventKind.alloc.rawValue
    else { throw .unknownNumber(.detail) }
    guard app < tables.count else { throw .unknownNumber(.app) }
    let id = ordinal + 1
    let hasIDs = blockNames[Int(app)] == .ids
    if hasIDs, tables[Int(app)].blocks.slot(of: id) != nil { throw .idInUse(id, .alloc) }
    let slot = try Self.nextSlot(freeBlocks, blockSlotCount, "live blocks")
    try rules.checkBlock(.alloc, time: time, app: app, bytes: bytes)
    Self.take(&freeBlocks, &blockSlotCount)
    let owner = SlotOwner(app: app, id: id)
    while slotOwners.count < slot { slotOwners.append(SlotOwner()) }
    if slotOwners.count == slot { slotOwners.append(owner) } else { slotOwners[Int(slot)] = owner }
    if hasIDs {
      _ = tables[Int(app)].blocks.insert(id, slot: slot)
    } else if blockNames[Int(app)] == .none {
      blockNames[Int(app)] = .slots
    }
    try keep(id)
    if detail != 0 { use(detail) }
    try events.append(
      TraceEvent(
        timeNanoseconds: time, kind: .alloc, app: AppIndex(rawValue: app), value: bytes, slot: slot,
        detail: detail, flags: [.hasID, .hasValue]))
    return slot
  }

  /// Takes the row of a block's new size.
  ///
  /// - Throws: ``TraceFault`` if the slot is not that of a live block of the app, if the row breaks a
  ///   rule of the format, or if it cannot be kept.
  public mutating func resizeBlock(
    _ slot: UInt32, of app: UInt32, time: Int64, bytes: Int64
  ) throws(TraceFault) {
    guard owns(app, slot) else { throw .unknownNumber(.id) }
    try rules.checkBlock(.realloc, time: time, app: app, bytes: bytes)
    try events.append(
      TraceEvent(
        timeNanoseconds: time, kind: .realloc, app: AppIndex(rawValue: app), value: bytes,
        slot: slot, flags: [.hasID, .hasValue]))
  }

  /// Takes the row of a block's end.
  ///
  /// - Throws: ``TraceFault`` if the slot is not that of a live block of the app, if the row breaks a
  ///   rule of the format, or if it cannot be kept.
  public mutating func endBlock(
    _ slot: UInt32, of app: UInt32, time: Int64
  ) throws(TraceFault) {
    guard owns(app, slot) else { throw .unknownNumber(.id) }
    try rules.checkBlock(.free, time: time, app: app, bytes: 0)
    if blockNames[Int(app)] == .ids {
      _ = tables[Int(app)].blocks.remove(slotOwners[Int(slot)].id)
    }
    disown(slot)
    freeBlocks.append(slot)
    try events.append(
      TraceEvent(
        timeNanoseconds: time, kind: .free, app: AppIndex(rawValue: app), slot: slot,
        flags: .hasID))
  }

  /// Whether a slot is that of a live block which an app was given without an id.
  private func owns(_ app: UInt32, _ slot: UInt32) -> Bool {
    slot < slotOwners.count && app != .max && slotOwners[Int(slot)].app == app
  }

  private mutating func disown(_ slot: UInt32) {
    if slot < slotOwners.count { slotOwners[Int(slot)].app = .max }
  }

  /// Enters the blocks of an app among its ids: from now on rows ask for them.
  @inline(__always)
  private mutating func nameBlocks(of app: Int) {
    if blockNames[app] == .slots { enterBlocks(of: app) }
    blockNames[app] = .ids
  }

  @inline(never)
  private mutating func enterBlocks(of app: Int) {
    for (slot, owner) in slotOwners.enumerated() where owner.app == app {
      _ = tables[app].blocks.insert(owner.id, slot: UInt32(slot))
    }
  }
}

// MARK: - The end

extension TraceBuilder {
  /// Makes the trace: apps get their final numbers, in byte order of their names.
  ///
  /// - Parameters:
  ///   - name: The trace's name: its file name without extensions.
  ///   - header: What the header says.
  ///   - file: The file as the user named it, for errors.
  /// - Throws: ``TraceError`` for a trace without events and for a header that says what cannot be, or
  ///   more than a file can hold.
  public consuming func finish(
    name: String, header: TraceHeader, file: String
  ) throws(TraceError) -> Trace {
    if events.count == 0 {
      let first = issues.firstError
      throw TraceError(
        file: file, line: first?.lines.first,
        what: "a trace without events" + (first.map { ": \($0.text)" } ?? ""),
        remedy: "write at least one row, such as '0,com.example.app,launch,,,'")
    }
    let header = try header.checked(file: file)
    if !rules.hasEnd {
      issues.add(.info, TraceRules.noEndIssue)
    }
    do throws(TraceFault) {
      return try build(name: name, header: header)
    } catch {
      throw TraceError(error, file: file)
    }
  }

  private consuming func build(
    name: String, header: TraceHeader
  ) throws(TraceFault) -> Trace {
    let order = sortedApps()
    var finalApp = [UInt32](repeating: 0, count: names.count)
    for (position, app) in order.enumerated() { finalApp[Int(app)] = UInt32(position) }
    let detailOrder = detailOrder
    let isInOrder = order.indices.allSatisfy { Int(order[$0]) == $0 }
    let isDetailInOrder = (0...Int(usedDetails)).allSatisfy { Int(detailOrder[$0]) == $0 }
    if !isInOrder || !isDetailInOrder {
      try events.rewrite { event in
        if event.app != .none { event.app = AppIndex(rawValue: finalApp[event.app.position]) }
        event.detail = detailOrder[Int(event.detail)]
      }
    }
    let apps = order.map { String(decoding: names[$0], as: UTF8.self) }
    var finalDetails = [EventDetail](repeating: EventDetail(), count: Int(usedDetails) + 1)
    var finalTexts = [String](repeating: "", count: Int(usedDetails) + 1)
    for (number, final) in detailOrder.enumerated() where final != 0 {
      finalDetails[Int(final)] = details[number]
      finalTexts[Int(final)] = String(
        decoding: detailTexts[UInt32(number - 1)], as: UTF8.self)
    }
    let issues = issues
    let lines = lines
    let blockSlotCount = Int(blockSlotCount)
    let taskSlotCount = Int(taskSlotCount)
    let capturedIDs = try Self.storage(ids)
    return Trace(
      name: name, header: header, apps: apps, details: finalDetails, detailTexts: finalTexts,
      events: try Self.storage(events), blockSlotCount: blockSlotCount,
      taskSlotCount: taskSlotCount, capturedIDs: capturedIDs, issues: issues, lines: lines)
  }

  /// Provisional numbers of the apps that have rows, in byte order of the names.
  private func sortedApps() -> [UInt32] {
    (0..<UInt32(names.count)).filter { rules.isUsed[Int($0)] }.sorted {
      names[$0].lexicographicallyPrecedes(names[$1])
    }
  }

  private static func storage(
    _ events: consuming GrowingList<TraceEvent>
  ) throws(TraceFault) -> any EventStorage {
    switch try events.finish() {
    case .memory(let array): ArrayEventStorage(array)
    case .mapped(let file, let count): MappedEventStorage(file: file, offset: 0, count: count)
    }
  }

  private static func storage(
    _ ids: consuming GrowingList<Int64>?
  ) throws(TraceFault) -> any IDStorage {
    guard let ids else { return ArrayIDStorage([]) }
    switch try ids.finish() {
    case .memory(let array): return ArrayIDStorage(array)
    case .mapped(let file, let count): return MappedIDStorage(file: file, offset: 0, count: count)
    }
  }
}
