public import JettisonModel
public import JettisonTraces

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
/// What else happens in a life, how often and who says so is in
/// <doc:/JettisonExperiments/SyntheticUsers>; memory and most edits come from the built-in
/// categories, saves from entries that are drawn per user and app.
///
/// User *k* of a seed is the same whatever other users are generated, on every platform, and a shorter
/// trace is the beginning of a longer one.
///
/// ```swift
/// let trace = try SyntheticUsers.generate(user: 0, days: 7, seed: 1, population: .today)
/// try TraceWriter.write(trace, to: "today-000.csv")
/// ```
public enum SyntheticUsers {
  /// Days that one trace may span.
  public static let days = 1...3_660

  /// The trace of one user.
  ///
  /// - Parameters:
  ///   - user: Number of the user, from 0.
  ///   - days: Length of the trace, within ``days``.
  ///   - seed: Chooses the people.
  ///   - population: When they live.
  ///   - ownApps: Apps of your own that they have besides: at most ``SyntheticOwnApp/limit``, each
  ///     under a name of its own, with no more launches together than one may have.
  ///   - device: Name of the user's device, for the header, not empty; nil: not said.
  /// - Returns: The trace, with a header that says how to make it again. It is named after the
  ///   population and the user, such as `today-007`.
  /// - Throws: `TraceError` if the user, the days, the apps or the device cannot be had.
  /// - Complexity: O(launches × apps).
  public static func generate(
    user: Int, days: Int, seed: UInt64, population: SyntheticPopulation = .in2010,
    ownApps: [SyntheticOwnApp] = [], device: String? = nil
  ) throws(TraceError) -> Trace {
    let digits = String(repeating: "0", count: max(0, 3 - "\(user)".count)) + "\(user)"
    let name = "\(population.namePrefix)-\(digits)"
    guard user >= 0, Self.days.contains(days) else {
      throw TraceError(
        .misuse, file: name, what: "\(days) days of user \(user) cannot be generated",
        remedy: "users count from 0, days from 1 to \(Self.days.upperBound)")
    }
    if device == "" {
      throw TraceError(
        .misuse, file: name, what: "`device` is an empty name",
        remedy: "name the device, or leave it nil")
    }
    do throws(ConfigurationError) {
      try SyntheticOwnApp.check(ownApps)
    } catch {
      throw TraceError(.misuse, file: name, what: "\(error)")
    }
    let streams = SyntheticStreams(seed: seed, user: "user-\(user)")
    let cast = SyntheticCast(ownApps: ownApps)
    var builder = try TraceBuilder(storage: .memory, file: name)
    let used: [Int]
    do throws(TraceFault) {
      used = try fill(
        &builder, SyntheticLife(population, streams: streams, cast: cast), days: days)
    } catch {
      throw TraceError(error, file: name)
    }
    var header = TraceHeader(user: name)
    header.device = device
    header.start = population.start
    header.source =
      "synthetic user \(user) of seed \(seed), population \(population.rawValue), \(days) days"
    let catalog = SyntheticCatalog(population, streams: streams, cast: cast)
    header.appsYAML = CategoryBlock.yaml(
      lines: used.map { (cast.name($0), catalog.entry($0)) })
    return try builder.finish(name: name, header: header, file: name)
  }

  /// Writes all events; returns the positions of the apps that occur, ascending.
  private static func fill(
    _ builder: inout TraceBuilder, _ start: SyntheticLife, days: Int
  ) throws(TraceFault) -> [Int] {
    var life = start
    var numbers = [UInt32?](repeating: nil, count: life.cast.count)
    for day in 0..<days {
      for row in life.next(day: day) {
        if let app = row.app, numbers[app] == nil {
          numbers[app] = try builder.app(named: life.cast.name(app))
        }
        var detail: UInt32 = 0
        if let text = row.detail { detail = try builder.detail(text, for: row.kind) }
        try builder.append(
          row.kind, time: row.timeNanoseconds, app: row.app.flatMap { numbers[$0] },
          value: row.value, id: row.id, detail: detail)
      }
    }
    let detail = try builder.detail("reason=complete", for: .end)
    try builder.append(
      .end, time: Int64(days) * SyntheticRhythm.dayNanoseconds, detail: detail)
    return numbers.indices.filter { numbers[$0] != nil }
  }
}
