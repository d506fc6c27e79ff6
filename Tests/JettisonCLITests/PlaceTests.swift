import Testing

@Suite("Places of results")
struct PlaceTests {
  @Test("Whatever option names the file that is read, the file stays what it is")
  func inputs() throws {
    let program = try Program()
    try program.write(example, to: "trace.csv")
    var tried: [String] = []
    for command in try HelpDump.commands() {
      let arguments = command.arguments ?? []
      let reads = arguments.contains {
        $0.kind == "positional" && ["trace", "input"].contains($0.valueName)
      }
      for option in arguments where reads && option.kind == "option" {
        let name = try #require(option.preferredName).name
        let line = "\(command.commandName) trace.csv --\(name) trace.csv"
        try program.run(line)
        tried.append(line)
        let text = try program.text("trace.csv")
        #expect(text == example, "\(line)")
        if text != example { try program.write(example, to: "trace.csv") }
      }
    }
    for name in ["compare", "replay"] {
      for option in ["csv", "html", "junit"] {
        #expect(tried.contains("\(name) trace.csv --\(option) trace.csv"))
      }
    }
    #expect(tried.contains("import trace.csv --output trace.csv"))
    try program.run("convert trace.csv trace.csv")
    #expect(try program.text("trace.csv") == example)
  }
}
