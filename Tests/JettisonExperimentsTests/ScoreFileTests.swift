import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonExperiments
@testable import JettisonTraces

@Suite("Score files")
struct ScoreFileTests {
  private static func read(_ text: String) throws -> ScoreTable {
    try withScratchFolder { folder in
      let path = folder.appending(path: "scores.csv").path
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      return try ScoreFile.read(path)
    }
  }

  @Test("Columns are found by name, and a row may be for one trace")
  func rows() throws {
    let table = try Self.read(
      "app,score,x-model,episode,trace\r\n\"a, b\",0.5,lstm,0,\r\nc,-inf,lstm,3,monday\n\n")
    #expect(
      table
        == ScoreTable([
          .init(episode: 0, app: "a, b", score: 0.5),
          .init(episode: 3, app: "c", score: -.infinity, trace: "monday"),
        ]))
  }

  @Test(
    "What cannot be understood is named with line and column",
    arguments: [
      ("", "the file is empty"),
      ("episode,app\n", ":1: column 'score': the column is missing"),
      ("episode,app,score,colour\n", ":1: column 'colour': there is no such column"),
      ("episode,app,score,app\n", ":1: column 'app': the column is there twice"),
      ("episode,app,score\n0,a,1\n-1,a,1\n", ":3: column 'episode': '-1' is not a launch"),
      ("episode,app,score\n99999999999999999999,a,1\n", ":2: column 'episode'"),
      ("episode,app,score\n0,a,nan\n", ":2: column 'score': 'nan' is not a number"),
      ("episode,app,score\n0,a,\n", ":2: column 'score': '' is not a number"),
      ("episode,app,score\n0,,1\n", ":2: column 'app': no app is named"),
      ("episode,app,score\n0,a\n", ":2: column 'score': the row ends before it"),
      ("episode,app,score\n0,\"a,1\n", ":2: a quoted field does not end on its line"),
    ])
  func damage(text: String, message: String) {
    #expect {
      try Self.read(text)
    } throws: { error in
      (error as? TraceError)?.exitStatus == 65 && "\(error)".contains(message)
    }
  }

  @Test("A file that is not there is unreadable")
  func missing() {
    #expect {
      try ScoreFile.read("no-such-scores.csv")
    } throws: { error in
      (error as? TraceError)?.exitStatus == 66
    }
  }
}
