internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonSupport

/// The options of every command that replays many times: where results go, and how many runs there
/// are at a time.
struct OutputOptionGroup: ParsableArguments {
  @Option(
    help: ArgumentHelp("Write CSV reports into a directory.", valueName: "dir"),
    completion: .directory)
  var csv: String?

  @Option(
    help: ArgumentHelp(
      "Write one page to look at, with all figures in it, for any browser.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var html: String?

  @Option(help: ArgumentHelp("Runs at a time (default: all cores).", valueName: "n"))
  var jobs: String?

  /// Refuses a place that two outputs would share, or that is read.
  func check(inputs: [String]) throws {
    try OutputPlaces.check(
      files: [("--html", html)], directories: [("--csv", csv)], inputs: inputs)
  }

  /// The file of `--html`.
  static func pageFile(_ path: String) throws(ExperimentError) -> String {
    guard path != "-" else {
      throw .value(
        "--html",
        .invalid(what: "place", text: path, remedy: "name a file: results go to the output"))
    }
    return path
  }

  /// The page of `--html`; nil: none is asked for.
  ///
  /// - Parameter make: Makes the page at a path, with the command that repeats it.
  func page<Sink>(_ make: (_ path: String, _ command: String) throws -> Sink) throws -> Sink? {
    try html.map { try make(try Self.pageFile($0), RepeatedCommand.text) }
  }

  /// The directory of `--csv`, which is several files and so has no place on standard output.
  ///
  /// nil: none is asked for.
  func directory() throws(ExperimentError) -> String? {
    guard csv != "-" else {
      throw .value(
        "--csv",
        .invalid(what: "place", text: "-", remedy: "name a directory: reports are several files"))
    }
    return csv
  }

  /// How many runs at a time.
  func jobCount() throws(ExperimentError) -> Int {
    let wanted =
      try jobs.map { (text) throws(ExperimentError) in
        try WholeNumber.read(text, "--jobs", 1...Int.max, remedy: "write 1 or more")
      } ?? Threads.coreCount
    // Where threads are short, fewer runs at a time give the same results.
    return Threads.hasRoom(forJobs: wanted) ? wanted : 1
  }
}
