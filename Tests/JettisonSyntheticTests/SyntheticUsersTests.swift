import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonSynthetic
@testable import JettisonTraces

@Suite("Synthetic users")
struct SyntheticUsersTests {
  /// Launches, episode lengths and rates of some users over two weeks.
  private struct Sample {
    var launches: [[AppIndex]] = []
    var episodeSeconds: [Double] = []

    init(_ population: SyntheticPopulation, users: Int, seed: UInt64) throws {
      for user in 0..<users {
        let trace = try SyntheticUsers.generate(
          user: user, days: 14, seed: seed, population: population)
        var apps: [AppIndex] = []
        var since: Int64?
        trace.events.withEvents { events in
          for position in 0..<events.count {
            let event = events[position]
            guard [.launch, .home, .screen].contains(event.kind) else { continue }
            if let start = since {
              episodeSeconds.append(Double(event.timeNanoseconds - start) / 1e9)
            }
            since = event.kind == .launch ? event.timeNanoseconds : nil
            if event.kind == .launch { apps.append(event.app) }
          }
        }
        launches.append(apps)
      }
    }

    /// Mean share of launches, no immediate repeats, whose app is among the `capacity` most
    /// recent ones.
    func hitShares(_ capacities: ClosedRange<Int>) -> [Double] {
      var means = [Double](repeating: 0, count: capacities.count)
      for apps in launches {
        var hits = [Int](repeating: 0, count: capacities.count)
        var stack: [AppIndex] = []
        var total = 0
        for app in apps where app != stack.first {
          total += 1
          if let depth = stack.firstIndex(of: app) {
            stack.remove(at: depth)
            for capacity in capacities where depth < capacity {
              hits[capacity - capacities.lowerBound] += 1
            }
          }
          stack.insert(app, at: 0)
        }
        for position in means.indices {
          means[position] += Double(hits[position]) / Double(max(total, 1) * launches.count)
        }
      }
      return means
    }
  }

  /// 32 users of seed 1 of each population, generated once for all tests.
  private static let samples = SyntheticPopulation.allCases.map { population in
    Result { try Sample(population, users: 32, seed: 1) }
  }

  private static func sample(_ population: SyntheticPopulation) throws -> Sample {
    try samples[population == .in2010 ? 0 : 1].get()
  }

  @Test("LRU hits as often as published for real users", arguments: SyntheticPopulation.allCases)
  func hitRatios(population: SyntheticPopulation) throws {
    let shares = try Self.sample(population).hitShares(5...13)
    let mean = shares.reduce(0, +) / Double(shares.count)
    #expect(abs(shares[0] - 0.76) <= 0.03)
    #expect(abs(mean - 0.89) <= 0.02)
  }

  @Test("Episodes last as long as in the field", arguments: SyntheticPopulation.allCases)
  func episodes(population: SyntheticPopulation) throws {
    let seconds = try Self.sample(population).episodeSeconds
    let mean = seconds.reduce(0, +) / Double(seconds.count)
    let short = Double(seconds.count { $0 < 15 }) / Double(seconds.count)
    // The standard error of the mean is 0.6 s here: the distribution has a long tail. Answered
    // calls, looks at the clock and drives come on top of what the studies counted.
    #expect(abs(mean - 71.6) < 4)
    #expect(abs(short - 0.42) < 0.02)
  }

  @Test("Sessions have 3.5 launches on average", arguments: SyntheticPopulation.allCases)
  func launchRate(population: SyntheticPopulation) throws {
    let launches = try Self.sample(population).launches.map(\.count).reduce(0, +)
    var expected = 0.0
    for user in 0..<32 {
      let streams = SyntheticStreams(seed: 1, user: "user-\(user)")
      expected += SyntheticProfile(population, streams: streams).sessionsPerDay * 3.5
    }
    // Per user-day: two commutes' music for two thirds, a drive now and then, an answered call or
    // two and a morning's alarm, some of them with a way back: four launches more than sessions.
    let others = 4.0 * 32
    #expect(abs(Double(launches) / 14 / (expected + others) - 1) < 0.06)
  }

