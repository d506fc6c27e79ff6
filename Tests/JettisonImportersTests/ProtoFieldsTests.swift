import JettisonPerfetto
import Testing

@Suite("Fields of encoded messages")
struct ProtoFieldsTests {
  private static func walk(_ bytes: [UInt8]) -> (fields: [ProtoField], isDamaged: Bool) {
    var walk = ProtoFields(0..<bytes.count)
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
      walked.fields.map { "\($0.number) \($0.value) \($0.range)" } == [
        "1 150 3..<3",
        "2 0 5..<7",
        "3 0 8..<12",
        "4 0 13..<21",
        "100 0 24..<24",
      ])
    #expect(!walked.isDamaged)
  }

  @Test("The largest number has ten bytes, a longer one is damage")
  func longNumbers() {
    let nines = [UInt8](repeating: 0xFF, count: 9)
    #expect(Self.walk([0x08] + nines + [0x01]).fields.first?.value == .max)
    #expect(Self.walk([0x08] + nines + [0xFF, 0x01]).isDamaged)
  }

  @Test(
    "What is no field ends the walk as damage",
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
