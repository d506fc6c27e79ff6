package import JettisonModel
internal import JettisonSupport

/// Reads the binary twin, and checks everything that the engine relies on: no file, however it
/// was changed, can make the engine trap.
package struct BinaryTraceReader {
  private let file: MappedFile
  private let displayName: String
  private let version: UInt32
  private let checksEach: Bool
  private var extents: [BinaryTrace.Section: BinaryTrace.Extent] = [:]

  private init(_ input: TraceInput, checksEach: Bool) throws(TraceError) {
    self.checksEach = checksEach
    displayName = input.displayName
    let name = displayName
    // A stream of anything else need not be read to its end.
    let prefix = input.prefix
    let version = try Self.version(prefix.span, name)
    self.version = version
    file = try input.mapped()
    extents = try file.withBytes { (bytes) throws(TraceError) in
      try Self.directory(bytes, version, name)
    }
  }

  /// Reads a trace; its events stay in the mapped file.
  ///
  /// - Parameter checksEach: Whether to check events one by one even where their columns leave no
  ///   doubts, for tests.
  package static func read(
    _ input: TraceInput, checksEach: Bool = false
  ) throws(TraceError) -> Trace {
    try BinaryTraceReader(input, checksEach: checksEach).trace(named: input.traceName)
  }

  private func trace(named name: String) throws(TraceError) -> Trace {
    var issues = try issues()
    let header = try header(named: name, &issues)
    let checker = EventChecker(apps: try apps(), details: try details())
    let events =
      version == BinaryTrace.recordVersion ? try records(checker) : try columns(checker)
    guard events.isComplete else { throw damaged("apps or details without events") }
    let ids = try extent(.ids)
    guard ids.length % 8 == 0, ids.length == 0 || ids.length / 8 == events.idCount else {
      throw damaged("the section 'ids' has \(ids.length) bytes")
    }
    return Trace(
      name: name, header: header, apps: checker.apps.names, details: checker.details.values,
      detailTexts: checker.details.texts, events: events.storage, summary: events.summary,
      blockSlotCount: events.slots.blocks, taskSlotCount: events.slots.tasks,
      capturedIDs: MappedIDStorage(file: file, offset: ids.offset, count: ids.length / 8),
      issues: issues, lines: EventLines())
  }
}

// MARK: - Events

extension BinaryTraceReader {
  /// Events that were checked, and what the checks found out about them.
  private struct CheckedEvents {
    let storage: any EventStorage
    let summary: TraceSummary
    let slots: (blocks: Int, tasks: Int)
    /// Number of `alloc` and `task-begin` events.
    let idCount: Int
    /// Whether every app and every detail has a row.
    let isComplete: Bool

    init(_ storage: any EventStorage, _ summary: TraceSummary, _ checker: EventChecker) {
      self.storage = storage
      self.summary = summary
      slots = (checker.blocks.count, checker.tasks.count)
      idCount = checker.idCount
      isComplete = checker.isComplete
    }

    init(_ storage: any EventStorage, _ checker: ColumnChecker) {
      self.storage = storage
      summary = checker.summary
      slots = checker.slotCounts
      idCount = checker.idCount
      isComplete = checker.isComplete
    }
  }

  /// Events of version 1.
  private func records(_ checker: EventChecker) throws(TraceError) -> CheckedEvents {
    let extent = try extent(.events)
    guard extent.length % MemoryLayout<TraceEvent>.stride == 0, extent.length > 0 else {
      throw damaged("the section 'events' has \(extent.length) bytes")
    }
    let count = extent.length / MemoryLayout<TraceEvent>.stride
    var checker = checker
    try file.withElements(of: RawEvent.self, at: extent.offset, count: count) {
      (events) throws(TraceError) in
      for position in 0..<events.count { try check(events[position], position, &checker) }
    }
    let storage = MappedEventStorage(file: file, offset: extent.offset, count: count)
    let summary = TraceSummary(storage, appCount: checker.apps.names.count)
    return CheckedEvents(storage, summary, checker)
  }

