import Foundation
import JettisonCore
import Testing

@testable import JettisonTraces

@Suite("Synthetic users")
struct SyntheticUsersTests {
  /// Launches, episode lengths and rates of some users over two weeks.
  private struct Sample {
    var launches: [[AppIndex]] = []
    var episodeSeconds: [Double] = []

    init(users: Int, seed: UInt64) throws {
      for user in 0..<users {
        let trace = try SyntheticUsers.generate(user: user, days: 14, seed: seed)
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

  /// 32 users of seed 1, generated once for all tests.
  private static let sample = Result { try Sample(users: 32, seed: 1) }

  @Test("LRU hits as often as published for real users")
  func hitRatios() throws {
    let shares = try Self.sample.get().hitShares(5...13)
    let mean = shares.reduce(0, +) / Double(shares.count)
    #expect(abs(shares[0] - 0.76) <= 0.03)
    #expect(abs(mean - 0.89) <= 0.02)
  }

  @Test("Episodes last as long as in the field")
  func episodes() throws {
    let seconds = try Self.sample.get().episodeSeconds
    let mean = seconds.reduce(0, +) / Double(seconds.count)
    let short = Double(seconds.count { $0 < 15 }) / Double(seconds.count)
    // The standard error of the mean is 0.6 s here: the distribution has a long tail.
    #expect(abs(mean - 71.6) < 2.4)
    #expect(abs(short - 0.42) < 0.01)
  }

  @Test("Users launch about 110 times a day on average")
  func launchRate() throws {
    // Two-week rates are close to their means; the spread is between users, so many are needed.
    var sessions = 0.0
    for user in 0..<600 {
      let streams = SyntheticStreams(seed: 5, user: "user-\(user)")
      sessions += SyntheticProfile(streams: streams).sessionsPerDay / 600
    }
    #expect(abs(sessions * 3.5 - 110) < 10)
    let sample = try Self.sample.get()
    let launches = Double(sample.launches.map(\.count).reduce(0, +)) / (32 * 14)
    var expected = 0.0
    for user in 0..<32 {
      let streams = SyntheticStreams(seed: 1, user: "user-\(user)")
      expected += SyntheticProfile(streams: streams).sessionsPerDay * 3.5 / 32
    }
    #expect(abs(launches / expected - 1) < 0.05)
  }

  @Test("A user is the same every time, and a shorter trace begins a longer one")
  func isKeyed() throws {
    let week = try SyntheticUsers.generate(user: 3, days: 7, seed: 9)
    #expect(try SyntheticUsers.generate(user: 3, days: 7, seed: 9).contentHash == week.contentHash)
    #expect(try SyntheticUsers.generate(user: 4, days: 7, seed: 9).contentHash != week.contentHash)
    #expect(try SyntheticUsers.generate(user: 3, days: 7, seed: 8).contentHash != week.contentHash)
    let month = summary(try SyntheticUsers.generate(user: 3, days: 30, seed: 9))
    let rows = summary(week).dropLast()
    #expect(Array(month.prefix(rows.count)) == Array(rows))
  }

  @Test("A trace is whole: header, catalog, end")
  func isWhole() throws {
    let trace = try SyntheticUsers.generate(user: 0, days: 60, seed: 1)
    #expect(trace.header.start == "2024-01-01T00:00:00+00:00")
    #expect(trace.index.hasEnd)
    #expect(trace.index.endNanoseconds == 60 * 86_400_000_000_000)
    #expect(trace.issues.count == 0)
    #expect(trace.apps.allSatisfy { $0.hasPrefix("com.example.") })
    let lines = trace.header.appsYAML?.split(separator: "\n") ?? []
    #expect(lines.count == trace.apps.count)
    #expect(zip(lines, trace.apps).allSatisfy { $0.hasPrefix($1 + ": {category: ") })
    #expect(trace.index.kindCounts[Int(EventKind.update.rawValue)] > 0)
    let first = summary(trace).prefix(2)
    #expect(first.first?.hasSuffix(" screen 1") == true)
    #expect(first.last?.contains(" launch") == true)
  }

  @Test("Arguments out of range are refused", arguments: [(-1, 7), (0, 0), (0, 100_000)])
  func refuses(user: Int, days: Int) {
    #expect(throws: TraceError.self) {
      try SyntheticUsers.generate(user: user, days: days, seed: 1)
    }
  }

  @Test("The most popular app of most users is for communication")
  func communication() throws {
    var leads = 0
    for user in 0..<100 {
      let profile = SyntheticProfile(streams: SyntheticStreams(seed: 1, user: "user-\(user)"))
      if SyntheticApps.all[profile.installed[0]].category == "messaging" { leads += 1 }
    }
    #expect(leads > 50)
  }

  @Test("Portable logarithm and exponential agree with the system's")
  func portableMath() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      let x = PortableMath.exp(random.uniform(-300, 300))
      #expect(abs(PortableMath.ln(x) - log(x)) <= 4e-16 * max(1, abs(log(x))))
      let y = random.uniform(-40, 40)
      #expect(abs(PortableMath.exp(y) / exp(y) - 1) <= 1e-15)
    }
    #expect(PortableMath.ln(1) == 0)
    #expect(PortableMath.exp(0) == 1)
    #expect(PortableMath.ln(0) == -.infinity)
  }

  @Test("Draws have the moments of their distributions")
  func distributions() {
    var random = SplitMix64(seed: 2)
    let count = 40_000
    func mean(_ draw: (inout SplitMix64) -> Double) -> Double {
      var sum = 0.0
      for _ in 0..<count { sum += draw(&random) }
      return sum / Double(count)
    }
    // Tolerances are about four standard errors.
    #expect(abs(mean { $0.normal() }) < 0.02)
    #expect(
      abs(
        mean {
          let x = $0.normal(); return x * x
        } - 1) < 0.03)
    #expect(abs(mean { $0.exponential() } - 1) < 0.02)
    #expect(abs(mean { Double($0.geometric(mean: 2.5)) } - 2.5) < 0.06)
    #expect(abs(mean { $0.gamma(shape: 3) } - 3) < 0.04)
    #expect(abs(mean { $0.gamma(shape: 0.2) } - 0.2) < 0.01)
    #expect(abs(mean { Double($0.pick([1, 0, 3]) ?? 9) } - 1.5) < 0.02)
    #expect(random.pick([0, 0]) == nil)
  }
}
