import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore

@Suite("The worst losses of a run")
struct WorstLossesTests {
  private static func loss(
    work: Int64, bytes: Int64 = 0, time: Int64 = 0, app: Int = 0
  ) -> LossRecord {
    LossRecord(
      timeNanoseconds: time, app: AppIndex(app), lossClass: .noSave, endCause: .purge,
      workNanoseconds: work, bytes: bytes, returnNanoseconds: time + 1, decision: 1)
  }

  private static func kept(_ losses: [LossRecord], limit: Int) -> [LossRecord] {
    var worst = WorstLosses(limit: limit)
    for loss in losses { worst.add(loss) }
    return worst.list
  }

  @Test("More work is worse, then more bytes, then an earlier end, then an earlier app")
  func order() {
    let ordered = [
      Self.loss(work: 9), Self.loss(work: 5, bytes: 8, time: 4),
      Self.loss(work: 5, bytes: 7, time: 1, app: 2), Self.loss(work: 5, bytes: 7, time: 2, app: 0),
      Self.loss(work: 5, bytes: 7, time: 2, app: 1), Self.loss(work: 0, bytes: 99),
    ]
    #expect(Self.kept(ordered, limit: 9) == ordered)
    #expect(Self.kept(ordered.reversed(), limit: 9) == ordered)
    for limit in 0...6 {
      #expect(Self.kept(ordered.reversed(), limit: limit) == Array(ordered.prefix(limit)))
    }
  }

  @Test("Whatever comes in whatever order, the worst are kept", arguments: UInt64(0)..<50)
  func againstSorting(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // Few values, so that there are many ties; a place of its own for every loss.
    let losses = (0..<200).map { place in
      Self.loss(
        work: Int64(random.next() % 5), bytes: Int64(random.next() % 3),
        time: Int64(random.next() % 4), app: place)
    }
    let sorted = losses.sorted { a, b in
      let keys = (-a.workNanoseconds, -a.bytes, a.timeNanoseconds, a.app.position)
      return keys < (-b.workNanoseconds, -b.bytes, b.timeNanoseconds, b.app.position)
    }
    for limit in [1, 7, 199, 200, 500] {
      #expect(Self.kept(losses, limit: limit) == Array(sorted.prefix(limit)))
    }
  }

  @Test("They are the noticed loss rows of events.csv that count", arguments: 0..<10)
  func againstEvents(block: Int) throws {
    var lossCount = 0
    for seed in UInt64(block * 100)..<UInt64(block * 100 + 100) {
      let random = RandomTrace.make(seed: seed)
      var (trace, configuration) = try random.inputs()
      configuration.listedLosses = 3
      let spec = try PolicySpec(parsing: random.policy.rawValue + random.modifiers)
      let recorder = CapturingRecorder(wantsFootprints: false)
      guard let result = try? spec.run(trace, configuration, recorder: recorder) else { continue }
      let rows = recorder.events.filter {
        $0.kind == .loss && $0.noticed == .yes && $0.message != .position
          && $0.lossClass != .restoreLost
          && $0.timeNanoseconds >= configuration.warmUpNanoseconds
      }
      let expected = rows.map { row in
        [
          row.workNanoseconds ?? -1, row.bytes ?? -1, -row.timeNanoseconds,
          -Int64(row.app.position), Int64(row.decision ?? 0), Int64(row.lossClass?.rawValue ?? 99),
        ]
      }.sorted { $1.lexicographicallyPrecedes($0) }
      let listed = result.worstLosses.map { loss in
        [
          loss.workNanoseconds, loss.bytes, -loss.timeNanoseconds, -Int64(loss.app.position),
          Int64(loss.decision ?? 0), Int64(loss.lossClass.rawValue),
        ]
      }
      #expect(listed == Array(expected.prefix(3)), "seed \(seed)\n\(random)")
      let noticed = result.apps.reduce(0) { $0 + $1.systemLossesNoticed }
      #expect(Int64(expected.count) == noticed, "seed \(seed)")
      #expect(result.worstLosses.allSatisfy { $0.returnNanoseconds >= $0.timeNanoseconds })
      #expect(try spec.run(trace, configuration).worstLosses == result.worstLosses)
      configuration.listedLosses = 0
      #expect(try spec.run(trace, configuration).worstLosses.isEmpty)
      lossCount += expected.count
    }
    // A block without a loss would prove nothing.
    #expect(lossCount > 0)
  }
}
