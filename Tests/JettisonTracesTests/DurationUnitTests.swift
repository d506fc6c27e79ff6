import JettisonModel
import JettisonSupport
import Testing

@Suite("Units of time")
struct DurationUnitTests {
  @Test("Settings and files know them as policies do", arguments: DurationUnit.allCases)
  func same(unit: DurationUnit) {
    #expect(Quantity.nanoseconds("3\(unit.rawValue)") == 3 * unit.nanoseconds)
    #expect(unit.seconds * 1e9 == Double(unit.nanoseconds))
  }

  @Test("No others are known", arguments: ["w", "y", "sec", "hours", "S", ""])
  func unknown(name: String) {
    #expect(Quantity.nanoseconds("3\(name)") == nil)
    #expect(DurationUnit.split("3\(name)") == nil)
  }

  @Test("A unit is what a text ends with, as long as it is letters")
  func split() throws {
    for (text, number, unit) in [
      ("30s", "30", DurationUnit.s), ("1.5ms", "1.5", .ms), ("2min", "2", .min), ("2m", "2", .m),
      ("1e5s", "1e5", .s), ("h", "", .h), ("-1d", "-1", .d),
    ] {
      let parts = try #require(DurationUnit.split(text))
      #expect(parts.number == number && parts.unit == unit, "\(text)")
    }
    #expect(DurationUnit.split("inf") == nil)
    #expect(DurationUnit.split("1 weeks") == nil)
  }
}
