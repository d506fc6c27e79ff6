// A process that records itself until it is killed: `RecordedProcess FILE`. Says "ready" once rows
// are being written.
import Foundation
import JettisonRecorder

var settings = RecorderSettings(app: "com.example.victim")
settings.fileLimitBytes = 1 << 30
let recorder = try AppRecorder(path: CommandLine.arguments[1], settings: settings)
recorder.launch()
recorder.startSampling()
FileHandle.standardOutput.write(Data("ready\n".utf8))
var count: Int64 = 0
while true {
  count += 1
  recorder.edit(bytes: count, work: .milliseconds(count), scene: "draft \(count)")
  let save = recorder.beginSave(trigger: .user)
  recorder.footprint(bytes: count)
  if count % 2 == 0 { save.end() }
}
