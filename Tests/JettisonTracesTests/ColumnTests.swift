import Foundation
import JettisonCore
import JettisonTestSupport
import JettisonTraces
import Testing

/// Events in columns: what they cost may differ from records, what they say may not.
@Suite("Columns of binary traces")
struct ColumnTests {
  /// What became of reading a file.
  private enum Outcome: Equatable, CustomStringConvertible {
    case read(text: String, index: String)
    case refused(String)

    init(_ bytes: [UInt8], checksEach: Bool) throws {
      var outcome = Outcome.refused("")
      try RoundTripTests.withFile(bytes, named: "t.jtrace") { path in
        do {
          let input = try TraceInput(path: path, formats: .native)
          let trace = try BinaryTraceReader.read(input, checksEach: checksEach)
          outcome = .read(text: try RoundTripTests.text(trace), index: ColumnTests.index(trace))
        } catch let error as TraceError {
          // Each file is in a folder of its own.
          outcome = .refused("\(error)".replacingOccurrences(of: path, with: "t.jtrace"))
        }
      }
      self = outcome
    }

    var description: String {
      switch self {
      case .read: "read"
      case .refused(let error): error
      }
    }
  }

  private static func index(_ trace: Trace) -> String {
    let index = trace.index
    return "\(index.facts) \(index.kindCounts) \(index.endNanoseconds) \(index.hasEnd) "
      + "\(index.launchTimes) \(index.launchOrdinals) \(index.launchStarts) "
      + "\(index.observedLatencies) \(index.leaves(.inactive)) \(index.leaves(.background)) "
      + "\(trace.blockSlotCount) \(trace.taskSlotCount) \(trace.contentHash)"
  }

  /// Compares what columns decide with what events decide one by one.
  private static func compare(_ bytes: [UInt8], _ what: String) throws -> Outcome {
    let columns = try Outcome(bytes, checksEach: false)
    let events = try Outcome(bytes, checksEach: true)
    #expect(columns == events, "\(what): \(columns), one by one: \(events)")
    return columns
  }

  /// A trace of several blocks in which many rows share their time, so that instants cross blocks.
  private static func long(_ random: inout SplitMix) -> TraceText {
    let pieces = 30 + Int(random.next() % 10)
    var text = TraceText().header("user: random")
    var time: Int64 = 0
    for piece in 0..<pieces {
      // Every piece is a life of its own for apps of its own.
      for row in RandomTrace.make(&random).rows where !row.contains(",end,") {
        let parts = row.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        time += random.next() % 3 == 0 ? Int64(random.next() % 1000) : 0
        text.rows.append("\(time),\(parts[1])\(piece % 7),\(parts[2])")
      }
      text.rows.append("\(time),,boot,,,")
    }
    return text.raw("\(time),,end,,,reason=complete")
  }

  @Test("Version 1 is read as before")
  func versionOne() throws {
    let trace = try TraceFixtures.everyEvent.trace()
    try RoundTripTests.withFile(RecordFixture.bytes(), named: "test.jtrace") { path in
      let old = try TraceLoader.load(path)
      #expect(old.header == trace.header)
      #expect(old.apps == trace.apps)
      #expect(old.details == trace.details)
      #expect(old.detailTexts == trace.detailTexts)
      #expect(old.issues.all == trace.issues.all)
      #expect(Self.index(old) == Self.index(trace))
      try #expect(RoundTripTests.text(old) == RoundTripTests.text(trace))
      try #expect(RoundTripTests.binary(old) == RoundTripTests.binary(trace))
    }
  }

  @Test("Index and rows of columns agree with the text", arguments: 0..<6)
  func longTraces(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let trace = try Self.long(&random).trace()
    let bytes = try RoundTripTests.binary(trace)
    let outcome = try Self.compare(bytes, "seed \(seed)")
    let expected = Outcome.read(
      text: try RoundTripTests.text(trace), index: Self.index(trace))
    #expect(outcome == expected, "seed \(seed)")
  }

