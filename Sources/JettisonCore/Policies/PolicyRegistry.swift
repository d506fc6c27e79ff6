/// Every policy by name.
///
/// Adding one is one file and one line here: see <doc:WritingAPolicy>.
public enum PolicyRegistry {
  /// All policies, baseline first.
  public static let all: [PolicyDescriptor] = [
    .leastRecentlyUsed, .firstInFirstOut, .mostRecentlyUsed, .random, .largestFirst,
    .decayingFrequency, .greedyDualSizeFrequency, .landlordLoss,
    .android, .cacheOomRank, .chimeraLike,
  ]

  /// The policy of a name; throws ``ConfigurationError/unknown(what:name:known:)``.
  public static func policy(named name: String) throws(ConfigurationError) -> PolicyDescriptor {
    guard let policy = all.first(where: { $0.name == name }) else {
      throw .unknown(what: "policy", name: name, known: all.map(\.name))
    }
    return policy
  }
}
