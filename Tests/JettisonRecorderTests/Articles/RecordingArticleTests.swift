import Foundation
import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import JettisonTraces
import Testing

@testable import JettisonRecorder

/// The samples of the article on recording an app.
@Suite("The article on recording an app")
struct RecordingArticleTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  private static func article() throws -> String {
    try text("../../../Sources/JettisonRecorder/JettisonRecorder.docc/RecordingAnApp.md")
  }

  @Test("The source in the article is the one that is tested")
  func source() throws {
    #expect(try Self.article().contains("```swift\n\(try Self.text("DraftEditor.swift"))```"))
  }

  @Test("The file in the article is what the recorder writes")
  func output() throws {
    try withScratchFolder { folder in
      var recording = Recording(in: folder)
      recording.settings.category = .notes
      recording.settings.source = "iPhone13,2, iOS 18.5, version 1.2 (34)"
      try recording.life { recorder in
        let editor = DraftEditor(recorder: recorder)
        recorder.launch()
        recording.time.pass(1)
        recorder.footprint(bytes: 61_440_000)
        recording.time.pass(6)
        editor.userTyped(characters: 180, for: .seconds(5))
        recorder.interrupt()
        recorder.home()
        editor.save { recording.time.pass(0.125) }
      }
      recording.time.pass(1800)
      try recording.life { recorder in
        recorder.launch()
        DraftEditor(recorder: recorder).userTyped(characters: 20, for: .seconds(1))
        _ = recorder.beginSave(trigger: .user)
      }
      let file = try String(contentsOfFile: recording.path, encoding: .utf8)
      #expect(try Self.article().contains("```\n\(file)```"))
      let trace = try recording.trace()
      // The save belongs to the leave before it.
      #expect(trace.index.leaves(.inactive).boundSaves.count == 1)
    }
  }

  @Test("A save that never ended is cut short by what ended the process")
  func replay() throws {
    for ends in [false, true] {
      try withScratchFolder { folder in
        var recording = Recording(in: folder)
        recording.settings.category = .notes
        try recording.life { recorder in
          recorder.launch()
          recorder.edit(bytes: 100, work: .seconds(4))
          recording.time.pass(5)
          let save = recorder.beginSave(trigger: .user, isAtomic: true)
          recording.time.pass(1)
          if ends { save.end() }
          recorder.footprint(bytes: 50_000_000)
        }
        recording.time.pass(60)
        recording.settings.lastEnd = .crash
        try recording.life { $0.launch() }
        let trace = try recording.trace()
        let device = try DeviceTable.device(named: "iphone-12")
        let configuration = RunConfiguration(
          device: device, pressure: .thresholds,
          profiles: try TraceLoader.profiles(of: trace, at: recording.path, on: device))
        let result = try PolicySpec(parsing: "lru").run(trace, configuration)
        func value(_ metric: String) throws -> MetricValue {
          MetricReader(result).value(of: try MetricTable.metric(named: metric))
        }
        #expect(try value("saves") == .integer(1))
        #expect(try value("saves_interrupted_crash") == .integer(ends ? 0 : 1))
      }
    }
  }
}
