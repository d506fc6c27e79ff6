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

  @Test("Blocks without ids make the trace of blocks whose ids count them", arguments: 0..<20)
  func namelessBlocks(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var nameless = try TraceBuilder()
    var named = try TraceBuilder()
    let app = try nameless.app(named: "a")
    _ = try named.app(named: "a")
    try nameless.append(.launch, time: 0, app: app)
    try named.append(.launch, time: 0, app: app)
    var live: [(slot: UInt32, id: Int64)] = []
    var count: Int64 = 0
    for time in Int64(1)...500 {
      let bytes = Int64(generator.next() % 5000)
      let place = live.isEmpty ? 0 : Int(generator.next() % UInt64(live.count))
      switch live.isEmpty ? 0 : generator.next() % 4 {
      case 0, 1:
        let detail = bytes % 7 == 0 ? "align=64" : ""
        let slot = try nameless.beginBlock(
          of: app, time: time, bytes: bytes, detail: try nameless.detail(detail, for: .alloc))
        count += 1
        try named.append(
          .alloc, time: time, app: app, value: bytes, id: count,
          detail: try named.detail(detail, for: .alloc))
        live.append((slot, count))
      case 2:
        try nameless.resizeBlock(live[place].slot, of: app, time: time, bytes: bytes)
        try named.append(.realloc, time: time, app: app, value: bytes, id: live[place].id)
      default:
        let block = live.remove(at: place)
        try nameless.endBlock(block.slot, of: app, time: time)
        try named.append(.free, time: time, app: app, id: block.id)
        #expect(throws: TraceFault.self) {
          try nameless.endBlock(block.slot, of: app, time: time)
        }
      }
    }
    let header = TraceHeader(user: "u")
    let trace = try nameless.finish(name: "t", header: header, file: "t.csv")
    let other = try named.finish(name: "t", header: header, file: "t.csv")
    #expect(trace.contentHash == other.contentHash, "seed \(seed)")
    #expect(trace.blockSlotCount == other.blockSlotCount, "seed \(seed)")
    trace.events.withEvents { events in
      other.events.withEvents { others in
        #expect(events.count == others.count, "seed \(seed)")
        for position in 0..<min(events.count, others.count) {
          #expect(events[position] == others[position], "seed \(seed): row \(position)")
        }
      }
    }
  }

  @Test("A row of a block that breaks a rule is refused as with an id")
  func namelessBlockFaults() throws {
    var builder = try TraceBuilder()
    let app = try builder.app(named: "a")
    #expect(throws: TraceFault.notRunning(.alloc)) {
      try builder.beginBlock(of: app, time: 0, bytes: 1)
    }
    try builder.append(.launch, time: 5, app: app)
    #expect(throws: TraceFault.timeDecreases(4, previous: 5)) {
      try builder.beginBlock(of: app, time: 4, bytes: 1)
    }
    let range = 0...TraceLimits.bytes
    for bytes in [-1, TraceLimits.bytes + 1] {
      #expect(throws: TraceFault.valueOutOfRange(bytes, .alloc, range)) {
        try builder.beginBlock(of: app, time: 5, bytes: bytes)
      }
    }
    #expect(throws: TraceFault.unknownNumber(.app)) {
      try builder.beginBlock(of: app + 1, time: 5, bytes: 1)
    }
    #expect(throws: TraceFault.unknownNumber(.id)) {
      try builder.resizeBlock(0, of: app, time: 5, bytes: 1)
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

  @Test("Apps and details without rows leave no trace")
  func dropsUnused() throws {
    var builder = try TraceBuilder()
    _ = try builder.app(named: "a")
    let b = try builder.app(named: "b")
    _ = try builder.detail("work_ms=1", for: .edit)
    let used = try builder.detail([("kind", "x;y"), ("to", "z")], for: .deviceChange)
    try builder.append(.deviceChange, time: 0, detail: used)
    try builder.append(.launch, time: 0, app: b)
    let trace = try builder.finish(name: "t", header: TraceHeader(user: "u"), file: "t")
    #expect(trace.apps == ["b"])
    #expect(trace.detailTexts == ["", "kind=x%3By;to=z"])
    // Numbered after the kinds that have a notification of their own.
    #expect(Int(trace.details[1].changeKind) == EventDetail.changeKinds.count + 1)
    #expect(trace.issues.all.map(\.text) == ["no 'end' row: the capture ends at its last event"])
    trace.events.withEvents { events in
      #expect(events[0].detail == 1)
      #expect(events[1].app == AppIndex(0))
    }
  }

  @Test("A detail belongs to the kind of event it was read for")
  func detailsHaveKinds() throws {
    var builder = try TraceBuilder()
    let edit = try builder.detail("kind=position", for: .edit)
    let launch = try builder.detail("kind=hot", for: .observedLaunch)
    let app = try builder.app(named: "a")
    #expect(edit != launch)
    do throws(TraceFault) {
      try builder.append(.observedLaunch, time: 0, app: app, value: 1, detail: edit)
      Issue.record("the detail of an edit was taken for a launch")
    } catch {
      #expect(error == .unknownNumber(.detail))
    }
  }

  /// A dictionary per app is the model of the table of live ids.
  @Test("Live blocks never share a slot, and an id keeps its own", arguments: 0..<12)
  func slotsAreExclusive(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var builder = try TraceBuilder()
    let apps = try ["a", "b", "c"].map { name in try builder.app(named: name) }
    var live: [[Int64: Int]] = [[:], [:], [:]]
    var expected: [(alloc: Int, event: Int)] = []
    for app in apps { try builder.append(.launch, time: 0, app: app) }
    for _ in 0..<4000 {
      let app = Int(random.next() % 3)
      // Few distinct ids in a wide range: collisions and runs of probes.
      let id = Int64(bitPattern: random.next() % 700 &* 0x1_0000_0001)
      let position = builder.rowCount
      if let alloc = live[app].removeValue(forKey: id) {
        try builder.append(.free, time: 1, app: apps[app], id: id)
        expected.append((alloc, position))
      } else if random.next() % 400 == 0 {
        try builder.append(.quit, time: 1, app: apps[app])
        try builder.append(.launch, time: 1, app: apps[app])
        live[app] = [:]
      } else {
        try builder.append(.alloc, time: 1, app: apps[app], value: 1, id: id)
        live[app][id] = position
      }
    }
    let trace = try builder.finish(name: "t", header: TraceHeader(user: "u"), file: "t")
    var holders: [UInt32: AppIndex] = [:]
    trace.events.withEvents { events in
      for (alloc, event) in expected {
        #expect(events[alloc].slot == events[event].slot, "seed \(seed)")
      }
      for position in 0..<events.count {
        let event = events[position]
        switch event.kind {
        case .alloc:
          #expect(holders.updateValue(event.app, forKey: event.slot) == nil, "seed \(seed)")
        case .free: #expect(holders.removeValue(forKey: event.slot) == event.app, "seed \(seed)")
        case .quit: holders = holders.filter { $0.value != event.app }
        default: break
        }
      }
    }
    #expect(trace.blockSlotCount <= 2100, "seed \(seed)")
  }

  @Test("Slots of an app that only the real system ended wait for its next life")
  func observedExitKeepsSlots() throws {
    var builder = try TraceBuilder()
    let a = try builder.app(named: "a")
    let b = try builder.app(named: "b")
    try builder.append(.launch, time: 0, app: a)
    try builder.append(.alloc, time: 0, app: a, value: 1, id: 1)
    try builder.append(.observedExit, time: 1, app: a)
    try builder.append(.launch, time: 2, app: b)
    try builder.append(.alloc, time: 2, app: b, value: 1, id: 1)
    try builder.append(.launch, time: 3, app: a)
    try builder.append(.alloc, time: 4, app: b, value: 1, id: 2)
    let trace = try builder.finish(name: "t", header: TraceHeader(user: "u"), file: "t")
    trace.events.withEvents { events in
      #expect([events[1].slot, events[4].slot, events[6].slot] == [0, 1, 0])
    }
  }

  @Test("A block without an id belongs to its app")
  func namelessBlocksHaveOwners() throws {
    var builder = try TraceBuilder()
    let a = try builder.app(named: "a")
    let b = try builder.app(named: "b")
    try builder.append(.launch, time: 0, app: a)
    try builder.append(.launch, time: 0, app: b)
    let slot = try builder.beginBlock(of: a, time: 1, bytes: 1000)
    #expect(throws: TraceFault.unknownNumber(.id)) {
      try builder.resizeBlock(slot, of: b, time: 2, bytes: 50_000)
    }
    #expect(throws: TraceFault.unknownNumber(.id)) {
      try builder.endBlock(slot, of: b, time: 2)
    }
    try builder.resizeBlock(slot, of: a, time: 2, bytes: 2000)
    try builder.endBlock(slot, of: a, time: 3)
    #expect(builder.rowCount == 5)
  }

  @Test("A block without an id is over with the life of its app", arguments: [false, true])
  func namelessBlocksEnd(isListed: Bool) throws {
    var builder = try TraceBuilder()
    let a = try builder.app(named: "a")
    try builder.append(.launch, time: 0, app: a)
    if isListed { try builder.append(.alloc, time: 0, app: a, value: 1, id: 70) }
    let slot = try builder.beginBlock(of: a, time: 1, bytes: 1000)
    try builder.append(.exit, time: 2, app: a)
    try builder.append(.launch, time: 3, app: a)
    #expect(throws: TraceFault.unknownNumber(.id)) {
      try builder.resizeBlock(slot, of: a, time: 4, bytes: 5)
    }
    #expect(throws: TraceFault.unknownNumber(.id)) { try builder.endBlock(slot, of: a, time: 4) }
    // Its slot is free.
    let next = try builder.beginBlock(of: a, time: 4, bytes: 1)
    if !isListed { #expect(next == slot) }
    try builder.endBlock(next, of: a, time: 4)
    let trace = try builder.finish(name: "t", header: TraceHeader(user: "u"), file: "t")
    #expect(trace.blockSlotCount == (isListed ? 2 : 1))
  }

  @Test("Blocks with and without ids never share an id")
  func namelessBlocksAmongOthers() throws {
    var builder = try TraceBuilder()
    let a = try builder.app(named: "a")
    let b = try builder.app(named: "b")
    try builder.append(.launch, time: 0, app: a)
    try builder.append(.launch, time: 0, app: b)
    try builder.append(.alloc, time: 0, app: a, value: 1, id: 2)
    #expect(throws: TraceFault.idInUse(2, .alloc)) {
      try builder.beginBlock(of: a, time: 0, bytes: 1)
    }
    let other = try builder.beginBlock(of: b, time: 0, bytes: 1)
    try builder.append(.free, time: 0, app: a, id: 2)
    let third = try builder.beginBlock(of: a, time: 1, bytes: 1)
    #expect(throws: TraceFault.idInUse(3, .alloc)) {
      try builder.append(.alloc, time: 1, app: a, value: 1, id: 3)
    }
    // The slot and the id name one block.
    try builder.append(.realloc, time: 2, app: a, value: 7, id: 3)
    try builder.append(.free, time: 2, app: a, id: 3)
    #expect(throws: TraceFault.unknownNumber(.id)) { try builder.endBlock(third, of: a, time: 2) }
    try builder.append(.alloc, time: 2, app: a, value: 1, id: 9)
    let fifth = try builder.beginBlock(of: a, time: 3, bytes: 1)
    try builder.endBlock(fifth, of: a, time: 3)
    #expect(throws: TraceFault.idUnknown(5, .free)) {
      try builder.append(.free, time: 3, app: a, id: 5)
    }
    try builder.endBlock(other, of: b, time: 4)
    let trace = try builder.finish(name: "t", header: TraceHeader(user: "u"), file: "t")
    trace.capturedIDs.withIDs { ids in
      #expect((0..<ids.count).map { ids[$0] } == [2, 2, 3, 9, 5])
    }
  }

  @Test("A row that is refused leaves the builder as it was")
  func refusedRowsLeaveNothing() throws {
    var builder = try TraceBuilder()
    let a = try builder.app(named: "a")
    let z = try builder.app(named: "z")
    let front = try builder.detail("unsaved_bytes=1;state=front", for: .present)
    try builder.append(.launch, time: 0, app: a)
    try builder.append(.alloc, time: 1, app: a, value: 1, id: 1)
    for kind in [EventKind.alloc, .taskBegin] {
      if kind == .taskBegin { try builder.append(kind, time: 2, app: a, id: 1) }
      #expect(throws: TraceFault.idInUse(1, kind)) {
        try builder.append(kind, time: 9, app: a, value: kind == .alloc ? 1 : nil, id: 1)
      }
    }
    for kind in [EventKind.realloc, .free, .taskEnd] {
      #expect(throws: TraceFault.idUnknown(7, kind)) {
        try builder.append(
          kind, time: 9, app: a, value: kind == .realloc ? 1 : nil, id: 7, line: 3)
      }
    }
    #expect(throws: TraceFault.presentLate) {
      try builder.append(.present, time: 9, app: z, value: 1, detail: front)
    }
    #expect(builder.lastTime == 2)
    try builder.append(.home, time: 5)
    try builder.append(.alloc, time: 5, app: a, value: 1, id: 2)
    #expect(builder.rowCount == 5)
    let trace = try builder.finish(name: "t", header: TraceHeader(user: "u"), file: "t")
    #expect(trace.apps == ["a"])
    #expect(trace.blockSlotCount == 2)
    #expect(trace.taskSlotCount == 1)
    #expect(trace.lines == EventLines())
  }

  @Test("A row beyond the sums of a trace is refused alone")
  func refusedSums() throws {
    var builder = try TraceBuilder()
    let a = try builder.app(named: "a")
    try builder.append(.launch, time: 0, app: a)
    let year = try builder.detail("work_ms=31622400000", for: .edit)
    let refused = TraceFault.sumOutOfRange(.detail)
    for _ in 0..<72 { try builder.append(.edit, time: 1, app: a, value: 1, detail: year) }
    for _ in 0..<2 {
      #expect(throws: refused) {
        try builder.append(.edit, time: 2, app: a, value: 1, detail: year)
      }
    }
    let second = try builder.detail("work_ms=1000", for: .edit)
    try builder.append(.edit, time: 1, app: a, value: 1, detail: second)
  }

  @Test("A key of a detail holds no sign that ends it", arguments: ["scene=x;work_ms", "a;b", "="])
  func detailKeys(key: String) throws {
    var builder = try TraceBuilder()
    do throws(TraceFault) {
      _ = try builder.detail([(key: key, value: "5")], for: .edit)
      Issue.record("'\(key)' was taken")
    } catch {
      guard case .detailKey(key, .edit, _) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test(
    "A line that no file has is not known", arguments: [(Int.min, Int.max), (.max, .min), (0, 1)])
  func absurdLines(first: Int, second: Int) throws {
    var builder = try TraceBuilder()
    builder.reserve(rows: 1 << 58)
    builder.reserve(rows: .min)
    let app = try builder.app(named: "a")
    try builder.append(.launch, time: 0, app: app, line: first)
    try builder.append(.home, time: 0, line: second)
    let trace = try builder.finish(name: "t", header: TraceHeader(user: "u"), file: "t")
    #expect(trace.lines.line(ofEvent: 0) == (first > 0 ? first : nil))
    #expect(trace.lines.line(ofEvent: 1) == nil)
    var lines = EventLines()
    lines.append(1)
    lines.append(.max)
    #expect(lines.line(ofEvent: 1) == .max)
  }

  private static let unreadableHeaders: [(String, TraceHeader)] = {
    var headers = [TraceHeader](repeating: TraceHeader(user: "u"), count: 4)
    headers[0].catalog = "/c.yaml"
    headers[1].user = String(repeating: "x", count: 2_000_000)
    headers[2].source = String(repeating: "\n", count: 600_000)
    headers[3].device = ""
    let faults = [
      "not relative", "1048576 bytes (shorten 'user')", "1048576 bytes (shorten 'source')",
      "an empty text",
    ]
    return Array(zip(faults, headers))
  }()

  @Test("A header that could not be read back is refused", arguments: 0..<4)
  func refusesHeaders(number: Int) throws {
    let (what, header) = Self.unreadableHeaders[number]
    var builder = try TraceBuilder()
    try builder.append(.launch, time: 0, app: try builder.app(named: "a"))
    do throws(TraceError) {
      _ = try builder.finish(name: "t", header: header, file: "t.csv")
      Issue.record("\(what): was taken")
    } catch {
      #expect(error.file == "t.csv")
      #expect(error.description.contains(what))
    }
  }

  @Test("Counts of issues stay within their range")
  func issueCounts() {
    var issues = ImportIssues()
    issues.add(.info, "x", count: -5, lines: [1])
    issues.add(.info, "x", count: 0, lines: [1])
    #expect(issues == ImportIssues())
    issues.add(.info, "x", count: .max, lines: [])
    issues.add(.info, "x", line: 1)
    issues.add(.info, "x", count: .max, lines: [])
    issues.add(.error, "y")
    issues.add(.error, "z", count: .max, lines: [])
    #expect(issues.all.map(\.count) == [.max, 1, .max])
    #expect(issues.count == .max)
    #expect(issues.count(atLeast: .error) == .max)
  }
}
