import JettisonPerfetto
import Testing

@Suite("Fields of encoded messages")
struct ProtoFieldsTests {
  private static func walk(
    _ bytes: [UInt8], groupDepth: Int = 0
  ) -> (fields: [ProtoField], isDamaged: Bool) {
    var walk = ProtoFields(0..<bytes.count, groupDepth: groupDepth)
    var fields: [ProtoField] = []
    while let field = walk.next(bytes.span) { fields.append(field) }
    return (fields, walk.isDamaged)
  }

  @Test("Numbers, bytes and fixed numbers are walked with their places")
  func fields() {
    let walked = Self.walk([
      0x08, 0x96, 0x01, 0x12, 0x02, 0xAA, 0xBB, 0x1D, 1, 2, 3, 4, 0x21, 1, 2, 3, 4, 5, 6, 7, 8,
      0xA2, 0x06, 0x00,
    ])
    #expect(
      walked.fields.map { "\($0.number) \($0.wireType) \($0.value) \($0.range)" } == [
        "1 varint 150 3..<3",
        "2 bytes 0 5..<7",
        "3 fixed32 0 8..<12",
        "4 fixed64 0 13..<21",
        "100 bytes 0 24..<24",
      ])
    #expect(!walked.isDamaged)
  }

  @Test("The largest number has ten bytes, a longer one is damage")
  func longNumbers() {
    let nines = [UInt8](repeating: 0xFF, count: 9)
    #expect(Self.walk([0x08] + nines + [0x01]).fields.first?.value == .max)
    #expect(Self.walk([0x08] + nines + [0xFF, 0x01]).isDamaged)
  }

  @Test("A tag has at most 32 bits and five bytes")
  func longTags() {
    #expect(Self.walk([0x88, 0x80, 0x80, 0x80, 0x00, 0x07]).fields.first?.value == 7)
    #expect(Self.walk([0x88, 0x80, 0x80, 0x80, 0x80, 0x00, 0x07]).isDamaged)
    #expect(Self.walk([0xF8, 0xFF, 0xFF, 0xFF, 0x0F, 0x07]).fields.first?.number == 1 << 29 - 1)
    #expect(Self.walk([0x88, 0x80, 0x80, 0x80, 0x10, 0x07]).isDamaged)
  }

  @Test("Groups are skipped as deep as they may be nested")
  func groups() {
    // Field 1, a group with field 2 and a group of its own, and field 3.
    let bytes: [UInt8] = [0x0B, 0x10, 0x05, 0x13, 0x14, 0x0C, 0x18, 0x07]
    let walked = Self.walk(bytes, groupDepth: 2)
    #expect(walked.fields.map { "\($0.number) \($0.wireType)" } == ["1 group", "3 varint"])
    #expect(walked.fields.map(\.range) == [1..<6, 8..<8])
    for depth in 0...1 { #expect(Self.walk(bytes, groupDepth: depth).isDamaged) }
    for length in 1...5 {
      #expect(Self.walk(Array(bytes[..<length]), groupDepth: 9).isDamaged, "cut at \(length)")
    }
    // The end is that of another group.
    #expect(Self.walk([0x0B, 0x14], groupDepth: 9).isDamaged)
    // No depth of nesting is too much for the stack.
    let deep = [UInt8](repeating: 0x0B, count: 1_000_000)
    #expect(Self.walk(deep, groupDepth: 15).isDamaged)
  }

  @Test(
    "Bytes that aren't a field end the walk as damage",
    arguments: [
      [0x00], [0x08], [0x0B], [0x0C], [0x0F], [0x12, 0x02, 0x01], [0x1D, 1, 2, 3],
      [0x21, 1, 2, 3, 4, 5, 6, 7], [0x80],
      [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
      [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
    ] as [[UInt8]])
  func damage(_ bytes: [UInt8]) {
    let walked = Self.walk(bytes)
    #expect(walked.fields.isEmpty)
    #expect(walked.isDamaged)
  }
}
