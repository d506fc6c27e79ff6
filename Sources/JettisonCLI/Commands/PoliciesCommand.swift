internal import ArgumentParser
internal import JettisonCore

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
      var table = TextTable([.left, .left, .left])
      for policy in PolicyRegistry.all {
        table.add([policy.name, policy.family, policy.summary])
      }
      return try Console.print(table.lines().joined(separator: "\n"))
    }
    let plain = name.hasSuffix("+saved") ? String(name.dropLast("+saved".count)) : name
    let policy = try PolicyRegistry.policy(named: plain)
    var lines = ["\(policy.name): \(policy.summary)", ""]
    lines += Prose.wrap(policy.details, indent: 2) + [""]
    var facts = TextTable([.left, .left])
    facts.add(["family", policy.family])
    facts.add(["cost", policy.complexity])
    facts.add(["draws at random", policy.draws ? "yes" : "no"])
    facts.add(["source", policy.source])
    lines += facts.lines(indent: 2)
    if !policy.parameters.isEmpty {
      lines += ["", "  parameters:"]
      var table = TextTable([.left, .left, .left])
      for parameter in policy.parameters {
        table.add([parameter.name, "default \(parameter.defaultText)", parameter.summary])
      }
      lines += table.lines(indent: 4)
    }
    try Console.print(lines.joined(separator: "\n"))
  }
}
