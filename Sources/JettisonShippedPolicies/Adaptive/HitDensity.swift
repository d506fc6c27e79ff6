#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `lhd`: purges the app from which the fewest launches can be expected for the memory and time it
/// takes.
///
/// Apps are classed by the gap between their last two uses and by their share of memory. For each
/// class it counts at what age (launches since the last use) apps were used again or purged; that
/// gives the hits to expect per byte and launch, the hit density. State: two histograms and a table
/// of densities, 32 classes by 128 ages; three numbers per app. O(1) per event and score,
/// O(classes · ages) every `every` launches (Beckmann, Chen and Cidon, "LHD: improving cache hit
/// rate by maximizing hit density", USENIX NSDI 2018).
struct HitDensity: PurgePolicy {
  private static let gapClasses = 8
  private static let sizeClasses = 4
  private static let ages = 128
  private static let classes = gapClasses * sizeClasses
  /// What is left of a count at each new estimate.
  private static let decay = 0.9

  private let memoryBytes: Double
  /// Launches per step of age.
  private let step: Int
  private let launchesPerEstimate: Int
  private var hits = [Double](repeating: 0, count: classes * ages)
  private var purges = [Double](repeating: 0, count: classes * ages)
  private var densities: [Double]
  private var classOf: [Int]
  /// Number of the launch that was each app's last; -1: never used.
  private var lastUses: [Int]
  private var launches = 0

  init(_ context: PolicyContext, step: Int, launchesPerEstimate: Int) {
    memoryBytes = Double(max(1, context.memoryBytes))
    self.step = step
    self.launchesPerEstimate = launchesPerEstimate
    classOf = Array(repeating: 0, count: context.appCount)
    lastUses = Array(repeating: -1, count: context.appCount)
    densities = []
    for group in 0..<Self.classes {
      for age in 0..<Self.ages {
        densities.append(Double(group / Self.sizeClasses + 1) / Double(age + 1))
      }
    }
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    switch event.kind {
    case .launched:
      launches += 1
      if event.launchKind != .cold { hits[cell(event.app)] += 1 }
      use(event.app, bytes: apps.footprintBytes(event.app))
      if launches % launchesPerEstimate == 0 { estimate() }
    case .ended where event.endCause == .purge: purges[cell(event.app)] += 1
    default: break
    }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    densities[cell(app)] / Double(max(1, apps.footprintBytes(app)))
  }

  /// Place of an app's class and age in the tables.
  private func cell(_ app: AppIndex) -> Int {
    let age = (launches - max(0, lastUses[app.position])) / step
    return classOf[app.position] * Self.ages + min(Self.ages - 1, age)
  }

  /// Gaps are classed by powers of two, the shortest highest; sizes by halvings of memory.
  private mutating func use(_ app: AppIndex, bytes: Int64) {
    let last = lastUses[app.position]
    lastUses[app.position] = launches
    var gapClass = 0
    if last >= 0 {
      gapClass = Self.gapClasses - 1 - min(Self.gapClasses - 1, Int(log2(Double(launches - last))))
    }
    let halvings = log2(memoryBytes / 4 / Double(max(1, bytes)))
    let sizeClass = Int(min(Double(Self.sizeClasses - 1), max(0, halvings + 1)))
    classOf[app.position] = gapClass * Self.sizeClasses + sizeClass
  }

  /// Hits to expect from an age on, by the launches that they and the purges take.
  private mutating func estimate() {
    for group in 0..<Self.classes {
      var hitsFromHere = 0.0
      var endsFromHere = 0.0
      var launchesFromHere = 0.0
      for age in stride(from: Self.ages - 1, through: 0, by: -1) {
        let cell = group * Self.ages + age
        hitsFromHere += hits[cell]
        endsFromHere += hits[cell] + purges[cell]
        launchesFromHere += endsFromHere
        // Where nothing was seen yet the older estimate stays.
        if launchesFromHere > 1e-6 { densities[cell] = hitsFromHere / launchesFromHere }
        hits[cell] *= Self.decay
        purges[cell] *= Self.decay
      }
    }
  }
}

extension PolicyDescriptor {
  package static let hitDensity = PolicyDescriptor(
    name: "lhd", family: "adaptive",
    summary: "Purges the app that promises the fewest launches for the memory and time it takes.",
    details: """
      Score: density(class, age) / s. s is the footprint in bytes now; age the launches of any app \
      since the app's last, in steps of step, up to 127. The class is the gap between the app's \
      last two launches (8 classes, by powers of two; an app launched once is in the class of the \
      longest) and its size at the last launch (4 classes: more than a quarter of memory, than an \
      eighth, than a sixteenth, less). A later launch in memory counts as a hit, a purge as a purge, at the \
      class and age of that moment. Every `every` launches each class's densities are set anew, \
      from the oldest age down: H += hits, E += hits + purges, T += E, density = H / T (unchanged \
      where T is 0), and all counts are multiplied by 0.9. Before the first time density is \
      (g + 1) / (age + 1), g from 0 for the longest gap to 7 for the shortest. The paper's \
      explorers, 1 % of space kept for learning, are left out: that is less than one app.
      """,
    source: "Beckmann, Chen and Cidon, LHD, USENIX NSDI 2018",
    complexity: "O(1) per event and score, O(classes * ages) per estimate",
    parameters: [
      PolicyParameter("step", "Launches per step of age.", default: "4"),
      PolicyParameter("every", "Launches between two estimates.", default: "500"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    HitDensity(
      context, step: try arguments.count("step", default: 4, in: 1...1_000_000),
      launchesPerEstimate: try arguments.count("every", default: 500, in: 1...1_000_000_000))
  }
}
