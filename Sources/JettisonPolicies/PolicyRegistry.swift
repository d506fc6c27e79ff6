internal import JettisonShippedPolicies

extension PolicySpec {
  /// Reads a policy as people write it, among all that Jettison has.
  ///
  /// Throws ``/JettisonCore/ConfigurationError`` for an unknown name, key or modifier and for a
  /// value that does not fit.
  public init(parsing text: String) throws(ConfigurationError) {
    try self.init(parsing: text, among: PolicyRegistry.all)
  }
}

/// Every policy by name.
///
/// Adding one is one file and one line here: see <doc:/JettisonCore/WritingAPolicy>.
public enum PolicyRegistry {
  /// All policies, baseline first.
  public static let all: [PolicyDescriptor] = list()

  /// The policy of a name.
  ///
  /// - Throws: ``/JettisonCore/ConfigurationError/unknown(what:name:known:)`` if there is none.
  public static func policy(
    named name: String, among policies: [PolicyDescriptor] = all
  ) throws(ConfigurationError) -> PolicyDescriptor {
    try policies.policy(named: name)
  }

  // The list is the body of a function, at the end: a line more or less is no change for those who
  // import the registry, so that they aren't compiled anew.
  private static func list() -> [PolicyDescriptor] {
    [
      .leastRecentlyUsed,
      .firstInFirstOut,
      .mostRecentlyUsed,
      .random,
      .clock,
      .lastUses,
      .leastFrequentlyUsed,
      .agedFrequency,
      .decayingFrequency,
      .hyperbolicCaching,
      .largestFirst,
      .sizeAdmission,
      .greedyDualSize,
      .greedyDualSizeFrequency,
      .lowestStartCost,
      .adaptiveReplacement,
      .twoQueues,
      .segmentedRecency,
      .interReferenceRecency,
      .sieve,
      .smallMainGhost,
      .hitDensity,
      .windowFrequency,
      .nextLaunchOrder,
      .partialMatching,
      .timeOfDay,
      .relaunchDistance,
      .relaunchDistanceCalibrated,
      .markovDistance,
      .markovDistanceCalibrated,
      .markovReturn,
      .valueDensity,
      .reuseDensity,
      .keepValue,
      .landlordLoss,
      .jetsamFIFO,
      .jetsamLargest,
      .android,
      .cacheOomRank,
      .chimeraLike,
      .firefoxTabs,
      .farthestLaunch,
      .largestFarthest,
      .cheapestFarthest,
      .kernelOOM,
      .oomd,
      .systemdOomd,
      .earlyoom,
    ]
  }
}
