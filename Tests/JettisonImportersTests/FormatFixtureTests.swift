import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

/// Captures of every format, each with what tests of all formats ask of it.
@Suite("Every format that is registered")
struct FormatFixtureTests {
  /// Captures by the format's name.
  private static func captures() throws -> [String: [[UInt8]]] {
    let texts = [
      "jettison": [TraceFixtures.workedExample],
      "memory-replay": [MemoryReplayTests.fixture],
      "heaptrack": [HeaptrackTests.interpreted, HeaptrackTests.raw],
      "malloc-rep": [MallocRepTests.fixture],
      "lsapp": [LSAppTests.fixture],
      "app-usage": [AppUsageTests.fixture],
      "jetsam-report": [JetsamReportTests.json, JetsamReportTests.oldest],
      "process-samples": [ProcessSamplesTests.fixture],
      "android-logcat": [AndroidLogcatTests.afternoon],
      "android-bugreport": [AndroidBugreportTests.fixture],
      "usage-stats": [UsageStatsTests.fixture],
      "kernel-oom": [KernelOOMTests.fixture],
      "killer-journal": [
        KillerJournalTests.earlyoom, KillerJournalTests.swapRule, KillerJournalTests.pressureRule,
      ],
      "csv": [TableTests.fixture],
    ]
    var captures = texts.mapValues { $0.map { Array($0.utf8) } }
    captures["perfetto"] = [try PerfettoTests.phone().bytes]
    captures["powerlog"] = [try PowerLogTests.fixture()]
    captures["digital-wellbeing"] = [try DigitalWellbeingTests.fixture()]
    var binary = ByteSink()
    try BinaryTrace.write(try TraceFixtures.everyEvent.trace(), to: &binary)
    captures["jtrace"] = [binary.collected]
    return captures
  }

  private static func options(_ format: TraceFormat) -> ImportOptions {
    var options = ImportOptions()
    if format.readsColumns { options.columns = TableTests.columns }
    if format.name == "lsapp" { options.user = "0" }
    return options
  }

  @Test("Has a capture, which it recognises and no earlier one does")
  func detection() throws {
    let captures = try Self.captures()
    for format in TraceFormats.all.list {
      let own = try #require(captures[format.name], "give '\(format.name)' a capture here")
      for bytes in own {
        try withScratchFolder { folder in
          let file = folder.appendingPathComponent("capture")
          try Data(bytes).write(to: file)
          let input = try TraceInput(path: file.path, formats: .all)
          if format.readsColumns {
            #expect(throws: TraceError.self, "\(format.name)") {
              try TraceFormats.all.detect(input)
            }
          } else {
            #expect(try TraceFormats.all.detect(input).name == format.name)
          }
        }
      }
    }
    #expect(captures.count == TraceFormats.all.list.count)
  }

  @Test("Makes traces that survive writing and reading, names taken out or not")
  func roundTrips() throws {
    let captures = try Self.captures()
    for format in TraceFormats.all.list {
      var options = Self.options(format)
      for bytes in captures[format.name] ?? [] {
        options.isAnonymized = false
        try checkRoundTrip(load(bytes, as: format, options: options))
        options.isAnonymized = true
        try checkRoundTrip(load(bytes, as: format, options: options))
      }
    }
  }
}
