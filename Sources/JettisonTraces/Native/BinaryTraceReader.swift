package import JettisonModel
internal import JettisonSupport

/// Reads the binary twin, and checks everything that the engine relies on: no file, however it
/// was changed, can make the engine trap.
package struct BinaryTraceReader {
  private let file: MappedFile
  private let displayName: String
  private var extents: [BinaryTrace.Section: BinaryTrace.Extent] = [:]

  private init(_ input: TraceInput) throws(TraceError) {
    displayName = input.displayName
    let name = displayName
    // A stream of anything else need not be read to its end.
    let prefix = input.prefix
    try Self.checkStart(prefix.span, name)
    file = try input.mapped()
    extents = try file.withBytes { (bytes) throws(TraceError) in
      try Self.directory(bytes, name)
    }
  }

  /// Reads a trace; its events stay in the mapped file.
  package static func read(_ input: TraceInput) throws(TraceError) -> Trace {
    try BinaryTraceReader(input).trace(named: input.traceName)
  }

  private func trace(named name: String) throws(TraceError) -> Trace {
    var issues = try issues()
    let header = try header(named: name, &issues)
    var checker = EventChecker(apps: try apps(), details: try details())
    let events = try extent(.events)
    guard events.length % MemoryLayout<TraceEvent>.stride == 0, events.length > 0 else {
      throw damaged("the section 'events' has \(events.length) bytes")
    }
    let count = events.length / MemoryLayout<TraceEvent>.stride
    try check(&checker, events.offset, count)
    guard checker.isComplete else { throw damaged("apps or details without events") }
    let ids = try extent(.ids)
    guard ids.length % 8 == 0, ids.length == 0 || ids.length / 8 == checker.idCount else {
      throw damaged("the section 'ids' has \(ids.length) bytes")
    }
    return Trace(
      name: name, header: header, apps: checker.apps.names, details: checker.details.values,
      detailTexts: checker.details.texts,
      events: MappedEventStorage(file: file, offset: events.offset, count: count),
      blockSlotCount: checker.blocks.count, taskSlotCount: checker.tasks.count,
      capturedIDs: MappedIDStorage(file: file, offset: ids.offset, count: ids.length / 8),
      issues: issues)
  }

  private func check(
    _ checker: inout EventChecker, _ offset: Int, _ count: Int
  ) throws(TraceError) {
    let displayName = displayName
    try file.withElements(of: RawEvent.self, at: offset, count: count) {
      (events) throws(TraceError) in
      for position in 0..<events.count {
        do throws(TraceFault) {
          try checker.check(events[position])
        } catch {
          throw TraceError(
            file: displayName, column: error.column?.rawValue,
            what: "event \(position + 1): \(error.what)", remedy: error.remedy)
        }
      }
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

  private static func checkStart(_ bytes: Span<UInt8>, _ file: String) throws(TraceError) {
    var start = ByteReader(bytes.extracting(first: 16))
    guard start.take(BinaryTrace.magic) else {
      throw TraceError(
        file: file, what: "is no binary trace", remedy: "'jettison convert' makes one")
    }
    guard let version = start.uint32(), version == BinaryTrace.version, start.uint32() == 0 else {
      throw TraceError(
        file: file, what: "a binary trace of another version",
        remedy: "make it again with this Jettison")
    }
  }

  /// Reads the directory and checks extents and checksums.
  private static func directory(
    _ bytes: Span<UInt8>, _ file: String
  ) throws(TraceError) -> [BinaryTrace.Section: BinaryTrace.Extent] {
    guard bytes.count >= 16 + BinaryTrace.trailerBytes else {
      throw damaged("it is cut short", file)
    }
    var trailer = ByteReader(bytes.extracting(last: BinaryTrace.trailerBytes))
    guard let offset = trailer.length(), let count = trailer.uint32(), trailer.uint32() == 0,
      let checksum = trailer.uint64(), trailer.take(BinaryTrace.closingMagic)
    else { throw damaged("it is cut short", file) }
    let end = bytes.count - BinaryTrace.trailerBytes
    guard offset >= 16, offset <= end, count <= 64,
      end - offset == Int(count) * BinaryTrace.entryBytes
    else { throw damaged("its directory is out of place", file) }
    let directory = bytes.extracting(offset..<end)
    var sum = Checksum()
    sum.add(directory)
    guard sum.value == checksum else {
      throw damaged("the checksum of its directory does not match", file)
    }
    return try extents(directory, Int(count), in: bytes.extracting(0..<offset), file)
  }

  private static func extents(
    _ directory: Span<UInt8>, _ count: Int, in bytes: Span<UInt8>, _ file: String
  ) throws(TraceError) -> [BinaryTrace.Section: BinaryTrace.Extent] {
    var extents: [BinaryTrace.Section: BinaryTrace.Extent] = [:]
    var reader = ByteReader(directory)
    for _ in 0..<count {
      guard let kind = reader.uint32(), reader.uint32() == 0, let offset = reader.length(),
        let length = reader.length(), let checksum = reader.uint64(),
        let section = BinaryTrace.Section(rawValue: kind), extents[section] == nil,
        offset >= 16, offset % BinaryTrace.alignment == 0, offset <= bytes.count,
        length <= bytes.count - offset
      else { throw damaged("a section is out of place", file) }
      var sum = Checksum()
      sum.add(bytes.extracting(offset..<offset + length))
      guard sum.value == checksum else {
        throw damaged("the checksum of the section '\(section.name)' does not match", file)
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
        throw damaged("the section 'header' is no text")
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
