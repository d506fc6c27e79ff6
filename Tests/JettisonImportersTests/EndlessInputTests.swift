import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

/// What a pipe can hold that a file cannot: no end.
///
/// Two minutes are more than any of these needs; a reader that waits for the end, or whose time
/// grows with the square of the input, needs more.
@Suite("Inputs without end and of absurd size", .timeLimit(.minutes(2)))
struct EndlessInputTests {
  /// The header of a database of one page that no old program has written to.
  private static func databaseHeader(pages: UInt8) -> [UInt8] {
    var header = Array("SQLite format 3\0".utf8)
    header += [UInt8](repeating: 0, count: 84)
    header.replaceSubrange(16..<24, with: [0x10, 0, 1, 1, 0, 64, 32, 32])
    header[27] = 1
    header[31] = pages
    header[95] = 1
    return header
  }

  private func readEndless(_ start: [UInt8], as format: TraceFormat) throws {
    try withScratchFolder { folder in
      let file = folder.appendingPathComponent("start")
      try Data(start).write(to: file)
      _ = try withPiped(["cat", file.path, "/dev/zero"]) {
        try TraceLoader.load($0, format: format)
      }
    }
  }

  @Test("Zeros without end are no capture of a format that is read as a whole")
  func zeros() {
    for format in [
      TraceFormat.jtrace, .digitalWellbeing, .powerLog, .perfetto, .jetsamReport,
    ] {
      #expect(throws: TraceError.self, "\(format.name)") { try readEndless([], as: format) }
    }
  }

  @Test("What follows a database is not waited for")
  func bytesBehindADatabase() {
    #expect(throws: TraceError.self) {
      try readEndless(Self.databaseHeader(pages: 1), as: .digitalWellbeing)
    }
  }

  @Test("A report has no more processes than a system can have")
  func processesOfAReport() throws {
    let process = #"{"name":"notes","rpages":3},"#
    let text =
      #"{"bug_type":"298"}"# + "\n" + #"{"memoryStatus":{"pageSize":16384},"processes":["# + "\n"
      + String(repeating: process + "\n", count: JetsamReport.mostProcesses + 2)
      + #"{"name":"mail","rpages":3}]}"#
    let trace = try load(text, as: .jetsamReport)
    #expect(trace.apps.count == JetsamReport.mostProcesses)
    #expect(
      issues(trace).contains {
        $0.hasPrefix("error 3 more processes than a system can have: skipped")
      })
  }
}