  @Test(
    "A user is the same every time, and a shorter trace begins a longer one",
    arguments: SyntheticPopulation.allCases)
  func isKeyed(population: SyntheticPopulation) throws {
    let own = [try SyntheticOwnApp(parsing: "com.example.mine:notes:6")]
    func user(_ number: Int, days: Int, seed: UInt64) throws -> Trace {
      try SyntheticUsers.generate(
        user: number, days: days, seed: seed, population: population, ownApps: own)
    }
    let week = try user(3, days: 7, seed: 9)
    #expect(try user(3, days: 7, seed: 9).contentHash == week.contentHash)
    #expect(try user(4, days: 7, seed: 9).contentHash != week.contentHash)
    #expect(try user(3, days: 7, seed: 8).contentHash != week.contentHash)
    // Every length, so that it ends in the middle of things: sessions, tasks, music, drives.
    let month = summary(try user(3, days: 30, seed: 9))
    for days in 1...9 {
      let rows = summary(try user(3, days: days, seed: 9)).dropLast()
      #expect(Array(month.prefix(rows.count)) == Array(rows), "\(days) days")
    }
  }

  @Test("A trace is whole: header, catalog, end", arguments: SyntheticPopulation.allCases)
  func isWhole(population: SyntheticPopulation) throws {
    let trace = try SyntheticUsers.generate(user: 0, days: 60, seed: 1, population: population)
    #expect(trace.header.start == population.start)
    #expect(trace.index.hasEnd)
    #expect(trace.index.endNanoseconds == 60 * 86_400_000_000_000)
    #expect(trace.issues.count == 0)
    #expect(trace.apps.allSatisfy { $0.hasPrefix("com.example.") })
    let lines = trace.header.appsYAML?.split(separator: "\n") ?? []
    #expect(lines.count == trace.apps.count)
    #expect(
      zip(lines, trace.apps).allSatisfy {
        $0.hasPrefix($1 + ": {category: ") || $0.hasPrefix($1 + ": {kind: daemon")
      })
    let catalog = try Catalog(for: trace, at: "user.csv")
    #expect(trace.apps.allSatisfy { catalog[$0] != nil })
  }

  @Test("Phones of today have 30 to 80 apps and daemons, those of 2010 at most 40")
  func appCounts() throws {
    for user in 0..<12 {
      let today = try SyntheticUsers.generate(user: user, days: 7, seed: 2, population: .today)
      #expect((30...80).contains(today.apps.count))
      #expect(today.apps.count { $0.hasPrefix("com.example.system.") } == 13)
      let old = try SyntheticUsers.generate(user: user, days: 7, seed: 2)
      #expect((8...40).contains(old.apps.count))
    }
  }

  @Test("The population follows from the device")
  func byDevice() throws {
    func population(_ name: String) throws -> SyntheticPopulation {
      SyntheticPopulation(having: try DeviceTable.device(named: name))
    }
    for name in ["iphone-3g", "iphone-3gs", "iphone-4", "iphone-4s"] {
      #expect(try population(name) == .in2010)
    }
    for name in ["iphone-6s", "iphone-13", "pixel-6"] {
      #expect(try population(name) == .today)
    }
  }

  @Test("Arguments out of range are refused", arguments: [(-1, 7), (0, 0), (0, 100_000)])
  func refuses(user: Int, days: Int) {
    #expect(throws: TraceError.self) {
      try SyntheticUsers.generate(user: user, days: days, seed: 1)
    }
  }

  @Test("A device without a name is refused")
  func namelessDevice() {
    do throws(TraceError) {
      _ = try SyntheticUsers.generate(user: 0, days: 1, seed: 1, device: "")
      Issue.record("an empty name was taken")
    } catch {
      #expect(error.kind == .misuse)
      #expect(error.what.contains("`device`"))
    }
  }

  @Test("The most popular app of most users is for communication")
  func communication() throws {
    var leads = 0
    for user in 0..<100 {
      let streams = SyntheticStreams(seed: 1, user: "user-\(user)")
      let profile = SyntheticProfile(.in2010, streams: streams)
      if SyntheticApps.all[profile.installed[0]].category == "messaging" { leads += 1 }
    }
    #expect(leads > 50)
  }
}
