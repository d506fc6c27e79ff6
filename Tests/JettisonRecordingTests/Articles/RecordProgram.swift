import JettisonRecording

func record(_ program: String, to path: String, seconds: Double) throws -> [String] {
  var options = RecordingOptions()
  options.selection.names = [program]
  options.intervalNanoseconds = 100_000_000
  options.durationNanoseconds = Int64(seconds * 1e9)
  return try ProcessRecorder.record(to: path, options).apps
}
