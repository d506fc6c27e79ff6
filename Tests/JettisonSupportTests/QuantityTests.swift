import JettisonSupport
import Testing

@Suite("Quantities")
struct QuantityTests {
  @Test(
    "Sizes",
    arguments: [
      ("120MB", Int64(120_000_000)), ("512MiB", 512 << 20), ("1.5GB", 1_500_000_000),
      ("4096", 4096),
      ("0", 0), ("1KB", 1000), ("1 KiB", 1024), ("0.1B", 0), ("0.5B", 1), ("1TiB", 1 << 40),
    ])
  func bytes(text: String, expected: Int64) {
    #expect(Quantity.bytes(text) == expected)
  }

  @Test(
    "Texts that aren't sizes",
    arguments: [
      "", "MB", "5mb", "5 M B", "1e6", "0x10", "5MB ", "9223372036854775808", "99999999999GB",
      ".5MB",
      "5.", "--5", "5.5.5MB", "\u{0665}MB",
    ])
  func noBytes(text: String) {
    #expect(Quantity.bytes(text) == nil)
  }

  @Test(
    "Times",
    arguments: [
      ("900ms", Int64(900_000_000)), ("30s", 30_000_000_000), ("1d", 86_400_000_000_000),
      ("2h30m", 9_000_000_000_000), ("0", 0), ("1.5s", 1_500_000_000), ("10us", 10_000), ("7ns", 7),
    ])
  func times(text: String, expected: Int64) {
    #expect(Quantity.nanoseconds(text) == expected)
  }

  @Test("Texts that aren't times", arguments: ["", "5", "s", "5 s", "-5s", "5s5", "999999999d"])
  func noTimes(text: String) {
    #expect(Quantity.nanoseconds(text) == nil)
  }

  @Test("Shares and rates")
  func sharesAndRates() {
    #expect(Quantity.partsPerMillion("25%") == 250_000)
    #expect(Quantity.partsPerMillion("0.9") == 900_000)
    #expect(Quantity.partsPerMillion("12.34567%") == 123_457)
    #expect(Quantity.bytesPerMinute("10MB/min") == 10_000_000)
    #expect(Quantity.bytesPerMinute("1MB/s") == 60_000_000)
    #expect(Quantity.bytesPerSecond("200/s") == 200)
    #expect(Quantity.bytesPerSecond("80MB/s") == 80_000_000)
    #expect(Quantity.bytesPerSecond("80MB") == nil)
    #expect(Quantity.scaled("-1.5", by: 10) == -15)
    #expect(Quantity.integer("-9223372036854775808") == .min)
    #expect(Quantity.integer("- 1") == nil)
  }
}
