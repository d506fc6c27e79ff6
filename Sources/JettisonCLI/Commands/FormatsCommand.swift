internal import ArgumentParser
internal import JettisonImporters
internal import JettisonReports
internal import JettisonTraces

struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "Lists the formats that traces are read from, or describes one.",
    discussion: """
      The format of a file is detected from its content; 'jettison import --format NAME' overrides \
      that.
      """)

  @Argument(help: "A format to describe.")
  var name: String?

  func run() throws {
    guard let name else {
      var table = TextTable([.init("format", .left), .init("what it is", .left)])
      for format in TraceFormats.all.list {
        table.add([.init(format.name), .init(format.summary)])
      }
      return try Console.print(table.rendered(Console.style))
    }
    let format = try TraceFormats.all.named(name)
    // In the order of the vocabulary: a set has none of its own.
    let facts = TraceFact.allCases.filter(format.provides.contains).map(\.rawValue)
    try Console.print(
      Console.style.heading("\(format.name): \(format.summary)") + "\n"
        + Prose.facts([("may tell", facts.joined(separator: ", "))]))
  }
}
