internal import ArgumentParser
internal import JettisonCore
internal import JettisonReports

struct PoliciesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policies",
    abstract: "Lists purge policies, or describes one.",
    discussion: """
      A policy is named as NAME, NAME:key=value,key=value, either followed by +saved: apps with \
      nothing unsaved go first.
      """)

  @Argument(help: "A policy to describe.")
  var name: String?

  func run() throws {
    guard let name else {
      var table = TextTable([
        .init("policy", .left), .init("family", .left), .init("purges first", .left),
      ])
      for policy in PolicyRegistry.all {
        table.add([.init(policy.name), .init(policy.family), .init(policy.summary)])
      }
      return try Console.print(table.rendered(Console.style))
    }
    let plain = name.hasSuffix("+saved") ? String(name.dropLast("+saved".count)) : name
    let policy = try PolicyRegistry.policy(named: plain)
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
    try Console.print(text)
  }
}
