import Foundation
import JettisonCore
import JettisonTestSupport
import JettisonTraces
import Testing

@Suite("Round trips")
struct RoundTripTests {
  @Test("The fixture has every event")
  func fixtureIsComplete() throws {
    let trace = try TraceFixtures.everyEvent.trace()
    for kind in EventKind.allCases {
      #expect(trace.index.kindCounts[Int(kind.rawValue)] > 0, "\(kind.name)")
    }
    #expect(trace.issues.count == 0)
  }

  @Test("Text that is written is the text that was read")
  func textIsCanonical() throws {
    let trace = try TraceFixtures.everyEvent.trace()
    let text = try Self.text(trace)
    let source = TraceFixtures.everyEvent
    let rows = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.dropFirst()
    #expect(rows.map(String.init) == source.rows)
    let again = try TraceText.read(Array(text.utf8))
    #expect(again.contentHash == trace.contentHash)
    #expect(again.header == trace.header)
    try #expect(Self.text(again) == text)
  }

  @Test("Text to binary to text keeps every row, id and hash")
  func binaryIsLossless() throws {
    let trace = try TraceFixtures.everyEvent.trace()
    try Self.withFile(Self.binary(trace), named: "test.jtrace") { path in
      let twin = try TraceLoader.load(path)
      #expect(twin.contentHash == trace.contentHash)
      #expect(twin.name == "test")
      #expect(twin.header == trace.header)
      #expect(twin.apps == trace.apps)
      #expect(twin.details == trace.details)
      #expect(twin.blockSlotCount == trace.blockSlotCount)
      #expect(twin.taskSlotCount == trace.taskSlotCount)
      #expect(twin.issues.all == trace.issues.all)
      try #expect(Self.text(twin) == Self.text(trace))
      try #expect(Self.binary(twin) == Self.binary(trace))
    }
  }

  @Test("Ids that count from 1 are not stored, and come back")
  func ordinalIDs() throws {
    let trace = try TraceText()
      .row(0, "a", "launch").row(1, "a", "alloc", value: 5, id: 1)
      .row(1, "a", "task-begin", id: 2).row(2, "a", "free", id: 1)
      .row(3, "a", "alloc", value: 6, id: 3).end(4).trace()
    #expect(trace.capturedIDs.count == 0)
    try Self.withFile(Self.binary(trace), named: "test.jtrace") { path in
      try #expect(Self.text(TraceLoader.load(path)) == Self.text(trace))
    }
  }

  @Test("Issues survive in the binary form, and its user is the text's file name")
  func issuesSurvive() throws {
    let trace = try TraceText().row(0, "a", "launch").row(1, "a", "x-note").trace(name: "mine")
    #expect(trace.issues.count == 2)
    try Self.withFile(Self.binary(trace), named: "other.jtrace") { path in
      let twin = try TraceLoader.load(path)
      #expect(twin.issues.all == trace.issues.all)
      #expect(twin.issues.areLinesOfSource && !trace.issues.areLinesOfSource)
      #expect(twin.header.user == "mine")
      #expect(twin.name == "other")
      #expect(twin.contentHash == trace.contentHash)
    }
  }

  @Test("Random traces survive both forms", arguments: 0..<40)
  func randomTraces(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let source = RandomTrace.make(&random)
    let trace = try source.trace()
    let text = try Self.text(trace)
    #expect(text == source.text, "seed \(seed)")
    let spooled = try TraceText.read(
      Array(text.utf8), pieceBytes: 1 + Int(random.next() % 50), storage: .spool)
    #expect(spooled.contentHash == trace.contentHash, "seed \(seed)")
    try #expect(Self.text(spooled) == text, "seed \(seed)")
    try Self.withFile(Self.binary(spooled), named: "test.jtrace") { path in
      let twin = try TraceLoader.load(path)
      #expect(twin.contentHash == trace.contentHash, "seed \(seed)")
      try #expect(Self.text(twin) == text, "seed \(seed)")
    }
  }

  static func text(_ trace: Trace) throws -> String {
    var sink = ByteSink()
    try TextTraceWriter.write(trace, to: &sink)
    return String(decoding: sink.collected, as: UTF8.self)
  }

  static func binary(_ trace: Trace) throws -> [UInt8] {
    var sink = ByteSink()
    try BinaryTrace.write(trace, to: &sink)
    return sink.collected
  }

  static func withFile(
    _ bytes: [UInt8], named name: String, _ body: (String) throws -> Void
  ) throws {
    try withScratchFolder { folder in
      let file = folder.appendingPathComponent(name)
      try Data(bytes).write(to: file)
      try body(file.path)
    }
  }
}

/// A generator for tests (Steele, Lea and Flood, OOPSLA 2014).
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}

/// Makes canonical traces full of blocks, tasks and lives.
enum RandomTrace {
  private struct Life {
    var blocks: [Int64] = []
    var tasks: [Int64] = []
    var isAlive = false
  }

  static func make(_ random: inout SplitMix) -> TraceText {
    let names = ["a", "b.b", "c%3B", "d%25 e", "\u{E9}"]
    var lives = Array(repeating: Life(), count: names.count)
    var text = TraceText().header("user: random")
    var time: Int64 = 0
    for _ in 0..<300 {
      time += Int64(random.next() % 1_000_000)
      let app = Int.random(in: names.indices, using: &random)
      let row = row(&lives[app], &random)
      text = text.raw("\(time),\(names[app]),\(row)")
    }
    return text.raw("\(time),,end,,,reason=stopped")
  }

  private static func row(_ life: inout Life, _ random: inout SplitMix) -> String {
    guard life.isAlive else {
      life = Life(isAlive: true)
      return "launch,,,"
    }
    let size = Int64(random.next() % 100_000)
    switch random.next() % 12 {
    case 0...3:
      let id = Int64(random.next() % 1000) - 500
      guard !life.blocks.contains(id) else { return "footprint,\(size),," }
      life.blocks.append(id)
      return "alloc,\(size),\(id),\(random.next() % 4 == 0 ? "purgeable=1" : "")"
    case 4, 5:
      guard let id = life.blocks.randomElement(using: &random) else { return "restore-failed,,," }
      life.blocks.removeAll { $0 == id }
      return "free,,\(id),"
    case 6:
      guard let id = life.blocks.randomElement(using: &random) else { return "edit,\(size),," }
      return "realloc,\(size),\(id),"
    case 7:
      let id = Int64(random.next() % 100)
      guard !life.tasks.contains(id) else { return "pin,1,,reason=call" }
      life.tasks.append(id)
      return "task-begin,,\(id),"
    case 8:
      guard let id = life.tasks.popLast() else { return "pin,0,," }
      return "task-end,,\(id),"
    case 9: return "edit,\(size),,work_ms=\(random.next() % 50);scene=s%2C\(random.next() % 3)"
    case 10: return "launch,,,"
    default:
      let word = ["exit", "crash", "quit", "update", "observed-exit"].randomElement(using: &random)
      life = Life()
      return "\(word ?? "quit"),,,"
    }
  }
}
