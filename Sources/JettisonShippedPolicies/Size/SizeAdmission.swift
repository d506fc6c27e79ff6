#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `adaptsize`: purges first what is too large for its use, then the app that was used longest ago.
///
/// The paper's cache refuses an object of size `s` with probability `1 - exp(-s / c)`. An app cannot
/// be refused, so the draw is made when it is suspended and decides who goes first at the next
/// pressure. `c` is chosen now and then so that a model of LRU with that admission has most hits.
/// State: a flag, a rate and a size per app. O(1) per event and score; O(apps · 700) every `every`
/// launches (Berger, Sitaraman and Harchol-Balter, "AdaptSize", USENIX NSDI 2017).
struct SizeAdmission: PurgePolicy {
  static var search: VictimSearch { .keepingScores }

  private let random: KeyedRandom
  private let memoryBytes: Double
  private let launchesPerChoice: Int
  /// Whether `c` is chosen here instead of given.
  private let isAdaptive: Bool
  /// The size in bytes of which 1 in e is kept.
  private var scaleBytes: Double
  private var isRefused: [Bool]
  private var suspensions: [UInt64]
  /// Launches since the newest choice, plus half of what counted then.
  private var rates: [Double]
  private var sizes: [Double]
  /// Probability that each app is admitted at the size that is tried.
  private var admissions: [Double]
  private var launches = 0

  /// Without `scaleBytes` it is adapted.
  init(_ context: PolicyContext, scaleBytes: Double?, launchesPerChoice: Int) {
    random = context.random
    memoryBytes = Double(max(1, context.memoryBytes))
    self.launchesPerChoice = launchesPerChoice
    isAdaptive = scaleBytes == nil
    self.scaleBytes = scaleBytes ?? memoryBytes
    isRefused = Array(repeating: false, count: context.appCount)
    suspensions = Array(repeating: 0, count: context.appCount)
    rates = Array(repeating: 0, count: context.appCount)
    sizes = Array(repeating: 0, count: context.appCount)
    admissions = sizes
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    let app = event.app.position
    switch event.kind {
    case .launched:
      launches += 1
      rates[app] += 1
      if isAdaptive, launches % launchesPerChoice == 0 { chooseScale() }
    case .suspended:
      suspensions[app] += 1
      sizes[app] = Double(apps.footprintBytes(event.app))
      let draw = random.uniform(
        entity: apps.entity(event.app), episode: suspensions[app], purpose: .admission)
      isRefused[app] = draw >= exp(-sizes[app] / scaleBytes)
    default: break
    }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    Double(apps.lastUsedNanoseconds(app)) - (isRefused[app.position] ? 1e18 : 0)
  }

  /// Takes the best of 17 sizes from 1/64 to 4 times the memory.
  private mutating func chooseScale() {
    var best = -1.0
    for step in 0..<17 {
      let candidate = memoryBytes * exp2(Double(4 - step) / 2)
      let hits = expectedHits(candidate)
      if hits > best {
        best = hits
        scaleBytes = candidate
      }
    }
    for app in rates.indices { rates[app] /= 2 }
  }

  /// Hits of an LRU cache with that admission, by the time T that an unused app stays: T is such
  /// that the apps expected to be in memory just fill it.
  private mutating func expectedHits(_ scale: Double) -> Double {
    for app in sizes.indices { admissions[app] = exp(-sizes[app] / scale) }
    var low = -20.0
    var high = 20.0
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if expected(stay: exp(middle), bytes: true) > memoryBytes {
        high = middle
      } else {
        low = middle
      }
    }
    return expected(stay: exp(low), bytes: false)
  }

  /// Bytes in memory, or hits, if an app that is not used stays for so many launches.
  private func expected(stay: Double, bytes: Bool) -> Double {
    var sum = 0.0
    for app in rates.indices where rates[app] > 0 {
      let odds = (exp(rates[app] * stay) - 1) * admissions[app]
      let isIn = 1 - 1 / (1 + odds)
      sum += isIn * (bytes ? sizes[app] : rates[app])
    }
    return sum
  }
}

extension PolicyDescriptor {
  package static let sizeAdmission = PolicyDescriptor(
    name: "adaptsize", family: "size",
    summary: "Purges first what is too large for its use, then the app used longest ago.",
    details: """
      When an app is suspended at footprint s it is refused with probability 1 - exp(-s / c), by a \
      draw keyed by seed, user, app and suspension. Refused apps go first, then the others, each \
      by last use: a refused app stays until memory is short. c is given in bytes, or chosen every \
      `every` launches (memory before the first time) among memory * 2^(j/2), j from 4 down to \
      -12: the one with the most expected hits, the larger at equality. Expected: app i with rate \
      r (launches since the last choice, plus half the rate before) and size s is in memory with \
      probability P = 1 - 1 / (1 + (exp(r * T) - 1) * exp(-s / c)), T such that the sum of s * P \
      is memory; hits are the sum of r * P.
      """,
    source: "Berger, Sitaraman and Harchol-Balter, AdaptSize, USENIX NSDI 2017",
    complexity: "O(1) per event and score, O(apps) per choice",
    parameters: [
      PolicyParameter("c", "Size of which 1 in e is kept, in bytes, or auto.", default: "auto"),
      PolicyParameter("every", "Launches between two choices of c.", default: "250"),
    ], draws: true
  ) { (arguments, context) throws(ConfigurationError) in
    SizeAdmission(
      context, scaleBytes: try scale(arguments),
      launchesPerChoice: try arguments.count("every", default: 250, in: 1...1_000_000_000))
  }

  private static func scale(
    _ arguments: PolicyArguments
  ) throws(ConfigurationError) -> Double? {
    guard let text = arguments["c"], text != "auto" else { return nil }
    guard let bytes = Double(text), bytes.isFinite, bytes > 0 else {
      throw .invalid(
        what: "parameter 'c'", text: text, remedy: "write a number of bytes, or auto")
    }
    return bytes
  }
}
