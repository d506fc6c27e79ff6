import JettisonTestSupport
import Testing

@testable import JettisonCore

/// A pass that reads only what was touched and ends where nothing changes any more, beside one that
/// reads everybody.
struct OomAdjusterTests {
  @Test(arguments: [12, 40])
  func `touched apps are all that a pass has to read`(count: Int) throws {
    let rows = (0..<count).map { "\($0)s,app\($0),launch" } + ["99s,,end"]
    let trace = try Trace(rows: rows.joined(separator: "\n"))
    for seed: UInt64 in 1...100 {
      var random = SplitMix64(seed: seed)
      var apps = AppTable(
        trace: trace, profiles: Array(repeating: AppProfile(), count: count))
      let sendsOldestFirst = Bool.random(using: &random)
      var some = OomAdjuster(
        appCount: count, limits: CachedAppLimits(maximum: 32), sendsOldestFirst: sendsOldestFirst)
      var all = some
      var top = AppIndex.none
      for step in 1...60 {
        let now = Int64(step) * 4_000_000_000
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let app = AppIndex(Int.random(in: 0..<count, using: &random))
          let wasRunning = apps[app].state != .notRunning
          change(app, &apps, at: now, &random)
          switch (wasRunning, apps[app].state != .notRunning) {
          case (false, true):
            some.began(app)
            all.began(app)
          case (true, false):
            some.ended(app)
            all.ended(app)
          default: some.touch(app)
          }
        }
        if seed % 3 == 0 { top = AppIndex(Int.random(in: 0..<count, using: &random)) }
        if Bool.random(using: &random) { continue }
        all.touchAll()
        some.pass(apps, at: now, topSleeping: top)
        all.pass(apps, at: now, topSleeping: top)
        let places = (0..<count).map { AppIndex($0) }
        #expect(some.running.map(\.app) == all.running.map(\.app), "seed \(seed)")
        #expect(some.changed == all.changed, "seed \(seed)")
        #expect(places.map(some.adj) == places.map(all.adj), "seed \(seed)")
        #expect(places.map(some.setOrder) == places.map(all.setOrder), "seed \(seed)")
        #expect(
          some.shownCount == all.shownCount && some.emptyCount == all.emptyCount, "seed \(seed)")
      }
    }
  }

  private func change(
    _ app: AppIndex, _ apps: inout AppTable, at now: Int64, _ random: inout SplitMix64
  ) {
    let states: [AppState] = [.notRunning, .active, .background, .suspended, .suspended]
    apps[app].state = states[Int.random(in: 0..<states.count, using: &random)]
    apps[app].wasShown = Bool.random(using: &random)
    apps[app].isPinned = Int.random(in: 0..<8, using: &random) == 0
    apps[app].modes = Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0
    apps[app].openTaskCount = Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0
    apps[app].processStart = now - 1_000_000_000
    let left = now - Int64.random(in: 0...3, using: &random) * 1_000_000_000
    apps[app].lastLeftFront = apps[app].wasShown ? left : .min
    if Int.random(in: 0..<6, using: &random) == 0 {
      apps.writeAdj(Int.random(in: 0..<2, using: &random) == 0 ? 900 : OomAdj.home, of: app)
    } else {
      apps.writeAdj(.min, of: app)
    }
  }
}
