package import JettisonModel

/// The binary twin of trace format 1.
///
/// All numbers are little-endian. A file is
///
/// - 16 bytes: the magic `89 4A 54 52 41 43 45 0A`, the version (32 bits), zero (32 bits);
/// - the sections, each at a multiple of 16, zeros between them;
/// - the directory: 32 bytes per section (kind and zero, 32 bits each; offset, length and
///   checksum, 64 bits each);
/// - 32 bytes: offset of the directory (64 bits), number of sections, zero (32 bits each),
///   checksum of the directory (64 bits), the closing magic.
///
/// The directory comes last, so that a file can be written to a pipe.
///
/// Version 2 is written: events are blocks of columns (``EventBlock``), and checks have four lanes
/// (``LaneChecksum``). In version 1 events are records of ``TraceEvent``, and checks one
/// (``Checksum``).
package enum BinaryTrace {
  static let magic: [UInt8] = [0x89, 0x4A, 0x54, 0x52, 0x41, 0x43, 0x45, 0x0A]
  static let closingMagic: [UInt8] = Array("JTRACEnd".utf8)
  static let version: UInt32 = 2
  static let recordVersion: UInt32 = 1
  static let alignment = 16
  static let prefixBytes = 16
  static let entryBytes = 32
  static let trailerBytes = 32

  /// What a section holds; raw values are the format's.
  enum Section: UInt32, CaseIterable {
    /// The header as the YAML of a text trace.
    case header = 1
    /// Decoded names by their bytes: length (32 bits) and bytes each.
    case apps = 2
    /// Details from number 1 on: kind of event (8 bits), length (32 bits), text.
    case details = 3
    /// Blocks of columns, or of version 1 records of 32 bytes.
    case events = 4
    /// Captured ids (64 bits each), or nothing if they are 1, 2, 3, ….
    case ids = 5
    /// Severity (8 bits), count (64 bits), number of lines (8 bits), lines (64 bits each),
    /// length of the text (32 bits), text.
    case issues = 6

    var name: String {
      switch self {
      case .header: "header"
      case .apps: "apps"
      case .details: "details"
      case .events: "events"
      case .ids: "ids"
      case .issues: "issues"
      }
    }
  }

  /// Where a section is.
  struct Extent {
    var section: Section
    var offset: Int
    var length: Int
    var checksum: UInt64
  }

  /// Writes a trace.
  ///
  /// Needs no seeking. Complexity: O(events).
  package static func write(_ trace: Trace, to sink: inout ByteSink) throws(TraceError) {
    let start = sink.count
    var prefix = magic
    prefix.append(little: version)
    prefix.append(little: UInt32(0))
    try sink.append(prefix)
    var extents: [Extent] = []
    let header = Array(trace.header.yamlLines.map { $0 + "\n" }.joined().utf8)
    try write([header], as: .header, start, &extents, &sink)
    try write([appSection(trace)], as: .apps, start, &extents, &sink)
    try write([detailSection(trace)], as: .details, start, &extents, &sink)
    try writeEvents(trace, start, &extents, &sink)
    try writeIDs(trace, start, &extents, &sink)
    try write([issueSection(trace.issues)], as: .issues, start, &extents, &sink)
    try writeDirectory(extents, start, &sink)
  }

  /// The check of a section or of the directory.
  package static func checksum(of bytes: Span<UInt8>, version: UInt32 = version) -> UInt64 {
    if version == recordVersion {
      var checksum = Checksum()
      checksum.add(bytes)
      return checksum.value
    }
    var checksum = LaneChecksum()
    checksum.add(bytes)
    return checksum.value
  }

  private static func appSection(_ trace: Trace) -> [UInt8] {
    var bytes: [UInt8] = []
    for app in trace.apps {
      bytes.append(little: UInt32(app.utf8.count))
      bytes.append(contentsOf: app.utf8)
    }
    return bytes
  }

  private static func detailSection(_ trace: Trace) -> [UInt8] {
    var kinds = [UInt8](repeating: 0, count: trace.detailTexts.count)
    if trace.detailTexts.count > 1 {
      trace.events.forEach { event in kinds[Int(event.detail)] = event.kind.rawValue }
    }
    var bytes: [UInt8] = []
    for (number, text) in trace.detailTexts.enumerated() where number > 0 {
      bytes.append(kinds[number])
      bytes.append(little: UInt32(text.utf8.count))
      bytes.append(contentsOf: text.utf8)
    }
    return bytes
  }

  private static func issueSection(_ issues: ImportIssues) -> [UInt8] {
    var bytes: [UInt8] = []
    for issue in issues.all {
      bytes.append(issue.severity.rawValue)
      bytes.append(little: UInt64(issue.count))
      bytes.append(UInt8(issue.lines.count))
      for line in issue.lines { bytes.append(little: UInt64(line)) }
      bytes.append(little: UInt32(issue.text.utf8.count))
      bytes.append(contentsOf: issue.text.utf8)
    }
    return bytes
  }

  private static func writeEvents(
    _ trace: Trace, _ start: Int, _ extents: inout [Extent], _ sink: inout ByteSink
  ) throws(TraceError) {
    var writer = try SectionWriter(.events, start, &sink)
    var columns = EventColumnWriter()
    var position = 0
    var block: [TraceEvent] = []
    while position < trace.events.count {
      let next = min(position + EventWindows.batchCount, trace.events.count)
      block.removeAll(keepingCapacity: true)
      trace.events.append(position..<next, to: &block)
      try writer.append(columns.block(block.span), to: &sink)
      position = next
    }
    extents.append(writer.extent)
  }

  private static func writeIDs(
    _ trace: Trace, _ start: Int, _ extents: inout [Extent], _ sink: inout ByteSink
  ) throws(TraceError) {
    var writer = try SectionWriter(.ids, start, &sink)
    try trace.capturedIDs.withIDs { (ids) throws(TraceError) in
      var batch: [UInt8] = []
      for position in 0..<ids.count {
        batch.append(little: UInt64(bitPattern: ids[position]))
        if batch.count >= 1 << 16 || position == ids.count - 1 {
          try writer.append(batch, to: &sink)
          batch.removeAll(keepingCapacity: true)
        }
      }
    }
    extents.append(writer.extent)
  }

  private static func write(
    _ parts: [[UInt8]], as section: Section, _ start: Int, _ extents: inout [Extent],
    _ sink: inout ByteSink
  ) throws(TraceError) {
    var writer = try SectionWriter(section, start, &sink)
    for part in parts { try writer.append(part, to: &sink) }
    extents.append(writer.extent)
  }

  private static func writeDirectory(
    _ extents: [Extent], _ start: Int, _ sink: inout ByteSink
  ) throws(TraceError) {
    try SectionWriter.pad(start, &sink)
    let offset = sink.count - start
    var directory: [UInt8] = []
    for extent in extents {
      directory.append(little: extent.section.rawValue)
      directory.append(little: UInt32(0))
      directory.append(little: UInt64(extent.offset))
      directory.append(little: UInt64(extent.length))
      directory.append(little: extent.checksum)
    }
    let checksum = checksum(of: directory.span)
    directory.append(little: UInt64(offset))
    directory.append(little: UInt32(extents.count))
    directory.append(little: UInt32(0))
    directory.append(little: checksum)
    directory.append(contentsOf: closingMagic)
    try sink.append(directory)
  }
}

/// Writes one section and keeps its extent.
private struct SectionWriter {
  private var checksum = LaneChecksum()
  private let section: BinaryTrace.Section
  private let offset: Int
  private var length = 0

  init(
    _ section: BinaryTrace.Section, _ start: Int, _ sink: inout ByteSink
  ) throws(TraceError) {
    try Self.pad(start, &sink)
    self.section = section
    offset = sink.count - start
  }

  mutating func append(_ bytes: [UInt8], to sink: inout ByteSink) throws(TraceError) {
    checksum.add(bytes.span)
    length += bytes.count
    try sink.append(bytes)
  }

  var extent: BinaryTrace.Extent {
    BinaryTrace.Extent(
      section: section, offset: offset, length: length, checksum: checksum.value)
  }

  static func pad(_ start: Int, _ sink: inout ByteSink) throws(TraceError) {
    while (sink.count - start) % BinaryTrace.alignment != 0 { try sink.append(UInt8(0)) }
  }
}

extension Array where Element == UInt8 {
  mutating func append(little number: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  mutating func append(little number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
