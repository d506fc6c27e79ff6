public import JettisonCore
internal import JettisonPolicies

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

  /// The policies of a comma-separated list, in which `all` stands for every policy that needs no
  /// argument, plain and with `+saved`.
  ///
  /// - Throws: As ``spec(_:error:)``.
  package static func specs(
    _ text: String, error: (ConfigurationError) -> ExperimentError
  ) throws(ExperimentError) -> [PolicySpec] {
    let named = ListText.policies(of: text).flatMap { $0 == "all" ? everyName : [$0] }
    return try named.map { (name) throws(ExperimentError) in try spec(name, error: error) }
  }

  private static var everyName: [String] {
    all.filter { !$0.needsArguments }.flatMap { [$0.name, "\($0.name)+saved"] }
  }
}

extension PolicySpec {
  /// A policy as the command line takes it: a name with parameters and modifiers, such as
  /// `gdsf:cost=1+saved`, or the path of a policy file, perhaps with modifiers.
  ///
  /// - Throws: ``ExperimentError`` for an unknown name, a value that cannot be used, a file that is
  ///   missing or malformed, and a list of policies.
  public static func reading(_ text: String) throws(ExperimentError) -> PolicySpec {
    do throws(ExperimentError) {
      return try PolicySources.spec(text) { .value("policies", $0) }
    } catch {
      // Values and names of files may hold commas, too: what reads as a list was meant as one.
      let list: [PolicySpec]? = try? .reading(text)
      guard let list, list.count > 1 else { throw error }
      throw .value(
        "policies", .invalid(what: "list", text: text, remedy: "one policy is wanted; name one"))
    }
  }
}

extension [PolicySpec] {
  /// Policies as `--policies` takes them: a list joined by commas, in which `all` stands for every
  /// policy that needs no argument, plain and with `+saved`.
  ///
  /// - Throws: As ``JettisonCore/PolicySpec/reading(_:)``.
  public static func reading(_ text: String) throws(ExperimentError) -> [PolicySpec] {
    try PolicySources.specs(text) { .value("policies", $0) }
  }
}
