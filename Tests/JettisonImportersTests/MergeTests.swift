import Foundation
import JettisonCore
import JettisonImporters
import JettisonTestSupport
import JettisonTraces
import Testing

@Suite("Merging captures")
struct MergeTests {
  /// A usage log: the editor for 10 s, the mail app, the editor again for 5 s behind a dark screen
  /// for 3 s of it, a restart, the editor for 2 s.
  static let log = """
    # jettison-trace: 1
    # device: iphone-4
    # user: ada
    # start: "2021-03-14T20:00:00+01:00"
    # source: usage log
    # apps:
    #   editor: {category: notes}
    time_ns,app,event,value,id,detail
    0,editor,launch,,,
    10000000000,mail,launch,,,
    20000000000,editor,launch,,,
    22000000000,,screen,0,,
    25000000000,,screen,1,,
    28000000000,,home,,,
    30000000000,,boot,,,
    31000000000,editor,launch,,,
    33000000000,,home,,,
    40000000000,,end,,,reason=complete

    """

  /// What the editor allocated; 9.5 s are behind a pause, 16 s do not fit.
  static let editor = """
    1: malloc 0x10 100 0
    1: malloc 0x20 200 1000000000
    1: free 0x10 9000000000
    1: realloc 0x30 0x20 250 11000000000
    1: malloc 0x10 50 13000000000
    1: free 0x30 16000000000

    """

  /// What the mail app allocated, at two calls a second.
  static let mail = "1: malloc 0xa 1000\n1: free 0xa\n"

  /// Samples of a capture that began a second after the log, in another zone.
  static let samples = """
    # jettison-trace: 1
    # start: "2021-03-14T19:00:01+00:00"
    # source: memory samples
    # user: bob
    time_ns,app,event,value,id,detail
    0,music,present,70000000,,state=background;since_ns=5
    0,mail,present,90000000,,state=suspended
    1000000000,editor,footprint,60000000,,
    2000000000,music,footprint,75000000,,
    2000000000,,system-memory,200000000,,
    50000000000,,end,,,reason=lost

    """

  private func merge(
    _ files: [(name: String, text: String)], options: ImportOptions = ImportOptions()
  ) throws -> Trace {
    try withScratchFolder { folder in
      var arguments: [String] = []
      for (name, text) in files {
        let app = name.split(separator: "=").dropLast().first.map { "\($0)=" } ?? ""
        let file = folder.appendingPathComponent(String(name.split(separator: "=").last ?? ""))
        try Data(text.utf8).write(to: file)
        arguments.append(app + file.path)
      }
      return try TraceMerge.load(arguments, name: "merged", formats: .all, options: options)
    }
  }

