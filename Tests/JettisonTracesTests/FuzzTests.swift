import JettisonCore
import JettisonTestSupport
import JettisonTraces
import Testing

/// Changed fixtures may be read or refused; nothing else may happen.
@Suite("Damage")
struct FuzzTests {
  @Test("Changed text is read or refused, never trapped", arguments: 0..<60)
  func mutatedText(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let source = Array(TraceFixtures.everyEvent.text.utf8)
    for _ in 0..<25 {
      let bytes = Self.mutate(source, &random)
      do throws(TraceError) {
        let trace = try TraceText.read(bytes, pieceBytes: 1 + Int(random.next() % 400))
        _ = try RoundTripTests.textOrError(trace)
      } catch {
        #expect(error.exitStatus == 65, "seed \(seed): \(error)")
        #expect(!error.what.isEmpty, "seed \(seed)")
      }
    }
  }

  @Test("Changed YAML is read or refused, never trapped", arguments: 0..<60)
  func mutatedYAML(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for _ in 0..<25 {
      let bytes = Self.mutate(Array(CatalogTests.everyKey.utf8), &random)
      guard let text = String(validating: bytes, as: UTF8.self) else { continue }
      do throws(TraceError) {
        let catalog = try Catalog(yaml: text, file: "c.yaml")
        let canonical = catalog.canonicalYAML ?? ""
        let again = try Catalog(yaml: canonical, file: "again.yaml")
        #expect(again.canonicalYAML ?? "" == canonical, "seed \(seed)")
        #expect(again.contentHash == catalog.contentHash, "seed \(seed)")
      } catch {
        #expect(error.file == "c.yaml", "seed \(seed): \(error)")
        #expect(error.exitStatus == 65, "seed \(seed): \(error)")
      }
    }
  }

  @Test(
    "A changed binary trace is refused: every byte is under a checksum, or has to be 0",
    arguments: 0..<20)
  func mutatedBinary(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let source = try RoundTripTests.binary(TraceFixtures.everyEvent.trace())
    for _ in 0..<20 {
      var bytes = source
      let position = Int(random.next() % UInt64(bytes.count))
      bytes[position] ^= UInt8(1 << (random.next() % 8))
      try RoundTripTests.withFile(bytes, named: "t.jtrace") { path in
        #expect(throws: TraceError.self, "seed \(seed), byte \(position)") {
          try TraceLoader.load(path, format: .jtrace)
        }
      }
    }
  }

  @Test("A binary trace that is cut short anywhere is refused")
  func truncatedBinary() throws {
    let source = try RoundTripTests.binary(TraceFixtures.everyEvent.trace())
    for length in source.indices {
      try RoundTripTests.withFile(Array(source[..<length]), named: "t.jtrace") { path in
        #expect(throws: TraceError.self) { try TraceLoader.load(path, format: .jtrace) }
      }
    }
  }

  @Test("Changes with right checksums still meet every rule", arguments: 0..<60)
  func forgedBinary(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let sources = [
      try RoundTripTests.binary(TraceFixtures.everyEvent.trace()), try RecordFixture.bytes(),
    ]
    for turn in 0..<50 {
      let bytes = BinaryForge.mutate(sources[turn % 2], &random)
      try RoundTripTests.withFile(bytes, named: "t.jtrace") { path in
        do throws(TraceError) {
          let trace = try TraceLoader.load(path, format: .jtrace)
          // What passes is as good as what the text reader takes: slots are in range, and the
          // writer finds every name, detail and id.
          _ = try RoundTripTests.textOrError(trace)
          trace.events.withEvents { events in
            for position in 0..<events.count where events[position].flags.contains(.hasID) {
              let slots = max(trace.blockSlotCount, trace.taskSlotCount)
              #expect(Int(events[position].slot) < slots, "seed \(seed)")
            }
          }
        } catch {
          #expect(error.exitStatus == 65, "seed \(seed): \(error)")
        }
      }
    }
  }

  static func mutate(_ source: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = source
    for _ in 0...(random.next() % 3) {
      let position = Int(random.next() % UInt64(bytes.count))
      switch random.next() % 6 {
      case 0: bytes[position] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[position] ^= UInt8(1 << (random.next() % 8))
      case 2: bytes.remove(at: position)
      case 3: bytes.insert(Array(",\n\"%#&*[{:-9".utf8)[Int(random.next() % 12)], at: position)
      case 4:
        let end = min(bytes.count, position + Int(random.next() % 80))
        bytes.removeSubrange(position..<end)
      default:
        let end = min(bytes.count, position + Int(random.next() % 80))
        bytes.insert(
          contentsOf: bytes[position..<end], at: Int(random.next() % UInt64(bytes.count)))
      }
      if bytes.isEmpty { return source }
    }
    return bytes
  }
}

extension RoundTripTests {
  static func textOrError(_ trace: Trace) throws(TraceError) -> [UInt8] {
    var sink = ByteSink()
    try TextTraceWriter.write(trace, to: &sink)
    return sink.collected
  }
}

/// Changes binary traces and mends their checksums, as an attacker would.
enum BinaryForge {
  struct Extent {
    var offset: Int
    var length: Int
    var entry: Int
  }

  static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
  }

  static func extents(_ bytes: [UInt8]) -> [Extent] {
    let directory = number(bytes, bytes.count - 32, 8)
    return (0..<number(bytes, bytes.count - 24, 4)).map { index in
      let entry = directory + index * 32
      return Extent(
        offset: number(bytes, entry + 8, 8), length: number(bytes, entry + 16, 8), entry: entry)
    }
  }

  /// Whether a byte lies between sections.
  static func isPadding(_ position: Int, in bytes: [UInt8]) -> Bool {
    let directory = number(bytes, bytes.count - 32, 8)
    guard position >= 16, position < directory else { return false }
    return !extents(bytes).contains { $0.offset <= position && position < $0.offset + $0.length }
  }

  static func mutate(_ source: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var bytes = source
    let extents = extents(source)
    for _ in 0...(random.next() % 3) {
      // Mostly events, because they are what the engine trusts.
      let extent = random.next() % 3 == 0 ? extents.randomElement(using: &random) : extents[3]
      guard let extent, extent.length > 0 else { continue }
      let position = extent.offset + Int(random.next() % UInt64(extent.length))
      bytes[position] =
        random.next() % 2 == 0
        ? UInt8(truncatingIfNeeded: random.next())
        : bytes[position] ^ UInt8(1 << (random.next() % 8))
    }
    if random.next() % 10 == 0 {
      let position = extents[0].entry + Int(random.next() % UInt64(extents.count * 32))
      bytes[position] ^= UInt8(1 << (random.next() % 8))
    }
    mend(&bytes)
    return bytes
  }

  /// Makes all checksums right.
  static func mend(_ bytes: inout [UInt8]) {
    let version = UInt32(number(bytes, 8, 4))
    for extent in self.extents(bytes)
    where extent.length >= 0 && extent.offset >= 0 && extent.offset <= bytes.count
      && extent.length <= bytes.count - extent.offset
    {
      let part = Array(bytes[extent.offset..<extent.offset + extent.length])
      let checksum = BinaryTrace.checksum(of: part.span, version: version)
      put(checksum, at: extent.entry + 24, in: &bytes)
    }
    let directory = Array(bytes[number(bytes, bytes.count - 32, 8)..<bytes.count - 32])
    let checksum = BinaryTrace.checksum(of: directory.span, version: version)
    put(checksum, at: bytes.count - 16, in: &bytes)
  }

  private static func put(_ number: UInt64, at offset: Int, in bytes: inout [UInt8]) {
    for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (index * 8)) }
  }
}
