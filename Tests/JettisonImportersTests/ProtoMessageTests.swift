import JettisonCore
import JettisonPerfetto
import PerfettoMessages
import SwiftProtobuf
import Testing

/// Messages decoded by hand against what SwiftProtobuf makes of the same bytes.
@Suite("Messages of Perfetto traces")
struct ProtoMessageTests {
  /// How many inputs were read and refused alike.
  private struct Tally {
    var read = 0
    var refused = 0
  }

  private static let seeds: Range<UInt64> = 0..<24

  /// Decodes bytes both ways, and expects that both say the same or refuse them.
  private static func compare<Ours: ProtoMessage, Theirs: RandomMessage>(
    _ bytes: [UInt8], as ours: Ours.Type, _ theirs: Theirs.Type, _ tally: inout Tally,
    _ what: @autoclosure () -> String
  ) {
    var options = BinaryDecodingOptions()
    options.discardUnknownFields = true
    options.messageDepthLimit = 16
    let expected = try? Theirs(serializedBytes: bytes, options: options)
    let message = Ours(0..<bytes.count, from: bytes.span)
    switch (message, expected) {
    case (let message?, let expected?):
      tally.read += 1
      let difference = Difference.between(message, expected, at: "\(Ours.self)")
      #expect(difference == nil, "\(what()): \(bytes)")
    case (nil, nil): tally.refused += 1
    default:
      let reader = message == nil ? "SwiftProtobuf" : "the decoder by hand"
      Issue.record("\(Ours.self): only \(reader) reads \(what()): \(bytes)")
    }
  }

  /// Random messages as SwiftProtobuf writes them, cut after every byte, and with changed bits.
  private static func check<Ours: ProtoMessage, Theirs: RandomMessage>(
    _ ours: Ours.Type, _ theirs: Theirs.Type
  ) throws {
    var tally = Tally()
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      let bytes: [UInt8] = try Theirs.random(&random).serializedBytes()
      compare(bytes, as: ours, theirs, &tally, "seed \(seed)")
      #expect(tally.refused == 0, "what is whole is read")
    }
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      let bytes: [UInt8] = try Theirs.random(&random).serializedBytes()
      for length in bytes.indices {
        compare(Array(bytes[..<length]), as: ours, theirs, &tally, "seed \(seed) cut at \(length)")
      }
      for change in 0..<200 where !bytes.isEmpty {
        var changed = bytes
        for _ in 0...random.next() % 3 {
          changed[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(random.next() % 8)
        }
        compare(changed, as: ours, theirs, &tally, "seed \(seed) with change \(change)")
      }
    }
    #expect(tally.read > 500 && tally.refused > 500, "\(tally)")
  }

  @Test("Every message says what SwiftProtobuf reads of it, and is refused where that refuses it")
  func messages() throws {
    try Self.check(ClockSnapshot.self, PerfettoClockSnapshot.self)
    try Self.check(SystemInfo.self, PerfettoSystemInfo.self)
    try Self.check(ProcessTree.self, PerfettoProcessTree.self)
    try Self.check(ProcessStats.self, PerfettoProcessStats.self)
    try Self.check(SysStats.self, PerfettoSysStats.self)
    try Self.check(TraceStats.self, PerfettoTraceStats.self)
    try Self.check(AndroidLogPacket.self, PerfettoAndroidLogPacket.self)
    try Self.check(FtraceEvent.self, PerfettoFtraceEvent.self)
  }

  @Test("Random bytes are read or refused alike")
  func anyBytes() {
    var tally = Tally()
    for seed in 0..<UInt64(4000) {
      var random = SplitMix64(seed: seed)
      let bytes = AnyFields.random(&random)
      compareAll(bytes, &tally, "seed \(seed)")
    }
    #expect(tally.read > 10_000 && tally.refused > 1000, "\(tally)")
  }

  private func compareAll(
    _ bytes: [UInt8], _ tally: inout Tally, _ what: @autoclosure () -> String
  ) {
    func compare<Ours: ProtoMessage, Theirs: RandomMessage>(_: Ours.Type, _: Theirs.Type) {
      Self.compare(bytes, as: Ours.self, Theirs.self, &tally, what())
    }
    compare(TracePacketDefaults.self, PerfettoTracePacketDefaults.self)
    compare(ClockSnapshot.self, PerfettoClockSnapshot.self)
    compare(SystemInfo.self, PerfettoSystemInfo.self)
    compare(ProcessTree.self, PerfettoProcessTree.self)
    compare(ProcessStats.self, PerfettoProcessStats.self)
    compare(SysStats.self, PerfettoSysStats.self)
    compare(TraceStats.self, PerfettoTraceStats.self)
    compare(AndroidLogPacket.self, PerfettoAndroidLogPacket.self)
    compare(FrameTimelineEvent.self, PerfettoFrameTimelineEvent.self)
  }

  @Test("Of two events in one, the last counts")
  func twoEvents() {
    let kill: [UInt8] = [0x9A, 0x02, 0x02, 0x10, 0x07]
    let victim: [UInt8] = [0xF2, 0x14, 0x02, 0x08, 0x09]
    let bytes = kill + victim
    let event = FtraceEvent(0..<bytes.count, from: bytes.span)?.event
    guard case .markVictim(let event)? = event else {
      Issue.record("\(String(describing: event))")
      return
    }
    #expect(event.pid == 9)
  }

  @Test("A message is a part of what surrounds it")
  func part() {
    let bytes: [UInt8] = [0xFF, 0xD0, 0x03, 0x05, 0xFF]
    #expect(TracePacketDefaults(1..<4, from: bytes.span)?.timestampClockID == 5)
    #expect(TracePacketDefaults(1..<3, from: bytes.span) == nil)
    #expect(TracePacketDefaults(1..<1, from: bytes.span)?.timestampClockID == nil)
  }
}

