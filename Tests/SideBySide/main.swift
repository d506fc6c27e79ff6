// Runs of the stories side by side, for the thread sanitizer: `SideBySide FOLDER` writes their reports
// there. What it needs of the library is built in half the time of the command.
import JettisonExperiments
import JettisonReports

var specification = ExperimentSpecification(traces: ["traces/stories"])
specification.policies = try .reading("lru,size,random")
let reports = try CSVReportSink(
  directory: CommandLine.arguments[1], details: Set(DetailKind.allCases))
let result = try await Experiment(specification, jobs: 4).run(into: [reports], jobs: 4)
print("\(result.runs.count) runs")
