internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports

struct PoliciesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policies",
    abstract: "Lists purge policies, or explains one.",
    discussion: """
      A policy is named as NAME or NAME:key=value,key=value, with modifiers such as +saved behind \
      it. What is printed about one policy is enough to implement it. A path that ends in .yaml \
      names a policy of your own: its description lists the names that its expressions may use.
      """)

  @Argument(help: ArgumentHelp("A policy to explain.", valueName: "name|file.yaml"))
  var name: String?

  func run() throws {
    guard let name else {
      return try Console.print(PolicyText.list(PolicySources.all, Console.style))
    }
    if let (path, _) = PolicyFile.split(name) {
      let file = try PolicyFile(path)
      return try Console.print(
        PolicyText.page(file.descriptor, Console.style, writtenAs: path) + Self.names(in: file))
    }
    let (plain, _) = try PolicyModifiers.split(name)
    let policy = try PolicyRegistry.policy(
      named: String(plain.prefix { $0 != ":" }), among: PolicySources.all)
    try Console.print(PolicyText.page(policy, Console.style))
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
    return "\n" + table.rendered(TextStyle())
  }
}
