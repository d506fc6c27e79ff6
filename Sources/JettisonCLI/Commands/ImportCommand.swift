internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonImporters
internal import JettisonReports
internal import JettisonTraces

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Turns a capture of another format into a trace.",
    discussion: """
      The output is text, or binary if its name ends in .jtrace. '-' reads standard input or \
      writes standard output. With several captures, the output is a directory with a trace for \
      each, named after it; so it is for a capture of several users, unless --user picks one.

      --merge makes one trace of all inputs, such as a usage log, allocation streams of some of \
      its apps, and memory samples of others. Inputs that say when they started are placed by the \
      wall clock; the clock of an allocation stream runs only while its app is in front. NAME=FILE \
      names the app of a capture of one process.
      """)

  @Argument(
    help: ArgumentHelp("Captures; with --merge, also NAME=FILE.", valueName: "input"),
    completion: .file())
  var inputs: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where the trace goes (default: -).", valueName: "file|dir"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The format; see 'jettison formats' (default: detected from the content).", valueName: "name"),
    completion: .formats)
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Columns of a table, by header or number.",
      valueName: "time=…,app=…,event=…,value=…"))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "Name of the app in captures of one process (default: as the capture or its file says).",
      valueName: "name"))
  var app: String?

  @Option(help: ArgumentHelp("Keep only apps whose names match. Repeatable.", valueName: "glob"))
  var apps: [OptionValues] = []

  @Option(
    help: ArgumentHelp(
      "Operations per second, for captures without times (default: 1000/s).", valueName: "n/s"))
  var rate: String?

  @Option(
    help: ArgumentHelp(
      "User name for the trace (default: the file name, from '-' that of the output); with several "
        + "users, the one to import.",
      valueName: "name"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "Device for the header (default: the capture's, if the device table has it).",
      valueName: "name"),
    completion: .devices)
  var device: String?

  @Option(
    help: ArgumentHelp(
      "Order of day and month in dates (default: worked out from the dates).",
      valueName: "ymd|dmy|mdy"))
  var dateOrder: ImportOptions.DateOrder?

  @Flag(help: "Make one trace of all inputs.")
  var merge = false

  @Option(help: ArgumentHelp("Year of the first line, for logs without a year.", valueName: "yyyy"))
  var year: String?

  // A zone behind UTC begins like an option.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time zone, ahead of UTC, for captures without one (default: +00:00).", valueName: "±hh:mm"))
  var zone: String?

  @Option(
    help: ArgumentHelp(
      "Android API level of a log (default: as the log says).", valueName: "n"))
  var apiLevel: String?

  @Flag(help: "Replace the names of users and apps.")
  var anonymize = false

  @Flag(help: "Treat errors inside the capture as fatal.")
  var strict = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    let format = try format.map { (name) throws(ConfigurationError) in
      try TraceFormats.all.named(name)
    }
    let options = try importOptions()
    let files = InputFiles(merge ? inputs.map { TraceMerge.split($0).path } : inputs)
    if let output { try files.keep(from: output, "-o") }
    if merge {
      return try TraceCopy.merge(
        inputs, to: output ?? "-", format: format, options: options, isQuiet: quiet)
    }
    guard inputs.count > 1 else {
      var batch = TraceBatch()
      try convert(
        inputs[0], to: output ?? "-", users: output, keeping: files, format: format,
        options: options, into: &batch)
      return try batch.publish()
    }
    guard let output, output != "-" else {
      throw ExperimentError.misuse(
        what: "import: several captures become several traces",
        remedy: "name a directory with -o, or make one trace of them with --merge")
    }
    try makeDirectory(output)
    var names: [String: String] = [:]
    for input in inputs {
      let name = TraceFormats.all.traceName(of: input)
      if let first = names[name] {
        throw ExperimentError.duplicateTrace(name: name, first: first, second: input)
      }
      names[name] = input
      try files.keep(from: "\(output)/\(name).csv", "-o")
    }
    var batch = TraceBatch()
    do {
      for input in inputs {
        let name = TraceFormats.all.traceName(of: input)
        try convert(
          input, to: "\(output)/\(name).csv", users: output, keeping: files, format: format,
          options: options, into: &batch)
      }
    } catch {
      // What the captures before it became is not lost for the one that is bad.
      try batch.publish()
      throw error
    }
    try batch.publish()
  }

  /// Makes a trace of an input, or, if it is of several users, one of each in a directory.
  private func convert(
    _ input: String, to output: String, users directory: String?, keeping files: InputFiles,
    format: TraceFormat?, options: ImportOptions, into batch: inout TraceBatch
  ) throws {
    let source = try TraceInput(
      capture: input, formats: .all, name: TraceCopy.name(of: input, for: output))
    let format = try TraceFormats.all.choose(format, for: source, options)
    guard options.user == nil, format.readAll != nil else {
      return try TraceCopy.copy(
        source, to: output, format: format, options: options, into: &batch, isQuiet: quiet)
    }
    let traces = try TraceLoader.loadAll(source, format: format, options: options)
    if traces.count == 1 {
      return try TraceCopy.write(
        traces[0], to: try ByteSink(path: output), as: output, from: input, into: &batch,
        isQuiet: quiet)
    }
    guard let directory, directory != "-" else {
      throw ExperimentError.misuse(
        what: "\(source.displayName): has \(traces.count) users, and each becomes a trace",
        remedy: "name a directory with -o, or choose one with --user")
    }
    try makeDirectory(directory)
    for (position, trace) in traces.enumerated() {
      // The name of a trace holds that of its user.
      let name = anonymize ? "\(source.traceName)-\(position + 1)" : trace.name
      let path = "\(directory)/\(name).csv"
      try files.keep(from: path, "-o")
      try TraceCopy.write(
        trace, to: try ByteSink(path: path), as: path, from: name, into: &batch, isQuiet: quiet)
    }
  }

  /// Makes a directory for several traces; a file name asks for one trace.
  private func makeDirectory(_ path: String) throws {
    guard !path.hasSuffix(".csv"), !path.hasSuffix(".jtrace") else {
      throw ExperimentError.misuse(
        what: "import: '\(path)' is the name of one trace, and several come out",
        remedy: "name a directory with -o")
    }
    try ReportDirectory.make(path)
  }

  private func importOptions() throws(ExperimentError) -> ImportOptions {
    try HeaderOptions.check(device: device, user: user)
    var options = ImportOptions()
    options.app = app
    options.apps = apps.texts
    options.user = user
    options.device = device
    options.isAnonymized = anonymize
    options.isStrict = strict
    if let rate { options.operationsPerSecond = try operationsPerSecond(rate) }
    if let columns { options.columns = try columnNames(columns) }
    if let dateOrder { options.dateOrder = dateOrder }
    try setLogOptions(&options)
    return options
  }

  /// What logs leave out.
  private func setLogOptions(_ options: inout ImportOptions) throws(ExperimentError) {
    if let year {
      guard let number = Int(year), ImportOptions.years.contains(number) else {
        throw .value(
          "--year", .invalid(what: "value", text: year, remedy: "write a year such as 2019"))
      }
      options.year = number
    }
    if let zone {
      guard let offset = ImportOptions.zoneOffset(zone) else {
        throw .value(
          "--zone", .invalid(what: "value", text: zone, remedy: "write an offset such as +01:00"))
      }
      options.zoneOffsetSeconds = offset
    }
    if let apiLevel {
      guard let number = Int(apiLevel), (1...999).contains(number) else {
        throw .value(
          "--api-level", .invalid(what: "value", text: apiLevel, remedy: "write a level such as 29")
        )
      }
      options.apiLevel = number
    }
  }

  private func operationsPerSecond(_ text: String) throws(ExperimentError) -> Double {
    let digits = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
    guard let rate = Double(digits), rate.isFinite, rate > 0 else {
      throw .value(
        "--rate", .invalid(what: "value", text: text, remedy: "write a rate such as 1000/s"))
    }
    return rate
  }

  private func columnNames(_ text: String) throws(ExperimentError) -> [String: String] {
    var names: [String: String] = [:]
    for part in ListText.parts(of: text) {
      guard let sign = part.firstIndex(of: "=") else {
        throw .value(
          "--columns", .invalid(what: "column", text: part, remedy: "write time=header,app=header"))
      }
      names[String(part[..<sign])] = String(part[part.index(after: sign)...])
    }
    do {
      _ = try TableColumns(names)
    } catch {
      throw .value("--columns", error)
    }
    return names
  }
}