  /// Events of version 2.
  private func columns(_ checker: EventChecker) throws(TraceError) -> CheckedEvents {
    let extent = try extent(.events)
    guard extent.length > 0 else { throw damaged("the section 'events' has 0 bytes") }
    let end = extent.offset + extent.length
    var fast = ColumnChecker(file, checker)
    var sum = LaneChecksum()
    var verdict = checksEach ? ColumnChecker.Verdict.doubtful : .right
    var blocks: [Int] = []
    var count = 0
    var offset = extent.offset
    while offset < end, count == blocks.count * EventWindows.batchCount,
      let block = file.withBytes({ EventBlock($0, at: offset, before: end) })
    {
      let next = offset + block.length
      // What the checksum has read is still at hand for the checks.
      file.withBytes { sum.add($0.extracting(offset..<next)) }
      verdict = max(verdict, verdict == .right ? fast.check(block) : fast.checkShape(block))
      if verdict == .misshapen { break }
      blocks.append(offset)
      count += block.count
      offset = next
    }
    if offset < end {
      // Damage is told from lies by the checksum of everything.
      file.withBytes { bytes in
        sum = LaneChecksum()
        sum.add(bytes.extracting(extent.offset..<end))
      }
    }
    guard sum.value == extent.checksum else { throw Self.wrongChecksum(.events, displayName) }
    guard offset == end else { throw damaged("block \(blocks.count + 1) of its events") }
    let storage = ColumnEventStorage(file: file, count: count, blocks: blocks, end: end)
    return verdict == .right ? CheckedEvents(storage, fast) : try checkEach(of: storage, checker)
  }

  /// Checks events one by one, where their columns left doubts.
  private func checkEach(
    of storage: ColumnEventStorage, _ checker: EventChecker
  ) throws(TraceError) -> CheckedEvents {
    var checker = checker
    var position = 0
    try storage.forEachBlock { (block, codes) throws(TraceError) in
      for row in 0..<block.count {
        let kind = EventCode(rawValue: codes[row]).kindNumber
        try check(RawEvent(block[row], kind: kind), position, &checker)
        position += 1
      }
    }
    let summary = TraceSummary(storage, appCount: checker.apps.names.count)
    return CheckedEvents(storage, summary, checker)
  }

  private func check(
    _ event: RawEvent, _ position: Int, _ checker: inout EventChecker
  ) throws(TraceError) {
    do throws(TraceFault) {
      try checker.check(event)
    } catch {
      throw TraceError(
        file: displayName, column: error.column?.rawValue,
        what: "event \(position + 1): \(error.what)", remedy: error.remedy)
    }
  }
}

// MARK: - Sections

extension BinaryTraceReader {
  private static let remedy = "make it again from its source with 'jettison convert'"

  private static func damaged(_ what: String, _ file: String) -> TraceError {
    TraceError(file: file, what: "is damaged: \(what)", remedy: remedy)
  }

  private func damaged(_ what: String) -> TraceError { Self.damaged(what, displayName) }

  private static func wrongChecksum(
    _ section: BinaryTrace.Section, _ file: String
  ) -> TraceError {
    damaged("the checksum of the section '\(section.name)' does not match", file)
  }

  /// Reads the version, which must be one that is known.
  private static func version(
    _ bytes: Span<UInt8>, _ file: String
  ) throws(TraceError) -> UInt32 {
    var start = ByteReader(bytes.extracting(first: BinaryTrace.prefixBytes))
    guard start.take(BinaryTrace.magic) else {
      throw TraceError(
        file: file, what: "is not a binary trace", remedy: "'jettison convert' makes one")
    }
    guard let version = start.uint32(), start.uint32() == 0,
      version == BinaryTrace.version || version == BinaryTrace.recordVersion
    else {
      throw TraceError(
        file: file, what: "a binary trace of another version",
        remedy: "make it again with this Jettison")
    }
    return version
  }