// MARK: - What two messages say

/// Compares a message with one that SwiftProtobuf decoded, by the names of their properties.
private enum Difference {
  /// Where the two differ, and how; nil: nowhere.
  static func between(_ ours: Any, _ theirs: Any?, at path: String) -> String? {
    let mirror = Mirror(reflecting: ours)
    let found = theirs.flatMap(unwrapped)
    switch mirror.displayStyle {
    // First, because a cast would look inside.
    case .optional:
      guard let value = unwrapped(ours) else { return found.map { "\(path): nothing, \($0)" } }
      return found == nil ? "\(path): \(value), nothing" : between(value, found, at: path)
    case _ where ours is String || ours is any FixedWidthInteger || ours is any RawRepresentable:
      return betweenLeaves(ours, found, at: path)
    case .collection:
      let parts = found.map { Array(Mirror(reflecting: $0).children) } ?? []
      guard parts.count == mirror.children.count else {
        return "\(path): \(mirror.children.count) elements, \(parts.count)"
      }
      return zip(mirror.children, parts).enumerated().lazy.compactMap { position, pair in
        between(pair.0.value, pair.1.value, at: "\(path)[\(position)]")
      }.first
    case .struct:
      return mirror.children.lazy.compactMap { child in
        let name = child.label ?? ""
        return between(child.value, property(name, of: found), at: "\(path).\(name)")
      }.first
    default:
      return betweenCases(ours, found, at: path)
    }
  }

  private static func betweenLeaves(_ ours: Any, _ theirs: Any?, at path: String) -> String? {
    let absent = ours is String ? "" : "0"
    let texts = (text(of: ours), theirs.map(text) ?? absent)
    return texts.0 == texts.1 ? nil : "\(path): \(texts.0), \(texts.1)"
  }

  private static func betweenCases(_ ours: Any, _ theirs: Any?, at path: String) -> String? {
    let (mine, other) = (Mirror(reflecting: ours), theirs.map { Mirror(reflecting: $0) })
    let name = mine.children.first?.label ?? "\(ours)"
    guard other?.children.first?.label == name else {
      return "\(path): \(name), \(other?.children.first?.label ?? "nothing")"
    }
    return mine.children.first.flatMap {
      between($0.value, other?.children.first?.value, at: "\(path).\(name)")
    }
  }

  /// A property of a generated message, which hides what is optional behind an underscore.
  private static func property(_ name: String, of message: Any?) -> Any? {
    message.flatMap { message in
      Mirror(reflecting: message).children.first { $0.label == name || $0.label == "_\(name)" }?
        .value
    }
  }

  private static func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional ? mirror.children.first?.value : value
  }

  private static func text(of value: Any) -> String {
    (value as? any RawRepresentable).map { "\($0.rawValue)" } ?? "\(value)"
  }
}

// MARK: - Bytes at random

/// Fields of all types and numbers, as no writer puts them together.
private enum AnyFields {
  static func random(_ random: inout SplitMix64, depth: Int = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<random.next() % 5 {
      // Numbers that messages have; few beyond.
      let number = random.next() % 8 < 7 ? 1 + random.next() % 10 : 1 + random.next() % 400
      field(number, &random, depth, &bytes)
    }
    return bytes
  }

  private static func field(
    _ number: UInt64, _ random: inout SplitMix64, _ depth: Int, _ bytes: inout [UInt8]
  ) {
    func tag(_ type: UInt64) { bytes += varint(number << 3 | type) }
    switch random.next() % 40 {
    case 0..<14:
      tag(0)
      bytes += varint(random.next() >> (random.next() % 64))
    case 14..<17:
      tag(1)
      bytes += (0..<8).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    case 17..<34:
      tag(2)
      let value = depth < 4 ? Self.random(&random, depth: depth + 1) : []
      bytes += varint(UInt64(value.count)) + value
    case 34..<36:
      tag(5)
      bytes += (0..<4).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    case 36..<39:
      tag(3)
      bytes += depth < 4 ? Self.random(&random, depth: depth + 1) : []
      tag(4)
    default: tag(random.next() % 8)
    }
  }

  private static func varint(_ value: UInt64) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + varint(value >> 7)
  }
}

// MARK: - Messages at random

private protocol RandomValue {
  static func random(_ random: inout SplitMix64) -> Self
}