  @Test("A log, two streams and samples become one trace")
  func mergesAll() throws {
    let trace = try merge([
      ("log.csv", Self.log), ("editor=stream.txt", Self.editor),
      ("mail=mail.txt", "1: malloc 0xa 1000 7000000000\n1: free 0xa 7500000000\n"),
      ("samples.csv", Self.samples),
    ])
    #expect(
      summary(trace).map(Self.withoutSlot) == [
        "0 editor launch", "0 editor alloc 100", "1 music background-launch",
        "1 music footprint 70000000", "1 editor alloc 200", "3 music footprint 75000000",
        "3 system-memory 200000000", "9 editor free", "10 mail launch", "10 mail alloc 1000",
        "10.5 mail free", "20 editor launch", "21 editor realloc 250", "22 screen 0",
        "25 screen 1", "26 editor alloc 50", "28 home", "30 boot", "31 editor launch",
        "31 editor alloc 100", "32 editor alloc 200", "33 home", "51 end reason=lost",
      ])
    #expect(trace.header.device == "iphone-4")
    #expect(trace.header.user == "ada")
    #expect(trace.header.start == "2021-03-14T20:00:00+01:00")
    #expect(trace.header.appsYAML?.contains("editor: {category: notes}") == true)
    #expect(trace.header.source?.hasPrefix("merged: usage log; memory-replay dump") == true)
    try checkRoundTrip(trace)
  }

  @Test("Captures that write the same local time stand at the same time")
  func localTimes() throws {
    var options = ImportOptions()
    options.zoneOffsetSeconds = 3600
    let trace = try merge(
      [
        (
          "usage.txt",
          """
          time="2020-01-01 10:00:00" type=ACTIVITY_RESUMED package=editor class=a flags=0x0
          time="2020-01-01 10:00:20" type=ACTIVITY_PAUSED package=editor class=a flags=0x0

          """
        ),
        (
          "samples.txt",
          """
          times: 2020-01-01 10:00:10
          MemTotal: 100000 kB
          ps-result:
          PID PSS NAME
          7 100 editor
          times: 2020-01-01 10:00:15
          MemTotal: 100000 kB
          ps-result:
          PID PSS NAME
          7 200 editor

          """
        ),
      ], options: options)
    #expect(trace.header.start == "2020-01-01T10:00:00+01:00")
    let rows = summary(trace)
    #expect(rows.contains("0 editor launch"))
    #expect(rows.contains("15 editor footprint 204800"), "\(rows)")
  }

  @Test("Ignored rows are counted")
  func counts() throws {
    let trace = try merge([
      ("log.csv", Self.log), ("editor=stream.txt", Self.editor), ("samples.csv", Self.samples),
    ])
    let early = issues(trace).filter { $0.hasSuffix("footprint of an app that has not run yet") }
    #expect(early.count == 1)
    #expect(
      issues(trace).filter { !early.contains($0) }
        == [
          "info 1 an app that ran already when its capture began is started there",
          "info 1 a life-cycle row is ignored: another input has its app's life",
          "info 1 a memory row is ignored: another input has its app's memory",
          "info 1 a further life of an app runs its stream from the beginning",
          "info 1 a life-cycle row is ignored: another input has its app's life",
          "info 1 an allocation is ignored: it does not fit into the time its app is in front",
        ].merging())
    #expect(trace.issues.count(atLeast: .error) == 0)
  }

  /// The number of a slot follows from the order in which blocks end, which is not what is tested.
  private static func withoutSlot(_ line: String) -> String {
    line.split(separator: " ").filter { !$0.hasPrefix("#") }.joined(separator: " ")
  }

  @Test("The order of the inputs decides who says what")
  func precedence() throws {
    let trace = try merge([("samples.csv", Self.samples), ("log.csv", Self.log)])
    #expect(trace.header.user == "bob")
    // The samples start the mail app, a second after the log's beginning.
    #expect(summary(trace).contains("1 mail background-launch"))
    #expect(!summary(trace).contains("10 mail launch"))
    #expect(summary(trace).contains("2 editor footprint 60000000"))
    // The log's way home is that of its editor, which left the front when mail came.
    #expect(summary(trace).contains("28 home"))
  }

  @Test("A stream may come first, and without a log it begins with the trace")
  func streams() throws {
    let first = try merge([("editor=stream.txt", Self.editor), ("log.csv", Self.log)])
    let last = try merge([("log.csv", Self.log), ("editor=stream.txt", Self.editor)])
    #expect(summary(first) == summary(last))
    var options = ImportOptions()
    options.operationsPerSecond = 2
    let alone = try merge(
      [("a=mail.txt", Self.mail), ("b=other.txt", Self.mail)], options: options)
    #expect(
      summary(alone) == [
        "0 a launch", "0 b launch", "0.5 a alloc 1000 #0", "0.5 b alloc 1000 #1",
        "1 a free #0", "1 b free #1", "1 end reason=complete",
      ])
    #expect(issues(alone).isEmpty)
  }

  @Test("Names of files are names, too: none is left where names are taken out")
  func anonymized() throws {
    var options = ImportOptions()
    options.isAnonymized = true
    let trace = try merge(
      [("SECRET.csv", Self.log), ("SECRET2.csv", Self.samples)], options: options)
    #expect(trace.issues.all.contains { $0.text.hasPrefix("input 2:8: ") })
    #expect(!trace.issues.all.contains { $0.text.contains("SECRET") || $0.text.contains("/") })
  }

  @Test("One input alone stays what it is")
  func single() throws {
    for text in [Self.log, Self.samples, Self.story] {
      let trace = try load(text, file: "one.csv")
      let merged = try merge([("one.csv", text)])
      #expect(summary(merged) == summary(trace))
      #expect(issues(merged) == issues(trace))
      #expect(merged.header == trace.header)
    }
  }

  /// Every kind of row that names a block or a task, and every state at the beginning.
  private static let story = """
    # jettison-trace: 1
    # catalog: side.yaml
    time_ns,app,event,value,id,detail
    0,a,present,1000,,state=front
    0,b,present,2000,,state=suspended;unsaved_bytes=5;unsaved_work_ms=10
    1,a,alloc,100,70,align=64
    2,a,alloc,200,71,purgeable=1
    3,a,task-begin,,70,
    4,a,realloc,300,70,
    5,a,footprint,4096,,derived=1
    6,,home,,,
    7,a,task-end,,70,
    8,b,launch,,,
    9,b,edit,10,,work_ms=5
    10,b,save,10,,duration_ms=1;trigger=user
    11,,interrupt,,,by=call
    12,,interrupt-end,,,outcome=accepted
    13,b,observed-exit,,,cause=low-memory;band=900
    14,a,free,,70,
    15,a,observed-warning,1,,
    16,,observed-warning,2,,
    17,a,pin,1,,reason=user
    18,,home,,,

    """

  @Test("Blocks that two inputs call alike are different blocks")
  func ids() throws {
    func input(_ app: String) -> String {
      """
      # jettison-trace: 1
      time_ns,app,event,value,id,detail
      0,\(app),launch,,,
      1000000000,\(app),alloc,10,7,
      2000000000,\(app),free,,7,

      """
    }
    let trace = try merge([("one.csv", input("a")), ("two.csv", input("b"))])
    #expect(
      summary(trace) == [
        "0 a launch", "0 b launch", "1 a alloc 10 #0", "1 b alloc 10 #1", "2 a free #0",
        "2 b free #1",
      ])
  }

  @Test("Rows that do not fit the life from another input are counted errors")
  func misfits() throws {
    let other = """
      # jettison-trace: 1
      # start: "2021-03-14T20:00:00+01:00"
      time_ns,app,event,value,id,detail
      0,mail,launch,,,
      1000000000,mail,alloc,10,7,
      2000000000,mail,free,,7,
      12000000000,mail,edit,10,,

      """
    let trace = try merge([("log.csv", Self.log), ("other.csv", other)])
    #expect(summary(trace).contains("12 mail edit 10"))
    #expect(!summary(trace).contains { $0.contains("alloc") })
    #expect(
      issues(trace).filter { $0.contains("fit") || $0.contains("block") } == [
        "error 1 a row that does not fit the life of its app is ignored",
        "info 1 a row of an ignored block or task is ignored too",
      ])
  }

  @Test("Excluded apps take the place of the one in front; device and user can be set")
  func options() throws {
    var options = ImportOptions()
    options.apps = ["editor"]
    options.device = "iphone-5"
    options.user = "eve"
    let trace = try merge(
      [
        ("log.csv", Self.log.replacing("notes}", with: "notes}\n#   mail: {category: messaging}")),
        ("editor=stream.txt", Self.editor),
      ], options: options)
    #expect(trace.apps == ["editor"])
    #expect(summary(trace).contains("10 home"))
    #expect(trace.header.appsYAML == "editor: {category: notes}")
    #expect(trace.header.device == "iphone-5")
    #expect(trace.header.user == "eve")
    options.isAnonymized = true
    let anonymous = try merge(
      [("log.csv", Self.log), ("editor=stream.txt", Self.editor)], options: options)
    #expect(anonymous.apps == ["app-001"])
  }

  @Test("A name is for captures of one process, and --app for one capture")
  func misuse() throws {
    #expect(throws: TraceError.self) { try merge([("x=log.csv", Self.log)]) }
    var options = ImportOptions()
    options.app = "x"
    #expect(throws: TraceError.self) { try merge([("log.csv", Self.log)], options: options) }
  }

  @Test("Issues of an input are reported with its file and the first line")
  func inputIssues() throws {
    let trace = try merge([("log.csv", Self.log), ("editor=stream.txt", Self.editor + "\nx\nx\n")])
    let found = try #require(trace.issues.all.first { $0.severity == .error })
    #expect(
      found.text.hasSuffix(
        "stream.txt:8: the line does not begin with a thread number and a colon"))
    #expect(found.count == 2)
    #expect(found.lines.isEmpty)
  }

  @Test("Inputs that do not overlap, and those without a clock, are reported")
  func clocks() throws {
    let late = Self.samples.replacing("2021-03-14", with: "2021-03-20")
    let trace = try merge([
      ("log.csv", Self.log), ("late.csv", late), ("mute.csv", Self.story),
    ])
    #expect(issues(trace).contains("info 1 not all inputs overlap in time"))
    #expect(
      issues(trace).contains("info 1 an input without a wall clock begins with the merged trace"))
    #expect(trace.index.endNanoseconds == (6 * 86_400 + 51) * 1_000_000_000)
  }

  @Test("Damaged inputs are refused or merged", arguments: [log, samples, story])
  func damage(_ text: String) throws {
    let bytes = Array(text.utf8)
    var random = SplitMix64(seed: 11)
    for _ in 0..<150 {
      var damaged = bytes
      damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      do {
        let trace = try load(damaged, file: "damaged.csv")
        let log = try load(Self.log, file: "log.csv")
        let inputs = [trace, log, trace].map { TraceMerge.Input(trace: $0, file: $0.name) }
        let merged = try TraceMerge.merge(inputs, name: "merged")
        try checkRoundTrip(merged)
      } catch is TraceError {
        // Refused with a place and a reason.
      }
    }
  }
}

extension [String] {
  /// Issues of one text as one, as they are counted.
  fileprivate func merging() -> [String] {
    var order: [String] = []
    var counts: [String: Int] = [:]
    for line in self {
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      let key = "\(parts[0]) % \(parts[2])"
      if counts[key] == nil { order.append(key) }
      counts[key, default: 0] += Int(parts[1]) ?? 0
    }
    return order.map { $0.replacing("%", with: "\(counts[$0] ?? 0)") }
  }
}