  /// Reads the directory and checks extents and checksums, except that of columns of events.
  private static func directory(
    _ bytes: Span<UInt8>, _ version: UInt32, _ file: String
  ) throws(TraceError) -> [BinaryTrace.Section: BinaryTrace.Extent] {
    guard bytes.count >= BinaryTrace.prefixBytes + BinaryTrace.trailerBytes else {
      throw damaged("it is cut short", file)
    }
    var trailer = ByteReader(bytes.extracting(last: BinaryTrace.trailerBytes))
    guard let offset = trailer.length(), let count = trailer.uint32(), trailer.uint32() == 0,
      let checksum = trailer.uint64(), trailer.take(BinaryTrace.closingMagic)
    else { throw damaged("it is cut short", file) }
    let end = bytes.count - BinaryTrace.trailerBytes
    guard offset >= BinaryTrace.prefixBytes, offset <= end, count <= 64,
      end - offset == Int(count) * BinaryTrace.entryBytes
    else { throw damaged("its directory is out of place", file) }
    let directory = bytes.extracting(offset..<end)
    guard BinaryTrace.checksum(of: directory, version: version) == checksum else {
      throw damaged("the checksum of its directory does not match", file)
    }
    let sections = bytes.extracting(0..<offset)
    let extents = try extents(directory, Int(count), version, in: sections, file)
    try checkPadding(between: extents.values.sorted { $0.offset < $1.offset }, in: sections, file)
    return extents
  }

  /// No checksum covers what stands between sections, so that a change would go unnoticed there.
  private static func checkPadding(
    between extents: [BinaryTrace.Extent], in bytes: Span<UInt8>, _ file: String
  ) throws(TraceError) {
    var end = BinaryTrace.prefixBytes
    for (offset, length) in extents.map({ ($0.offset, $0.length) }) + [(bytes.count, 0)] {
      while end < offset {
        guard bytes[end] == 0 else { throw damaged("byte \(end) between sections is not 0", file) }
        end += 1
      }
      end = max(end, offset + length)
    }
  }

  private static func extents(
    _ directory: Span<UInt8>, _ count: Int, _ version: UInt32, in bytes: Span<UInt8>,
    _ file: String
  ) throws(TraceError) -> [BinaryTrace.Section: BinaryTrace.Extent] {
    var extents: [BinaryTrace.Section: BinaryTrace.Extent] = [:]
    var reader = ByteReader(directory)
    for _ in 0..<count {
      guard let kind = reader.uint32(), reader.uint32() == 0, let offset = reader.length(),
        let length = reader.length(), let checksum = reader.uint64(),
        let section = BinaryTrace.Section(rawValue: kind), extents[section] == nil,
        offset >= BinaryTrace.prefixBytes, offset % BinaryTrace.alignment == 0,
        offset <= bytes.count,
        length <= bytes.count - offset
      else { throw damaged("a section is out of place", file) }
      // Columns are checked while they are read.
      if section != .events || version == BinaryTrace.recordVersion {
        let bytes = bytes.extracting(offset..<offset + length)
        guard BinaryTrace.checksum(of: bytes, version: version) == checksum else {
          throw wrongChecksum(section, file)
        }
      }
      extents[section] = BinaryTrace.Extent(
        section: section, offset: offset, length: length, checksum: checksum)
    }
    return extents
  }

  private func extent(_ section: BinaryTrace.Section) throws(TraceError) -> BinaryTrace.Extent {
    guard let extent = extents[section] else {
      throw damaged("the section '\(section.name)' is missing")
    }
    return extent
  }

  private func withSection<Result>(
    _ section: BinaryTrace.Section,
    _ body: (inout ByteReader) throws(TraceError) -> Result
  ) throws(TraceError) -> Result {
    let extent = try extent(section)
    return try file.withBytes { (bytes) throws(TraceError) in
      var reader = ByteReader(bytes.extracting(extent.offset..<extent.offset + extent.length))
      return try body(&reader)
    }
  }

  private func header(
    named name: String, _ issues: inout ImportIssues
  ) throws(TraceError) -> TraceHeader {
    let text = try withSection(.header) { (reader) throws(TraceError) -> String in
      guard reader.all.count <= BoundedYAML.maximumBytes, let text = self.text(reader.all) else {
        throw damaged("the section 'header' is not text")
      }
      return text
    }
    return try TraceHeader(
      yaml: text, traceName: name, file: "\(displayName) (header)", linesBefore: 0,
      charactersBefore: 0, issues: &issues)
  }