private protocol RandomMessage: SwiftProtobuf.Message, RandomValue {}

extension SwiftProtobuf.Message {
  /// A message in which some of these fields are set.
  fileprivate static func random<each Value: RandomValue>(
    _ random: inout SplitMix64, _ fields: repeat WritableKeyPath<Self, each Value>
  ) -> Self {
    var message = Self()
    func set<One: RandomValue>(_ field: WritableKeyPath<Self, One>) {
      if random.next() % 4 > 0 { message[keyPath: field] = .random(&random) }
    }
    repeat set(each fields)
    return message
  }
}

extension FixedWidthInteger {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    switch random.next() % 8 {
    case 0: 0
    case 1: .max
    case 2: .min
    default: Self(truncatingIfNeeded: random.next() >> (random.next() % 64))
    }
  }
}

extension Int32: RandomValue {}
extension Int64: RandomValue {}
extension UInt32: RandomValue {}
extension UInt64: RandomValue {}

extension String: RandomValue {
  fileprivate static func random(_ random: inout SplitMix64) -> String {
    ["", "init", "com.example.notes", "日本語", "a\u{0}b", "é\n"].randomElement(using: &random) ?? ""
  }
}

extension Array: RandomValue where Element: RandomValue {
  fileprivate static func random(_ random: inout SplitMix64) -> [Element] {
    (0..<random.next() % 4).map { _ in Element.random(&random) }
  }
}

extension Optional: RandomValue where Wrapped: RandomValue {
  fileprivate static func random(_ random: inout SplitMix64) -> Wrapped? {
    Wrapped.random(&random)
  }
}

extension PerfettoTracePacketDefaults: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.timestampClockID)
  }
}

extension PerfettoClockSnapshot: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.clocks)
  }
}

extension PerfettoClockSnapshot.Clock: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.clockID, \.timestamp)
  }
}

extension PerfettoSystemInfo: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(
      &random, \.androidBuildFingerprint, \.androidSdkVersion, \.pageSize, \.timezoneOffMins)
  }
}

extension PerfettoProcessTree: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.processes, \.threads)
  }
}

extension PerfettoProcessTree.Process: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.pid, \.ppid, \.cmdline)
  }
}

extension PerfettoProcessTree.Thread: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.tid, \.tgid)
  }
}

extension PerfettoProcessStats: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.processes)
  }
}

extension PerfettoProcessStats.Process: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(
      &random, \.pid, \.rssAnonKb, \.rssShmemKb, \.vmSwapKb, \.oomScoreAdj, \.smrPssAnonKb,
      \.smrPssShmemKb, \.smrSwapPssKb)
  }
}

extension PerfettoSysStats: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.meminfo, \.psi)
  }
}

extension PerfettoSysStats.MeminfoValue: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.key, \.value)
  }
}

extension PerfettoMeminfoCounters: RandomValue {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    allCases.randomElement(using: &random) ?? .meminfoUnspecified
  }
}

extension PerfettoSysStats.PsiSample: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self { Self() }
}

extension PerfettoTraceStats: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.bufferStats)
  }
}

extension PerfettoTraceStats.BufferStats: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.chunksOverwritten, \.chunksDiscarded, \.traceWriterPacketLoss)
  }
}

extension PerfettoFrameTimelineEvent: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.actualSurfaceFrameStart)
  }
}

extension PerfettoFrameTimelineEvent.ActualSurfaceFrameStart: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.pid)
  }
}

extension PerfettoAndroidLogPacket: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.events)
  }
}

extension PerfettoAndroidLogPacket.LogEvent: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.pid, \.timestamp, \.tag, \.args)
  }
}

extension PerfettoAndroidLogPacket.LogEvent.Arg: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.name, \.value)
  }
}

extension PerfettoAndroidLogPacket.LogEvent.Arg.OneOf_Value: RandomValue {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    switch random.next() % 3 {
    case 0: .intValue(.random(&random))
    case 1: .floatValue(Float(random.uniform()))
    default: .stringValue(.random(&random))
    }
  }
}

extension PerfettoFtraceEvent: RandomMessage {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    .random(&random, \.timestamp, \.pid, \.event)
  }
}

extension PerfettoFtraceEvent.OneOf_Event: RandomValue {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    switch random.next() % 10 {
    case 0: .print(.random(&random, \.buf))
    case 1: .lowmemoryKill(.random(&random, \.pid))
    case 2: .taskNewtask(.random(&random, \.pid, \.comm, \.cloneFlags, \.oomScoreAdj))
    case 3: .taskRename(.random(&random, \.pid, \.newcomm))
    case 4: .schedProcessExit(.random(&random, \.comm, \.pid, \.tgid))
    case 5: .schedProcessFree(.random(&random, \.comm, \.pid))
    case 6: .rssStat(.random(&random, \.member, \.size, \.curr, \.mmID))
    case 7: .rssStatThrottled(.random(&random, \.member, \.size, \.curr, \.mmID))
    case 8: .oomScoreAdjUpdate(.random(&random, \.oomScoreAdj, \.pid))
    default: .markVictim(.random(&random, \.pid))
    }
  }
}
