package import JettisonCore

/// Every policy that a user can name: those of the core, and those that need files or processes.
///
/// Adding one of the second kind is one file here and one word in ``all``.
package enum PolicySources {
  /// All policies, baseline first.
  package static let all: [PolicyDescriptor] = PolicyRegistry.all + [.scores, .program]

  /// A policy as people write it: a name with parameters and modifiers, or the path of a policy
  /// file with modifiers.
  ///
  /// - Throws: What `error` makes of a text that cannot be used, and ``ExperimentError/input(_:)``
  ///   for a malformed file.
  package static func spec(
    _ text: String, error: (ConfigurationError) -> ExperimentError
  ) throws(ExperimentError) -> PolicySpec {
    let file = PolicyFile.split(text)
    let policy = try file.map { (file) throws(ExperimentError) in try PolicyFile(file.path) }
    let spec: PolicySpec
    do throws(ConfigurationError) {
      if let file, let policy { return try policy.spec(file.rest) }
      spec = try PolicySpec(parsing: text, among: all)
    } catch let found {
      throw error(found)
    }
    return try spec.readingScores(text) ?? spec
  }
}
