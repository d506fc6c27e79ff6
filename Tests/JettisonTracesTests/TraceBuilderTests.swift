import JettisonCore
import JettisonTraces
import Testing

@Suite("TraceBuilder")
struct TraceBuilderTests {
  @Test(
    "Apps are numbered by the bytes of their names, wherever events are kept",
    arguments: [TraceStorage.memory, .spool])
  func numbersAppsByBytes(storage: TraceStorage) throws {
    var builder = try TraceBuilder(storage: storage)
    let b = try builder.app(named: "b")
    let a = try builder.app(named: "a")
    // Equal for Swift's strings, different as bytes.
    let composed = try builder.app(named: "\u{E9}")
    let decomposed = try builder.app(named: "e\u{301}")
    #expect(composed != decomposed)
    try builder.append(.launch, time: 0, app: b)
    try builder.append(.launch, time: 5, app: a)
    try builder.append(.footprint, time: 6, app: composed, value: 7)
    try builder.append(.footprint, time: 6, app: decomposed, value: 8)
    let trace = try builder.finish(name: "t", header: TraceHeader(user: "u"), file: "t.csv")
    #expect(
      trace.apps.map { Array($0.utf8) } == ["a", "b", "e\u{301}", "\u{E9}"].map { Array($0.utf8) })
    trace.events.withEvents { events in
      #expect(events.count == 4)
      #expect(events[0].app == AppIndex(1))
      #expect(events[1].app == AppIndex(0))
      #expect(events[2].app == AppIndex(3))
      #expect(events[3].value == 8)
    }
  }

  @Test(
    "A freed block's slot is used again, and its id may return",
    arguments: [TraceStorage.memory, .spool])
  func reusesSlots(storage: TraceStorage) throws {
    var builder = try TraceBuilder(storage: storage)
    let app = try builder.app(named: "a")
    try builder.append(.launch, time: 0, app: app)
    try builder.append(.alloc, time: 1, app: app, value: 10, id: 70)
    try builder.append(.alloc, time: 1, app: app, value: 0, id: 71)
    try builder.append(.realloc, time: 2, app: app, value: 20, id: 70)
    try builder.append(.free, time: 3, app: app, id: 70)
    try builder.append(.alloc, time: 4, app: app, value: 30, id: 70)
    try builder.append(.exit, time: 5, app: app)
    try builder.append(.launch, time: 6, app: app)
    try builder.append(.alloc, time: 7, app: app, value: 30, id: 71)
    try builder.append(.end, time: 7)
    let trace = try builder.finish(name: "t", header: TraceHeader(user: "u"), file: "t.csv")
    #expect(trace.blockSlotCount == 2)
    trace.events.withEvents { events in
      #expect(events[3].slot == events[1].slot)
      #expect(events[5].slot == events[1].slot)
    }
    trace.capturedIDs.withIDs { ids in
      #expect((0..<ids.count).map { ids[$0] } == [70, 71, 70, 71])
    }
    #expect(trace.issues.count == 0)
  }
}
