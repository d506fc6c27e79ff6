import Foundation
import JettisonCore
import JettisonImporters
import JettisonTestSupport
import JettisonTraces
import Testing

@Suite("heaptrack data")
struct HeaptrackTests {
  /// Two kinds of allocations; the name of a function holds a line that looks like an allocation.
  static let interpreted = """
    v 10400 3
    X /usr/example/editor --new notes.txt
    I 1000 200000
    s 15 /usr/example/a editor
    s b draw
    + 0
    ()
    i 7fbba99d6229 1
    t 1 0
    a 48 1
    + 0
    + 0
    c a
    R 4c0
    a 1000 1
    + 1
    - 0
    c 1e
    + 0
    - 1
    # strings: 2
    c 32

    """

  /// The same allocations by address, as the recorder itself writes them.
  static let raw = """
    v 10400 3
    x 13 /usr/example/editor
    X /usr/example/editor --new notes.txt
    I 1000 200000
    m 1 -
    m 13 /usr/example/editor 555500000000 0 1a20
    t 55989f4f4000 0
    + 48 1 5000
    + 48 1 6000
    c a
    R 4c0
    + 1000 1 7000
    - 6000
    c 1e
    + 48 1 6000
    - 7000
    c 32

    """

  private static let expected = [
    "0 editor launch", "0 editor alloc 72 #0", "0 editor alloc 72 #1",
    "0.01 editor alloc 4096 #2", "0.01 editor free #1", "0.03 editor alloc 72 #1",
    "0.03 editor free #2", "0.05 end reason=complete",
  ]
  private static let residentSet =
    "info 1 a sample of the resident set is ignored: allocations say more"

  @Test("An allocation is an event at the time above it, and its kind ends newest first")
  func readsInterpreted() throws {
    let trace = try load(Self.interpreted)
    #expect(summary(trace) == Self.expected)
    #expect(issues(trace) == ["\(Self.residentSet) @14"])
    #expect(trace.header.user == "capture")
    #expect(trace.header.appsYAML == "editor: {category: utility}")
  }

  @Test("A raw file says the same by addresses")
  func readsRaw() throws {
    let trace = try load(Self.raw)
    #expect(summary(trace) == Self.expected)
    #expect(issues(trace) == ["\(Self.residentSet) @11"])
  }

  @Test("Rate and name of the app can be chosen")
  func options() throws {
    var options = ImportOptions()
    options.app = "com.example.editor"
    options.operationsPerSecond = 2
    let trace = try load(Self.raw, options: options)
    #expect(trace.apps == ["com.example.editor"])
    #expect(
      summary(trace).suffix(2) == [
        "3 com.example.editor free #2", "3 end reason=complete",
      ])
  }

  @Test(
    "The versions of the format are distinguished",
    arguments: [
      ("v 10000 2", true), ("v 10200", true), ("v 10400 3", true), ("v 10400 4", false),
      ("v 1 2", false), ("v x 2", false), ("v 10400 3 0", false), ("", false),
    ])
  func versions(_ line: String, isRead: Bool) throws {
    let text = line + "\nX ./app\na 8 1\n+ 0\n"
    if isRead {
      #expect(try load(text).events.count == 3)
    } else {
      #expect(throws: TraceError.self) { try load(text, as: .heaptrack) }
    }
  }

  @Test("Texts before version 3 have no length, and a command may hold line ends")
  func oldTexts() throws {
    let trace = try load(
      """
      v 10000 2
      X python3 -c
      import json
      I 1000 1
      s ff draw
      a 8 1
      + 0
      """)
    #expect(
      summary(trace) == ["0 python3 launch", "0 python3 alloc 8 #0", "0 end reason=complete"])
    #expect(issues(trace) == ["info 1 a further line of the command @3"])
  }

  @Test("Malformed lines are located, counted and skipped")
  func malformedLines() throws {
    let trace = try load(
      """
      v 10400 3
      X ./app
      I 1000 1
      a zz 1
      a 8 1
      + 0
      + 1
      + 2
      + 10 1 5000
      - 7
      - 1
      - 1
      c 14
      c a
      c ffffffffffffffff
      nonsense
      + 11111111111111111
      """)
    #expect(
      issues(trace) == [
        "error 1 the kind of allocation has no size that can be read @4",
        "error 2 the allocation is of an unknown kind @6,8",
        "error 1 an allocation with an address among those of kinds, or at null @9",
        "error 2 the end of a block whose beginning is not known @10,12",
        "error 2 the time is before the one above it, or too late: skipped @14,15",
        "error 1 the line is of an unknown kind @16",
        "error 1 the numbers of the line cannot be read or are too large @17",
      ])
    #expect(
      summary(trace) == [
        "0 app launch", "0 app alloc 8 #0", "0 app free #0", "0.02 end reason=complete",
      ])
  }

  @Test("An end without a beginning in a raw file is not an error")
  func attached() throws {
    let trace = try load("v 10400 3\nX ./app\nA\n- 5000\n+ 8 1 6000\n- 5000\n")
    #expect(trace.issues.count(atLeast: .error) == 0)
    #expect(
      issues(trace).contains("info 2 the end of a block whose beginning is not known @4,6"))
  }

  @Test("A stream through a pipe says the same as the file")
  func piped() throws {
    let trace = try withPiped(Self.interpreted) { try TraceLoader.load($0) }
    #expect(summary(trace) == Self.expected)
    #expect(trace.header.user == "stdin")
  }

  @Test("A raw file names a live address again: the block before is taken as freed")
  func addressTwice() throws {
    let trace = try load("v 10400 3\nX ./app\n+ 8 1 6000\n+ 10 1 6000\n")
    #expect(summary(trace)[1...3] == ["0 app alloc 8 #0", "0 app free #0", "0 app alloc 16 #0"])
    #expect(trace.issues.count(atLeast: .error) == 1)
  }

  @Test("Damage is refused or counted", arguments: [interpreted, raw])
  func damage(_ fixture: String) throws {
    try checkDamage(fixture, as: .heaptrack)
  }

  @Test(
    "A recorded program has the calls, the peak and the leak that heaptrack_print says",
    .enabled(if: Captures.has("alloc/heaptrack.david.18594.gz")))
  func capture() throws {
    let trace = try loadPiped(
      ["gzip", "-dc", "\(Captures.folder ?? "")/alloc/heaptrack.david.18594.gz"])
    let kinds = trace.index.kindCounts
    // `gzip -dc … | grep -c '^[+]'`, and the same with `-`.
    #expect(kinds[Int(EventKind.alloc.rawValue)] == 2_896)
    #expect(kinds[Int(EventKind.free.rawValue)] == 2_859)
    // "peak heap memory consumption: 996.97K"; leaked: 25.26K, and 5.20K that it suppresses.
    let requested = requestedBytes(trace)
    #expect(requested.peak == 996_970)
    #expect(requested.atEnd == 30_463)
    #expect(trace.apps == ["david"])
    #expect(trace.issues.count(atLeast: .error) == 0)
  }
}