  @Test("Any part of the events is that of the whole, and windows never part an instant")
  func parts() throws {
    var random = SplitMix(seed: 1)
    let trace = try Self.long(&random).trace()
    try RoundTripTests.withFile(RoundTripTests.binary(trace), named: "t.jtrace") { path in
      let events = try TraceLoader.load(path).events
      var all: [TraceEvent] = []
      trace.events.append(0..<trace.events.count, to: &all)
      #expect(events.count == all.count)
      for _ in 0..<200 {
        let start = Int(random.next() % UInt64(all.count))
        let end = start + Int(random.next() % UInt64(all.count - start + 1))
        var part: [TraceEvent] = []
        events.append(start..<end, to: &part)
        #expect(part == Array(all[start..<end]), "\(start)..<\(end)")
      }
      var position = 0
      events.forEachWindow { window, first in
        #expect(first == position)
        for index in 0..<window.count { #expect(window[index] == all[position + index]) }
        position += window.count
        guard position < all.count else { return }
        #expect(all[position].timeNanoseconds > all[position - 1].timeNanoseconds)
      }
      #expect(position == all.count)
    }
  }

  @Test("One instant may be longer than a block")
  func longInstant() throws {
    var text = TraceText().row(0, "a", "launch")
    for row in 0..<20_000 { text.rows.append("5,a,footprint,\(row),,") }
    let trace = try text.raw("6,,end,,,reason=complete").trace()
    try RoundTripTests.withFile(RoundTripTests.binary(trace), named: "t.jtrace") { path in
      var windows: [Int] = []
      try TraceLoader.load(path).events.forEachWindow { window, _ in windows.append(window.count) }
      #expect(windows == [1, 20_001])
    }
  }

  @Test("Numbers of any width come back")
  func widths() throws {
    var text = TraceText()
    // Slots that take two bytes in one block and four in another.
    text.rows = (0..<70_000).map { "0,a,alloc,\($0 % 300),\($0)," }
    text.rows.insert("0,a,launch,,,", at: 0)
    for app in 0..<300 { text.rows.append("\(app * 7),app\(app),launch,,,") }
    var time: Int64 = 600_000
    for exponent in 0...40 {
      time += 1 << Int64(exponent + 18)
      text.rows.append("\(time),app1,footprint,\(Int64(1) << Int64(exponent)),,")
      text.rows.append("\(time),,clock,\(-exponent * 1000),,")
      text.rows.append("\(time),app2,adj,\(exponent - 40),,")
    }
    text.rows.append("\(TraceLimits.timeNanoseconds),,screen,1,,")
    let trace = try text.raw("\(TraceLimits.timeNanoseconds),,end,,,reason=complete").trace()
    let outcome = try Self.compare(RoundTripTests.binary(trace), "widths")
    let expected = Outcome.read(
      text: try RoundTripTests.text(trace), index: Self.index(trace))
    #expect(outcome == expected)
  }

  @Test("Every bit of a small file is under a checksum, or has to be 0")
  func everyBit() throws {
    let trace = try TraceText().row(0, "a", "launch").row(1, "a", "alloc", value: 9, id: 5)
      .end(2).trace()
    let source = try RoundTripTests.binary(trace)
    for position in source.indices {
      for bit in 0..<8 {
        var bytes = source
        bytes[position] ^= 1 << bit
        guard case .refused = try Outcome(bytes, checksEach: false) else {
          Issue.record("byte \(position), bit \(bit) is read")
          continue
        }
      }
    }
  }

  @Test("A byte between sections that is not 0 is named")
  func padding() throws {
    let source = try RoundTripTests.binary(TraceFixtures.everyEvent.trace())
    let padding = source.indices.filter { BinaryForge.isPadding($0, in: source) }
    #expect(padding.count > 8)
    for position in padding {
      #expect(source[position] == 0)
      var bytes = source
      bytes[position] = 1
      #expect(
        try Self.compare(bytes, "byte \(position)")
          == .refused(
            "t.jtrace: is damaged: byte \(position) between sections is not 0 "
              + "(make it again from its source with 'jettison convert')"))
    }
  }

  @Test("A byte behind the numbers of a column that is not 0 is damage, whatever the checksum says")
  func paddingOfColumns() throws {
    // Behind the head of the block two codes of a byte each, and six bytes behind them.
    let source = try RoundTripTests.binary(
      TraceText().row(0, "a", "launch").row(1, "a", "exit").trace())
    let codes = BinaryForge.extents(source)[3].offset + 88
    #expect(source[codes] != source[codes + 1])
    for position in codes + 2..<codes + 8 {
      #expect(source[position] == 0)
      var bytes = source
      bytes[position] = 1
      BinaryForge.mend(&bytes)
      guard case .refused(let error) = try Self.compare(bytes, "byte \(position)") else {
        Issue.record("byte \(position) is read")
        continue
      }
      #expect(error.contains("is damaged: block 1 of its events"), "\(error)")
    }
  }

  @Test("A lie anywhere in the events is met as such, by columns as one by one")
  func everyByte() throws {
    let source = try RoundTripTests.binary(TraceFixtures.everyEvent.trace())
    let events = BinaryForge.extents(source)[3]
    var refused = 0
    for position in events.offset..<events.offset + events.length {
      for change: UInt8 in [1, 0x80] {
        var bytes = source
        bytes[position] ^= change
        BinaryForge.mend(&bytes)
        let outcome = try Self.compare(bytes, "byte \(position) ^ \(change)")
        if case .refused(let error) = outcome {
          refused += 1
          #expect(!error.contains("checksum"), "byte \(position) ^ \(change)")
        }
      }
    }
    #expect(refused > events.length / 2)
  }

