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

  @Test("Modes and resources of an app that does not run are issues with their lines")
  func idleModes() throws {
    let trace = try TraceText().row(0, "a", "background-mode", value: 1, detail: "mode=audio")
      .row(0, "a", "background-mode", value: 0, detail: "mode=audio")
      .row(0, "a", "present", detail: "state=background")
      .row(0, "a", "background-mode", value: 1, detail: "mode=audio")
      .row(1, "a", "shared-resource", value: 1, detail: "resource=contacts").row(2, "", "boot")
      .row(3, "a", "shared-resource", value: 1).row(4, "a", "shared-resource", value: 0)
      .row(5, "b", "shared-resource", value: 1).end(6).trace()
    #expect(
      trace.issues.all.map { "\($0.severity) \($0.text) \($0.lines)" } == [
        "info background-mode of an app that does not run [3]",
        "info shared-resource of an app that does not run [9, 11]",
      ])
  }

  /// In pieces of one byte, no row is whole when it comes, and every row is read in full.
  @Test("Rows in which nothing is new are read as all others are", arguments: 0..<60)
  func knownRows(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var text = TraceText()
    for row in 0..<(20 + Int(random.next() % 60)) { text = text.raw(Self.row(row, &random)) }
    let bytes = Array(text.end(1000).text.utf8)
    let (whole, slow) = (Self.outcome(bytes), Self.outcome(bytes, pieceBytes: 1))
    #expect(whole == slow, "seed \(seed):\n\(text.text)")
  }

  /// A row that is mostly right: the same few words and numbers again and again.
  private static func row(_ number: Int, _ random: inout SplitMix) -> String {
    func pick(_ words: [String]) -> String { words[Int(random.next() % UInt64(words.count))] }
    let app = pick(["a", "com.example.notes", "com.example.games", "b%20c"])
    let time = "\(Int64(number) * 1_234_567_890_123)"
    if number < 4 { return "\(time),\(app),launch,,," }
    if random.next() % 12 == 0 {
      return pick([
        "", "# no", "\(time),\(app)", "\(time),\"\(app)\",launch,,,", "\(time),\(app),x-mark,7,,",
        "\(time),\(app),launch,,,\r", "\(time),\(app),launch,,,,", " \(time),\(app),launch,,,",
        "\(time)0000000000,\(app),launch,,,", "-1,\(app),launch,,,", "\(time),,home,,,",
        "\(time),\(app),edit,5,,work_ms=x", "\(time),\(app),footprint,+5,,",
        "\(time),\(app)\n\(time),\(app),launch,,,", "\(time),\(app),edit,5,,x-why=1;work_ms=2",
      ])
    }
    let id = random.next() % 4
    return pick([
      "\(time),\(app),launch,,,", "\(time),\(app),footprint,\(random.next() % 1_000_000),,",
      "\(time),\(app),alloc,16,\(id),", "\(time),\(app),free,,\(id),",
      "\(time),\(app),realloc,123456789,\(id),", "\(time),\(app),alloc,64,\(id),align=32",
      "\(time),\(app),edit,2048,,work_ms=4000", "\(time),\(app),edit,1,,work_ms=0.5;scene=s",
      "\(time),\(app),save,,,duration_ms=20;trigger=user", "\(time),,screen,1,,",
    ])
  }

  /// Everything that a reading tells, or the error.
  private static func outcome(_ bytes: [UInt8], pieceBytes: Int = .max) -> String {
    do throws(TraceError) {
      let trace = try TraceText.read(bytes, pieceBytes: pieceBytes)
      return "\(trace.contentHash) \(trace.apps) \(trace.lines) \(trace.issues)"
    } catch {
      return "\(error)"
    }
  }
}
