/// Every policy by name.
///
/// Adding one is one file and one line here: see <doc:WritingAPolicy>.
public enum PolicyRegistry {
  /// All policies, baseline first.
  public static let all: [PolicyDescriptor] = [
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

  /// The policy of a name; throws ``ConfigurationError/unknown(what:name:known:)``.
  public static func policy(
    named name: String, among policies: [PolicyDescriptor] = all
  ) throws(ConfigurationError) -> PolicyDescriptor {
    guard
      let policy = policies.first(where: { $0.name == name || $0.aliases.contains(name) })
    else {
      throw .unknown(what: "policy", name: name, known: policies.map(\.name))
    }
    return policy
  }
}
