import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonExperiments

@Suite("Sweeps of memory")
struct MemorySweepTests {
  private static let mebibyte: Int64 = 1 << 20

  @Test("Sizes lie at even distances, both ends among them")
  func even() throws {
    #expect(
      try MemorySweep(parsing: "512MiB..4GiB/9").bytes
        == (0...8).map { (512 + 448 * $0) * Self.mebibyte })
    #expect(try MemorySweep(parsing: "1GiB").bytes == [1 << 30])
    #expect(try MemorySweep(parsing: "1GiB..2GiB/2").bytes == [1 << 30, 2 << 30])
    // What does not come out whole is rounded to a MiB, or to a MB.
    #expect(
      try MemorySweep(parsing: "1GiB..2GiB/4").bytes
        == [1024, 1365, 1707, 2048].map { $0 * Self.mebibyte })
    #expect(
      try MemorySweep(parsing: "500MB..1GB/4").bytes
        == [500, 667, 833, 1000].map { $0 * 1_000_000 })
  }

  @Test("Whatever the ends, sizes ascend, differ by one unit at most, and end where asked")
  func anySweep() throws {
    for seed in UInt64(1)...500 {
      var random = SplitMix64(seed: seed)
      let unit: (String, Int64) =
        [("MiB", 1 << 20), ("MB", 1_000_000), ("B", 1), ("GiB", 1 << 30)]
        .randomElement(using: &random) ?? ("B", 1)
      let first = Int64.random(in: 1...5000, using: &random)
      let last = first + Int64.random(in: 1...50_000, using: &random)
      let count = Int.random(in: 2...min(1000, Int(last - first) + 1), using: &random)
      let text = "\(first)\(unit.0)..\(last)\(unit.0)/\(count)"
      let bytes = try MemorySweep(parsing: text).bytes
      #expect(bytes.count == count, "\(text)")
      #expect(bytes.first == first * unit.1 && bytes.last == last * unit.1, "\(text)")
      let steps = zip(bytes, bytes.dropFirst()).map { $1 - $0 }
      let grain = unit.0 == "GiB" ? 1 << 20 : unit.1
      #expect(steps.allSatisfy { $0 > 0 }, "\(text)")
      #expect((steps.max() ?? 0) - (steps.min() ?? 0) <= 2 * grain, "\(text)")
      for (place, size) in bytes.enumerated() {
        let exact = Double(first) + Double(last - first) * Double(place) / Double(count - 1)
        #expect(abs(Double(size) / Double(unit.1) - exact) <= 0.5 + 1e-6, "\(text)")
      }
    }
  }

  @Test("Sweeps and sizes stand beside each other, in files, too")
  func lists() throws {
    var text = SpecificationText()
    text.add(.memory, ["256MiB,512MiB..1GiB/3", "2GiB"])
    let asked = try text.specification(for: .compare)
    #expect(asked.memoryBytes == [256, 512, 768, 1024, 2048].map { $0 * Self.mebibyte })
  }
}
