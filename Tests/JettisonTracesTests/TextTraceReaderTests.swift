import JettisonCore
import JettisonTestSupport
import JettisonTraces
import Testing

@Suite("Text traces")
struct TextTraceReaderTests {
  @Test("The documented example is read as it is meant")
  func readsExample() throws {
    let trace = try TraceText.read(Array(TraceFixtures.workedExample.utf8), name: "lost-draft")
    #expect(trace.name == "lost-draft")
    #expect(trace.header.device == "iphone-4")
    #expect(trace.header.user == "example")
    #expect(trace.header.start == "2011-04-18T11:00:00+02:00")
    #expect(
      trace.header.source == "hand-written; a draft is lost at a purge and missed afterwards")
    #expect(trace.apps == ["com.example.game", "com.example.notes"])
    #expect(trace.issues.count == 0)
    #expect(trace.index.endNanoseconds == 70_000_000_000)
    trace.events.withEvents { events in
      #expect(events.count == 6)
      #expect(events[1].kind == .edit)
      #expect(events[1].value == 2048)
      #expect(events[1].app == AppIndex(1))
      #expect(trace.details[Int(events[1].detail)].workNanoseconds == 4_000_000_000)
      #expect(events[3].value == 300_000_000)
      #expect(events[5].app == .none)
    }
    let catalog = try Catalog(for: trace, at: "lost-draft.csv")
    #expect(catalog["com.example.game"]?.edits?.isNone == true)
    #expect(catalog["com.example.notes"]?.save?.when?.triggers == .terminate)
  }

  @Test("A stream in pieces of any size gives the same trace", arguments: [1, 2, 3, 7, 64])
  func readsPieces(pieceBytes: Int) throws {
    let bytes = Array(TraceFixtures.workedExample.utf8)
    let whole = try TraceText.read(bytes)
    let pieces = try TraceText.read(bytes, pieceBytes: pieceBytes, storage: .spool)
    #expect(pieces.contentHash == whole.contentHash)
    #expect(pieces.header == whole.header)
    #expect(pieces.issues == whole.issues)
  }

  @Test("Every event knows its line, whatever stands between", arguments: [1, 64, Int.max])
  func lines(pieceBytes: Int) throws {
    var text = TraceText().header("device: iphone-4").row(0, "a", "launch").row(1, "a", "x-mark")
    text = text.row(2, "b", "launch").raw("").raw("").row(3, "a", "launch").end(4)
    let bytes = Array(text.text.utf8)
    let trace = try TraceText.read(bytes, pieceBytes: pieceBytes)
    #expect((0..<5).map { trace.lines.line(ofEvent: $0) } == [4, 6, 9, 10, nil])
    // The order in which apps are named does not matter, only that of the rows.
    #expect(trace.apps == ["a", "b"])
  }

  @Test("An app that is quit though it does not run is an issue with its line")
  func idleQuits() throws {
    let trace = try TraceText().row(0, "a", "quit").row(1, "a", "launch").row(2, "a", "quit")
      .row(3, "a", "launch").row(4, "", "boot").row(5, "a", "quit").row(5, "a", "update").end(6)
      .trace()
    let issue = try #require(trace.issues.all.first)
    #expect(trace.issues.all.count == 1)
    #expect(issue.severity == .info)
    #expect(issue.text == "quit of an app that does not run")
    #expect(issue.count == 2)
    #expect(issue.lines == [3, 8])
  }
}
