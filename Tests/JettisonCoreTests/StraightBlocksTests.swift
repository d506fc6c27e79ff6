import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore

/// Rows about the blocks of one app that are applied together, beside the same rows one by one.
///
/// A run whose footprints are written down takes them one by one.
struct StraightBlocksTests {
  /// A random case with many more blocks: bursts of small ones after some of its rows.
  private static func random(_ seed: UInt64) -> (case: RandomCase, added: Int)? {
    let random = RandomTrace.make(seed: seed, maximumRows: 120)
    var generator = SplitMix64(seed: seed)
    func draw(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
    var checker = RowChecker()
    var rows: [TraceRow] = []
    var added = 0
    func add(_ row: TraceRow) -> Bool {
      guard checker.accept(row) != nil else { return false }
      rows.append(row)
      return true
    }
    for (place, row) in random.rows.enumerated() {
      _ = add(row)
      guard !row.app.isEmpty, draw(3) > 0 else { continue }
      let count = 1 + draw(60)
      let next = place + 1 < random.rows.count ? random.rows[place + 1].time : row.time
      for step in 1...count {
        let time = row.time + (next - row.time) / Int64(count + 1) * Int64(step)
        if burstRow(at: time, of: row.app, checker, draw).map(add) == true { added += 1 }
      }
    }
    return random.with(rows: rows).map { ($0, added) }
  }

  /// A block made or freed, now and then another row about memory.
  private static func burstRow(
    at time: Int64, of app: String, _ checker: RowChecker, _ draw: (Int) -> Int
  ) -> TraceRow? {
    let live = checker.liveBlocks(of: app)
    switch draw(40) {
    case 0:
      guard let id = live.first else { return nil }
      return TraceRow(time, app, .realloc, value: Int64(draw(9000)), id: id)
    case 1..<19:
      guard !live.isEmpty else { return nil }
      return TraceRow(time, app, .free, id: live[draw(live.count)])
    default:
      let bytes = draw(12) == 0 ? draw(300_000) : draw(400)
      return TraceRow(
        time, app, .alloc, value: Int64(bytes), id: Int64(1000 + draw(500)),
        detail: draw(8) == 0 ? "purgeable=1" : "")
    }
  }

  /// How often a footprint became another one.
  private static func changes(_ records: [FootprintRecord]) -> Int {
    var newest: [AppIndex: Int64] = [:]
    return records.reduce(0) { count, record in
      let before = newest.updateValue(record.footprintBytes, forKey: record.app)
      return before == record.footprintBytes ? count : count + 1
    }
  }

  enum Memory: CaseIterable {
    case declared, arenas, arenasWithThreadCache
  }

  @Test("A run ends the same whether its footprints are written down", arguments: Memory.allCases)
  func results(memory: Memory) throws {
    let spec = try PolicySpec(parsing: "lru")
    var (added, changes, purges): (Int, Int, Int64) = (0, 0, 0)
    for seed in UInt64(0)..<150 {
      guard let (random, count) = Self.random(seed) else { continue }
      var (trace, configuration) = try random.inputs()
      configuration.footprints = memory == .declared ? .declared : .arena
      configuration.usesThreadCache = memory == .arenasWithThreadCache
      let recorder = CapturingRecorder(wantsDecisions: false)
      let watched = Result { () throws(RunError) in
        try spec.run(trace, configuration, recorder: recorder)
      }
      let alone = Result { () throws(RunError) in try spec.run(trace, configuration) }
      #expect(watched == alone, "seed \(seed)\n\(random)")
      guard case .success(let result) = alone else { continue }
      added += count
      changes += Self.changes(recorder.footprints)
      purges += result.apps.reduce(0) { $0 + $1.purges }
    }
    // If footprints change with every row, or never, or nobody goes, this proves nothing.
    #expect(added > 10_000)
    #expect(changes > 1000)
    #expect(added > 2 * changes)
    #expect(purges > 50)
  }
}
