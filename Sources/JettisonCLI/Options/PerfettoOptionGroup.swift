internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports

/// The options that show what is replayed in Perfetto.
struct PerfettoOptionGroup: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write what happens as a trace for Perfetto, each run as a machine of its own.",
      valueName: "file"),
    completion: .file(extensions: ["pftrace"]))
  var perfetto: String?

  @Option(
    help: ArgumentHelp(
      "Put it behind a copy of the capture that was replayed, on the capture's clock.",
      valueName: "capture.pftrace"),
    completion: .file(extensions: ["pb", "pftrace", "perfetto-trace"]))
  var beside: String?

  /// Creates the file at once, so that a bad place fails before any work; nil: none is asked for.
  func sink(samplePeriodNanoseconds: Int64) throws -> (any ReportSink)? {
    guard let perfetto else {
      guard beside == nil else {
        throw ExperimentError.misuse(
          what: "--beside: there is no place for the simulation", remedy: "add --perfetto FILE")
      }
      return nil
    }
    guard perfetto != "-" else {
      throw ExperimentError.value(
        "--perfetto",
        .invalid(what: "place", text: perfetto, remedy: "name a file: results go to the output"))
    }
    return try PerfettoReportSink(
      path: perfetto, beside: beside, samplePeriodNanoseconds: samplePeriodNanoseconds)
  }
}
