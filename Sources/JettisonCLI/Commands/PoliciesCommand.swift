internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonPolicies
internal import JettisonReports

struct PoliciesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policies",
    abstract: "Lists purge policies, or explains one.",
    discussion: """
      A policy is named as NAME or NAME:key=value,key=value, with modifiers such as +saved behind \
      it; +saved alone names the modifier. What is printed about one policy is enough to implement \
      it. A path that ends in .yaml names a policy of your own: its description lists the names \
      that its expressions may use.
      """)

  @Argument(
    help: ArgumentHelp(
      "A policy or a modifier to explain.", valueName: "name|+modifier|file.yaml"),
    completion: .policies)
  var name: String?

  func run() throws {
    guard let name else {
      return try Console.print(PolicyText.list(PolicySources.all, Console.style))
    }
    if let (path, _) = PolicyFile.split(name) {
      let file = try PolicyFile(path)
      return try Console.print(
        PolicyText.page(
          file.descriptor, Console.style, writtenAs: RepeatedCommand.quoted(path),
          modifiers: file.modifiers)
          + Self.names(in: file))
    }
    try Console.print(name.hasPrefix("+") ? Self.modifiers(name) : Self.policy(name))
  }

  /// The pages of modifiers; their values do not matter.
  private static func modifiers(_ text: String) throws(ConfigurationError) -> String {
    let known = PolicyModifiers.all
    let pages = try text.split(separator: "+").map { (part) throws(ConfigurationError) in
      let name = part.prefix { $0 != "=" }
      guard let modifier = known.first(where: { $0.name == name }) else {
        throw .unknown(what: "modifier", name: String(name), known: known.map(\.name))
      }
      return PolicyText.page(modifier, Console.style)
    }
    guard !pages.isEmpty else {
      throw .unknown(what: "modifier", name: "", known: known.map(\.name))
    }
    return pages.joined(separator: "\n")
  }

  /// The page of a policy, and what the modifiers behind it do.
  private static func policy(_ text: String) throws(ConfigurationError) -> String {
    let (plain, modifiers) = try PolicyModifiers.split(text)
    let name = String(plain.prefix { $0 != ":" })
    guard plain == name else {
      let spec = try PolicySpec(parsing: text, among: PolicySources.all)
      return PolicyText.page(
        spec.descriptor, Console.style, writtenAs: RepeatedCommand.quoted(plain),
        arguments: spec.arguments)
        + effects(of: modifiers)
    }
    // A user who asks for a modifier may forget its plus sign.
    let names = PolicySources.all.map(\.name) + PolicyModifiers.all.map { "+\($0.name)" }
    guard !names.contains("+\(name)") else {
      throw .unknown(what: "policy", name: name, known: names)
    }
    let policy = try PolicySources.all.policy(named: name)
    return PolicyText.page(policy, Console.style) + effects(of: modifiers)
  }

  private static func effects(of modifiers: PolicyModifiers) -> String {
    modifiers.sentences.map { Prose.paragraph("Here: \($0)", Console.style) }.joined()
  }

  /// The names that expressions may use, with a mark at those that the file uses.
  private static func names(in file: PolicyFile) -> String {
    let used = file.keys.flatMap(\.variables)
    var table = TextTable([
      .init("name", .left), .init("unit", .left), .init("meaning", .left), .init("used", .left),
    ])
    for variable in CandidateVariable.allCases {
      table.add([
        .init(variable.name), .init(variable.unit), .init(variable.summary),
        .init(used.contains(variable) ? "yes" : ""),
      ])
    }
    return "\n" + table.rendered(Console.style)
  }
}
