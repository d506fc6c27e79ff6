internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports

struct PoliciesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policies",
    abstract: "Lists purge policies, or describes one.",
    discussion: """
      A policy is named as NAME, NAME:key=value,key=value, either followed by +saved: apps with \
      nothing unsaved go first. A path that ends in .yaml names a policy of your own: its \
      description lists the names that its expressions may use.
      """)

  @Argument(help: ArgumentHelp("A policy to describe.", valueName: "name|file.yaml"))
  var name: String?

  func run() throws {
    guard let name else {
      var table = TextTable([
        .init("policy", .left), .init("family", .left), .init("purges first", .left),
      ])
      for policy in PolicySources.all {
        table.add([.init(policy.name), .init(policy.family), .init(policy.summary)])
      }
      return try Console.print(table.rendered(Console.style))
    }
    if let (path, _) = PolicyFile.split(name) {
      let file = try PolicyFile(path)
      return try Console.print(Self.description(of: file.descriptor) + Self.names(in: file))
    }
    let plain = name.hasSuffix("+saved") ? String(name.dropLast("+saved".count)) : name
    let policy = try PolicyRegistry.policy(named: plain, among: PolicySources.all)
    try Console.print(Self.description(of: policy))
  }

  private static func description(of policy: PolicyDescriptor) -> String {
    var text = Console.style.heading("\(policy.name): \(policy.summary)") + "\n"
    text += Prose.wrap(policy.details, indent: 2).joined(separator: "\n") + "\n\n"
    text += Prose.facts([
      ("family", policy.family), ("cost", policy.complexity),
      ("draws at random", policy.draws ? "yes" : "no"), ("source", policy.source),
    ])
    if !policy.parameters.isEmpty {
      var table = TextTable([
        .init("parameter", .left), .init("default", .left), .init("meaning", .left),
      ])
      for parameter in policy.parameters {
        table.add([
          .init(parameter.name), .init(parameter.defaultText), .init(parameter.summary),
        ])
      }
      text += "\n" + table.rendered(TextStyle())
    }
    return text
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
