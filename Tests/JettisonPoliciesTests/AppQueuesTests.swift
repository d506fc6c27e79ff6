import Testing

@testable import JettisonCore
@testable import JettisonShippedPolicies

/// The lists of the queue policies against arrays that do the same slowly.
struct AppQueuesTests {
  @Test("Lists stay what arrays would be, whatever is done to them", arguments: UInt64(1)...20)
  func arrays(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var queues = AppQueues(appCount: 8, listCount: 3)
    var copy = AppQueues(appCount: 8, listCount: 3)
    // Oldest first.
    var lists: [[AppIndex]] = [[], [], []]
    var bytes: [AppIndex: Int64] = [:]
    for _ in 0..<300 {
      let app = AppIndex(Int(random.next() % 8))
      let list = Int(random.next() % 3)
      let size = Int64(random.next() % 100)
      let isIn = lists.contains { $0.contains(app) }
      switch random.next() % 4 {
      case 0:
        for other in lists.indices { lists[other].removeAll { $0 == app } }
        lists[list].append(app)
        bytes[app] = size
        queues.insert(app, into: list, bytes: size)
      case 1 where isIn:
        for other in lists.indices { lists[other].removeAll { $0 == app } }
        lists[list].append(app)
        queues.move(app, to: list)
      case 2:
        for other in lists.indices { lists[other].removeAll { $0 == app } }
        queues.remove(app)
      default:
        if isIn { bytes[app] = size }
        queues.resize(app, to: size)
      }
      copy.copy(from: queues)
      for (list, apps) in lists.enumerated() {
        let sum = apps.reduce(0) { $0 + (bytes[$1] ?? 0) }
        for tables in [queues, copy] {
          #expect(tables.apps(in: list) == apps, "seed \(seed)")
          #expect(tables.count(list) == apps.count && tables.bytes(list) == sum, "seed \(seed)")
          #expect(tables.newest(list) == apps.last ?? .none, "seed \(seed)")
        }
      }
    }
  }

  @Test("Trimming takes the oldest until the rest fits")
  func trimming() {
    var queues = AppQueues(appCount: 4, listCount: 1)
    for position in 0..<4 { queues.insert(AppIndex(position), into: 0, bytes: 10) }
    queues.trim(0, toFit: 15, within: 40)
    #expect(queues.apps(in: 0) == [AppIndex(2), AppIndex(3)])
  }
}

extension AppQueues {
  /// The apps of a list, oldest first.
  fileprivate func apps(in list: Int) -> [AppIndex] {
    var apps: [AppIndex] = []
    var app = oldest(list)
    while app != .none {
      apps.append(app)
      app = newer(than: app)
    }
    return apps
  }
}