  private func apps() throws(TraceError) -> EventChecker.Apps {
    try withSection(.apps) { (reader) throws(TraceError) in
      var names: [String] = []
      var last: [UInt8] = []
      while !reader.isAtEnd {
        guard let length = reader.uint32(), length <= TraceLimits.nameBytes,
          let bytes = reader.bytes(Int(length)), let name = text(bytes), !bytes.isEmpty,
          last.lexicographicallyPrecedes(bytes)
        else { throw damaged("the name of app \(names.count + 1)") }
        last = bytes
        names.append(name)
      }
      return EventChecker.Apps(names: names)
    }
  }

  private func details() throws(TraceError) -> EventChecker.Details {
    try withSection(.details) { (reader) throws(TraceError) in
      var details = EventChecker.Details()
      var parser = DetailParser()
      while !reader.isAtEnd {
        let number = details.texts.count
        guard let raw = reader.uint8(), let kind = EventKind(rawValue: raw),
          let length = reader.uint32(), let bytes = reader.bytes(Int(length)), !bytes.isEmpty,
          let text = text(bytes)
        else { throw damaged("detail \(number)") }
        let parsed: DetailParser.Parsed
        do throws(TraceFault) {
          parsed = try parser.parse(bytes.span, for: kind, isQuoted: false)
        } catch {
          throw damaged("detail \(number): \(error.what)")
        }
        guard parsed.text == bytes else { throw damaged("detail \(number) is not canonical") }
        details.kinds.append(raw)
        details.texts.append(text)
        details.values.append(parsed.detail)
      }
      return details
    }
  }

  private func issues() throws(TraceError) -> ImportIssues {
    try withSection(.issues) { (reader) throws(TraceError) in
      var issues = ImportIssues()
      issues.areLinesOfSource = true
      while !reader.isAtEnd {
        guard let raw = reader.uint8(), let severity = IssueSeverity(rawValue: raw),
          let count = reader.length(), count > 0, let lineCount = reader.uint8(),
          Int(lineCount) <= min(count, ImportIssues.keptPlaces)
        else { throw damaged("an issue") }
        var lines: [Int] = []
        for _ in 0..<lineCount {
          guard let line = reader.length() else { throw damaged("an issue") }
          lines.append(line)
        }
        guard let length = reader.uint32(), let bytes = reader.bytes(Int(length)),
          let text = text(bytes)
        else { throw damaged("an issue") }
        issues.add(severity, text, count: count, lines: lines)
      }
      return issues
    }
  }

  private func text(_ bytes: [UInt8]) -> String? {
    String(validating: bytes, as: UTF8.self)
  }
}

/// Reads numbers and bytes from the start of a section; nil where they end.
private struct ByteReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: Span<UInt8>) {
    self.bytes = Array(span: bytes)
  }

  var isAtEnd: Bool { position == bytes.count }

  /// Everything, wherever reading is.
  var all: [UInt8] { bytes }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count <= bytes.count - position else { return nil }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  mutating func take(_ expected: [UInt8]) -> Bool {
    bytes(expected.count) == expected
  }

  mutating func uint8() -> UInt8? { number(1).map(UInt8.init(truncatingIfNeeded:)) }

  mutating func uint32() -> UInt32? { number(4).map(UInt32.init(truncatingIfNeeded:)) }

  mutating func uint64() -> UInt64? { number(8) }

  /// A 64-bit number that is a length, offset or count: at most 2^62.
  mutating func length() -> Int? {
    number(8).flatMap { $0 <= 1 << 62 ? Int($0) : nil }
  }

  private mutating func number(_ size: Int) -> UInt64? {
    guard size <= bytes.count - position else { return nil }
    var number: UInt64 = 0
    for index in 0..<size {
      number |= UInt64(bytes[position + index]) << UInt64(index * 8)
    }
    position += size
    return number
  }
}
