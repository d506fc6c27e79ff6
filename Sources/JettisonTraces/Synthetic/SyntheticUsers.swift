package import JettisonCore

/// Invented people who use their phones the way studies found that people do.
///
/// The recipe has six steps:
///
/// 1. apps, and their popularity by a law whose exponent differs by user (Falaki et al., MobiSys
///    2010);
/// 2. sessions by a Poisson process with a daily rhythm;
/// 3. the number of apps in a session, of which the first is often for talking to people (Böhmer
///    et al., MobileHCI 2011);
/// 4. the next app, by a mixture of going back, habit and popularity by the hour;
/// 5. app episodes of which 42 % are under 15 s (Ferreira et al., MobileHCI 2014), with a mean of
///    71.6 s (Böhmer et al.);
/// 6. slow drift from week to week.
///
/// The traces hold launches, ways home, the screen and removals of apps; memory, edits and saves
/// come from the catalog.
///
/// User *k* of a seed is the same whoever else is generated, on every platform, and a shorter
/// trace is the beginning of a longer one.
package enum SyntheticUsers {
  /// Days that one trace may span.
  package static let days = 1...3_660

  /// The first moment of every synthetic trace: a Monday.
  package static let start = "2024-01-01T00:00:00+00:00"

  /// The trace of one user.
  ///
  /// - Parameters:
  ///   - user: Number of the user, from 0.
  ///   - days: Length of the trace, within ``days``.
  ///   - seed: Chooses the population.
  ///   - device: What the user's phone is, for the header; nil: not said.
  ///
  /// Complexity: O(launches × apps).
  package static func generate(
    user: Int, days: Int, seed: UInt64, device: String? = nil
  ) throws(TraceError) -> Trace {
    let name = "user-" + String(repeating: "0", count: max(0, 3 - "\(user)".count)) + "\(user)"
    guard user >= 0, Self.days.contains(days) else {
      throw TraceError(
        .misuse, file: name, what: "\(days) days of user \(user) cannot be generated",
        remedy: "users count from 0, days from 1 to \(Self.days.upperBound)")
    }
    do throws(TraceFault) {
      var builder = try TraceBuilder()
      let used = try fill(&builder, user: user, days: days, seed: seed)
      var header = TraceHeader(user: name)
      header.device = device
      header.start = start
      header.source = "synthetic user \(user) of seed \(seed), \(days) days"
      header.appsYAML = CategoryBlock.yaml(
        entries: used.map { (SyntheticApps.all[$0].name, SyntheticApps.all[$0].category) })
      return try finish(builder, name: name, header: header)
    } catch {
      throw TraceError(error, file: name)
    }
  }

  /// Writes all events; returns the positions of the apps that occur, ascending.
  private static func fill(
    _ builder: inout TraceBuilder, user: Int, days: Int, seed: UInt64
  ) throws(TraceFault) -> [Int] {
    var numbers = [UInt32?](repeating: nil, count: SyntheticApps.all.count)
    var life = SyntheticDays(
      streams: SyntheticStreams(seed: seed, user: "user-\(user)"), days: days)
    for day in 0..<days {
      for happening in life.next(day: day) {
        if let app = happening.app, numbers[app] == nil {
          numbers[app] = try builder.app(named: SyntheticApps.all[app].name)
        }
        try builder.append(
          happening.kind, time: happening.timeNanoseconds,
          app: happening.app.flatMap { numbers[$0] }, value: happening.value)
      }
    }
    let detail = try builder.detail("reason=complete", for: .end)
    try builder.append(.end, time: Int64(days) * 86_400_000_000_000, detail: detail)
    return numbers.indices.filter { numbers[$0] != nil }
  }

  private static func finish(
    _ builder: consuming TraceBuilder, name: String, header: TraceHeader
  ) throws(TraceFault) -> Trace {
    do throws(TraceError) {
      return try builder.finish(name: name, header: header, file: name)
    } catch {
      // Cannot happen: the builder holds an `end` row at least, and memory needs no file.
      throw .storage(error.what)
    }
  }
}