  @Test("Forged columns of long traces are taken or refused as one by one", arguments: 0..<10)
  func forged(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let source = try RoundTripTests.binary(Self.long(&random).trace())
    for turn in 0..<8 {
      let bytes = BinaryForge.mutate(source, &random)
      _ = try Self.compare(bytes, "seed \(seed), turn \(turn)")
    }
  }

  @Test("Blocks that lie about themselves are named")
  func blocks() throws {
    var text = TraceText().row(0, "a", "launch")
    for row in 1...9000 { text.rows.append("\(row),a,footprint,\(row % 250),,") }
    let source = try RoundTripTests.binary(text.end(1).trace())
    let events = BinaryForge.extents(source)[3]
    // Numbers of events, apps, values and ids; widths; what comes after them; start; unit 0.
    let lies: [(place: Int, value: UInt8)] = [
      (0, 1), (2, 1), (4, 9), (8, 1), (12, 1), (16, 3), (18, 8), (22, 1), (24, 1), (32, 0),
    ]
    for lie in lies {
      var bytes = source
      bytes[events.offset + lie.place] = lie.value
      BinaryForge.mend(&bytes)
      let outcome = try Self.compare(bytes, "\(lie)")
      guard case .refused(let error) = outcome else {
        Issue.record("\(lie) is taken")
        continue
      }
      #expect(error.contains("is damaged: block 1 of its events"), "\(lie): \(error)")
    }
  }

  /// A trace whose rows are as they are given, right or not.
  private static func unchecked(_ trace: Trace, _ events: [TraceEvent]) -> Trace {
    Trace(
      name: trace.name, header: trace.header, apps: trace.apps, details: trace.details,
      detailTexts: trace.detailTexts, events: ArrayEventStorage(events),
      blockSlotCount: trace.blockSlotCount, taskSlotCount: trace.taskSlotCount,
      capturedIDs: trace.capturedIDs, issues: trace.issues)
  }

  private static func events(_ trace: Trace) -> [TraceEvent] {
    var events: [TraceEvent] = []
    trace.events.append(0..<trace.events.count, to: &events)
    return events
  }

  @Test("What is wrong is said of its event, in a second block, too")
  func places() throws {
    var text = TraceText().row(0, "a", "launch")
    for row in 1...9000 { text.rows.append("\(row),a,footprint,\(row % 250 + 1000),,") }
    let trace = try text.end(1).trace()
    var events = Self.events(trace)
    events[8500].value = -5
    let bytes = try RoundTripTests.binary(Self.unchecked(trace, events))
    let outcome = try Self.compare(bytes, "a negative footprint")
    let sentence =
      "t.jtrace: column 'value': event 8501: -5 is negative (write 0 to \(TraceLimits.bytes))"
    #expect(outcome == .refused(sentence))
  }

  @Test("Rows that break a rule are refused as one by one", arguments: 0..<150)
  func wrongRows(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let isLong = seed % 30 == 0
    let trace = try isLong ? Self.long(&random).trace() : RandomTrace.make(&random).trace()
    for turn in 0..<(isLong ? 3 : 20) {
      var events = Self.events(trace)
      for _ in 0...(random.next() % 2) {
        let position = Int(random.next() % UInt64(events.count))
        Self.change(&events, position, trace, &random)
      }
      let bytes = try RoundTripTests.binary(Self.unchecked(trace, events))
      _ = try Self.compare(bytes, "seed \(seed), turn \(turn)")
    }
  }

  /// Changes an event of a trace so that it may break any rule.
  private static func change(
    _ events: inout [TraceEvent], _ position: Int, _ trace: Trace, _ random: inout SplitMix
  ) {
    let other = events[Int(random.next() % UInt64(events.count))]
    switch random.next() % 10 {
    case 0: events[position].timeNanoseconds -= Int64(random.next() % 2000)
    case 1: events[position].timeNanoseconds = Int64.max - Int64(random.next() % 1000)
    case 2: events[position].value = Int64(bitPattern: random.next())
    case 3: events[position].slot = other.slot
    case 4: events[position].slot &+= 1
    case 5: events[position].app = other.app
    case 6: events[position].detail = other.detail
    case 7: events[position].kind = EventKind.allCases.randomElement(using: &random) ?? .boot
    case 8: events.remove(at: position)
    default: events[position] = other
    }
  }
}
