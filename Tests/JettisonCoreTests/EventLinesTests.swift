import Testing

@testable import JettisonCore

@Suite("Lines of events")
struct EventLinesTests {
  @Test("Lines that hold no event are ignored")
  func gaps() {
    var lines = EventLines()
    #expect(lines.line(ofEvent: 0) == nil)
    let numbers = [7, 8, 9, 12, 13, 20]
    for number in numbers { lines.append(number) }
    #expect(numbers.indices.map { lines.line(ofEvent: $0) } == numbers)
    #expect(lines.line(ofEvent: 6) == nil)
  }

  @Test("Memory is bounded: after too many gaps lines are not known, and none is wrong")
  func bounded() {
    var lines = EventLines()
    for event in 0..<2 * EventLines.limit { lines.append(1 + 2 * event) }
    // What follows on consecutive lines is not known either.
    for event in 0..<10 { lines.append(1 + 4 * EventLines.limit + event) }
    #expect(lines.line(ofEvent: EventLines.limit - 1) == 2 * EventLines.limit - 1)
    for event in [EventLines.limit, 2 * EventLines.limit, 2 * EventLines.limit + 9] {
      #expect(lines.line(ofEvent: event) == nil)
    }
  }
}
