internal import ArgumentParser
internal import JettisonCore
internal import JettisonReports

struct PoliciesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policies",
    abstract: "Lists purge policies, or explains one.",
    discussion: """
      A policy is named as NAME or NAME:key=value,key=value, with modifiers such as +saved behind \
      it. What is printed about one policy is enough to implement it.
      """)

  @Argument(help: "A policy to explain.")
  var name: String?

  func run() throws {
    guard let name else { return try Console.print(PolicyText.list(Console.style)) }
    let (plain, _) = try PolicyModifiers.split(name)
    let policy = try PolicyRegistry.policy(named: String(plain.prefix { $0 != ":" }))
    try Console.print(PolicyText.page(policy, Console.style))
  }
}
