internal import ArgumentParser
internal import JettisonImporters
internal import JettisonTraces

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts a trace between text and .jtrace.",
    discussion: """
      The form follows the name of the output: binary if it ends in .jtrace, else text. Both \
      forms hold the same header and events. What begins with x- (columns, events, keys) is in \
      neither, and is counted on standard error. '-' is standard input or output.
      """)

  @Argument(help: ArgumentHelp("The trace to read.", valueName: "in"), completion: .file())
  var input: String

  @Argument(help: ArgumentHelp("The trace to write.", valueName: "out"), completion: .file())
  var output: String

  @Flag(help: "Treat errors inside the input as fatal.")
  var strict = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    var options = ImportOptions()
    options.isStrict = strict
    try InputFiles([input]).keep(from: output, "out")
    var batch = TraceBatch()
    try TraceCopy.copy(
      try TraceInput(
        path: input, formats: .all, name: TraceCopy.name(of: input, for: output)),
      to: output, format: nil, options: options, into: &batch, isQuiet: quiet)
    try batch.publish()
  }
}
