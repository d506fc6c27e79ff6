#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `lfu-decay`: purges the app that was used least, old uses counting less.
///
/// Each use adds 1 to a weight that halves every `half_life` (an exponentially weighted count).
/// Weights of different ages are compared through `log2(w) + t / half_life`, which does not move
/// between uses: no exponential per candidate. State: one number per app, kept across purges.
/// O(1) per use and score.
struct DecayingFrequency: PurgePolicy {
  static var search: VictimSearch { .keepingScores }

  /// Length of a half-life, in seconds or in launches by `countsLaunches`.
  let halfLife: Double
  /// Whether the clock counts launches instead of seconds.
  let countsLaunches: Bool
  /// `log2(weight) + t / half_life` at the last use; `-infinity` before the first.
  private var keys: [Double]
  private var launches: Double = 0

  init(appCount: Int, halfLife: Double, countsLaunches: Bool) {
    self.halfLife = halfLife
    self.countsLaunches = countsLaunches
    self.keys = Array(repeating: -.infinity, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    guard event.kind == .launched else { return }
    launches += 1
    let age = (countsLaunches ? launches : Double(event.timeNanoseconds) / 1e9) / halfLife
    let app = event.app.position
    keys[app] = age + log2(exp2(keys[app] - age) + 1)
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    keys[app.position]
  }
}

extension PolicyDescriptor {
  /// What a half-life is measured in.
  private enum Clock: String, CaseIterable {
    case seconds
    case launches
  }

  package static let decayingFrequency = PolicyDescriptor(
    name: "lfu-decay", family: "frequency",
    summary: "Purges the app that was used least, old uses counting less.",
    details: """
      A weight per app: w becomes w * 2^(-age / half_life) + 1 at each launch, and is kept across \
      purges. Score: log2(w) + t / half_life at the last launch t, which orders the decayed \
      weights of all apps at any moment.
      """,
    source: "exponentially weighted counts",
    parameters: [
      PolicyParameter(
        "half_life", "Age at which a use counts half; launches if so clocked.", default: "1d"),
      PolicyParameter("clock", "What ages uses: seconds or launches.", default: "seconds"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    DecayingFrequency(
      appCount: context.appCount, halfLife: try arguments.duration("half_life", default: 86400),
      countsLaunches: try arguments.choice("clock", default: Clock.seconds) == .launches)
  }
}
