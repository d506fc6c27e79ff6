import Foundation
import JettisonSupport
import JettisonTestSupport
import JettisonTraces
import Testing

@testable import JettisonCore
@testable import JettisonExperiments

/// Policies that are programs, good ones and others.
///
/// Where a script hangs, the watchdog of 300 ms ends it.
@Suite("Programs as policies", .serialized)
struct ProgramPolicyTests {
  /// Answers with the candidates sorted by a figure, largest first.
  private static func sorting(by key: String) -> String {
    """
    #!/usr/bin/env python3
    import json, sys
    for line in sys.stdin:
        question = json.loads(line)
        order = sorted(question["candidates"], key=lambda c: -c["\(key)"])
        print(json.dumps({"order": [c["app"] for c in order]}), flush=True)
    """
  }

  /// Four apps, one decision at 50 s about `a`, `b` and `c`, and one at 70 s about those left.
  private static let visits = """
    0s,a,launch
    10s,b,launch
    20s,c,launch
    30s,a,launch
    40s,d,launch
    50s,,system-memory,35MiB
    70s,,system-memory,55MiB
    """

  private static func run(
    _ command: String, arguments: String = ",timeout=300ms", rows: String = visits
  ) throws -> [[String]] {
    let trace = try Trace(rows: rows)
    let sizes: [String: Int64] = ["a": 10, "b": 20, "c": 15, "d": 12]
    let device = Device(name: "test", ramBytes: 100 << 20, reserveBytes: 0, source: "test")
    let profiles = trace.apps.map { name in
      var profile = AppProfile()
      profile.launchFootprintBytes = (sizes[name] ?? 1) << 20
      return profile
    }
    var configuration = RunConfiguration(device: device, pressure: .thresholds, profiles: profiles)
    configuration.footprints = .declared
    let recorder = CapturingRecorder()
    _ = try PolicySpec(
      parsing: "program:command=\(command)\(arguments)", among: PolicySources.all
    ).run(trace, configuration, recorder: recorder)
    return recorder.decisions.map { decision in
      decision.candidates.map { trace.apps[$0.app.position] }
    }
  }

  /// Runs a script; it lies in a folder of its own, which is gone afterwards.
  private static func run(script: String, arguments: String = "") throws
    -> [[String]]
  {
    try withScratchFolder { folder in
      try run(at(folder, script), arguments: arguments)
    }
  }

  /// The command that runs a script.
  ///
  /// Its interpreter is named: a file just written cannot be executed while a program that somebody
  /// else starts at this moment holds it open.
  private static func at(_ folder: URL, _ script: String) throws -> String {
    let file = folder.appendingPathComponent("order")
    try Data(script.utf8).write(to: file)
    return script.hasPrefix("#!/bin/sh") ? "sh \(file.path)" : "python3 \(file.path)"
  }

  private static func failure(_ script: String, arguments: String = "") throws
    -> String
  {
    let error = try #require(throws: RunError.self) {
      _ = try run(script: script, arguments: arguments)
    }
    guard case .policyFailed(_, let reason) = error else { return "\(error)" }
    return reason
  }

  @Test("A program's answer is the order")
  func good() throws {
    // 8 MiB are left at 50 s and purging stops at 12: one is enough. At 70 s two are left.
    #expect(
      try Self.run(script: Self.sorting(by: "footprint_bytes"), arguments: "")
        == [["b", "c", "a"], ["c", "a"]])
    #expect(
      try Self.run(script: Self.sorting(by: "age_seconds"), arguments: "")
        == [["a", "b", "c"], ["b", "c"]])
    // Words are split at blanks, and %20 is one inside a word.
    let words = """
      #!/usr/bin/env python3
      import json, sys
      assert sys.argv[1:] == ["one", "two words", "a,b+c"], sys.argv
      for line in sys.stdin:
          print(json.dumps({"order": [c["app"] for c in json.loads(line)["candidates"]]}), flush=True)
      """
    try withScratchFolder { folder in
      let path = try Self.at(folder, words)
      let decisions = try Self.run("\(path) one two%20words  a%2Cb%2Bc", arguments: "")
      #expect(decisions.first == ["b", "c", "a"])
    }
  }

  @Test("A question holds the decision and every figure of every candidate")
  func question() throws {
    let script = """
      #!/usr/bin/env python3
      import json, os, sys
      for line in sys.stdin:
          question = json.loads(line)
          with open(os.path.dirname(sys.argv[0]) + "/questions", "a") as file: file.write(line)
          print(json.dumps({"order": [c["app"] for c in question["candidates"]]}), flush=True)
      """
    try withScratchFolder { folder in
      _ = try Self.run(Self.at(folder, script), arguments: "")
      let text = try String(
        contentsOf: folder.appendingPathComponent("questions"), encoding: .utf8)
      let lines = text.split(separator: "\n")
      #expect(lines.count == 2)
      let seed =
        KeyedRandom(seed: 1, key: try Trace(rows: Self.visits).drawKey)
        .bits(entity: 0, episode: 0, purpose: .randomVictim) >> 11
      #expect(
        lines[0].hasPrefix(
          """
          {"version":1,"decision":1,"seed":\(seed),"time_ns":50000000000,"level":"warning",\
          "trigger":"thresholds","needed_bytes":4194304,"available_bytes":8388608,"lambda":1,\
          "candidates":[{"app":"b","footprint_bytes":20971520,"unsaved_work_seconds":0,\
          "unsaved_bytes":0,"has_unsaved":false,"idle_seconds":30,"age_seconds":40,\
          "suspended_seconds":29,"since_save_seconds":null,
          """))
      #expect(lines[0].contains("\"is_suspended\":true"))
      #expect(lines[0].hasSuffix("]}"))
    }
  }

  @Test("Names come back as they are, whatever they hold")
  func names() throws {
    // A quotation mark, a line break, a smile, and an é in two ways that look alike.
    let odd = ["a\"\\b", "line\nbreak", "\u{1F600}", "\u{E9}", "e\u{301}", "\u{7F}\u{2028}"]
    #expect(
      odd.map(ProgramQuestions.quoted) == [
        #""a\"\\b""#, #""line\u000abreak""#, #""\ud83d\ude00""#, #""\u00e9""#, #""e\u0301""#,
        #""\u007f\u2028""#,
      ])
    var text = TraceText()
    for (place, name) in odd.enumerated() {
      text = text.row(Double(place), PercentEncoding.encode(name), "launch")
    }
    let trace = try text.row(10, "z", "launch").end(11).trace()
    #expect(trace.apps.count == 7)
    var configuration = RunConfiguration(
      device: try DeviceTable.device(named: "ideal-cache"), pressure: .idealCache,
      profiles: trace.apps.map { _ in AppProfile() })
    configuration.capacityApps = 6
    let recorder = CapturingRecorder()
    try withScratchFolder { folder in
      let command = try Self.at(folder, Self.sorting(by: "age_seconds"))
      _ = try PolicySpec(parsing: "program:command=\(command)", among: PolicySources.all)
        .run(trace, configuration, recorder: recorder)
    }
    let decision = try #require(recorder.decisions.first)
    let order = decision.candidates.map { Array(trace.apps[$0.app.position].utf8) }
    #expect(order == odd.map { Array($0.utf8) })
  }

  @Test("A program hears of events before the question that follows them")
  func events() throws {
    let script = """
      #!/usr/bin/env python3
      import json, os, sys
      count = {}
      log = open(os.path.dirname(sys.argv[0]) + "/events", "w")
      for line in sys.stdin:
          message = json.loads(line)
          if "event" in message:
              print(message["event"], message["app"], message.get("launch", message.get("cause", "")), file=log)
              if message["event"] == "launched": count[message["app"]] = count.get(message["app"], 0) + 1
          else:
              order = sorted(message["candidates"], key=lambda c: (count[c["app"]], c["app"]))
              print(json.dumps({"order": [c["app"] for c in order]}), flush=True)
      log.close()
      """
    try withScratchFolder { folder in
      let decisions = try Self.run(Self.at(folder, script), arguments: ",observe=on")
      #expect(decisions == [["b", "c", "a"], ["c", "a"]])
      let text = try String(contentsOf: folder.appendingPathComponent("events"), encoding: .utf8)
      let lines = text.split(separator: "\n").map(String.init)
      #expect(lines.prefix(3) == ["requested a ", "launched a cold", "requested b "])
      #expect(lines.contains("launched a hot"))
      #expect(lines.contains("suspended b "))
      #expect(lines.filter { $0.hasPrefix("ended") } == ["ended b purge", "ended c purge"])
    }
  }

  struct Failure: CustomTestStringConvertible {
    let script: String
    /// Long enough for a busy machine where the program answers.
    var limit = "20s"
    let reason: String
    var testDescription: String { reason }
  }

  private static func python(_ body: String) -> String {
    "#!/usr/bin/env python3\nimport json, os, signal, sys, time\nline = sys.stdin.readline()\n"
      + "names = [c['app'] for c in json.loads(line)['candidates']]\n" + body
      + "\nsys.stdout.flush()\ntime.sleep(60)\n"
  }

  static let failures: [Failure] = [
    Failure(
      script: python("pass"), limit: "300ms",
      reason: "the program gave no answer to decision 1 within 300 ms"),
    Failure(
      script: "#!/bin/sh\nsleep 60\n", limit: "300ms",
      reason: "the program gave no answer to decision 1 within 300 ms"),
    Failure(
      script: "#!/bin/sh\nwhile :; do echo still thinking >&2; done\n", limit: "2s",
      reason: "the program gave no answer to decision 1 within 2000 ms; it said: still thinking"),
    Failure(
      script: "#!/bin/sh\nexit 3\n",
      reason: "the program ended with status 3 before it answered decision 1"),
    Failure(
      script: "#!/bin/sh\nread line\necho 'about to die' >&2\nexit 0\n",
      reason: "the program ended with status 0 before it answered decision 1; it said: about to die"
    ),
    Failure(
      script: python("raise ValueError('no idea')"),
      reason:
        "the program ended with status 1 before it answered decision 1; it said: "
        + "ValueError: no idea"),
    Failure(
      script: "#!/bin/sh\nread line\nkill -9 $$\n",
      reason: "the program was ended by signal 9 before it answered decision 1"),
    Failure(
      script: "#!/bin/sh\nread line\nexec >&-\nsleep 60\n",
      reason: "the program closed its output before it answered decision 1"),
    Failure(
      script: python("print('garbage')"),
      reason: "the answer to decision 1 is not JSON: 'garbage'"),
    Failure(script: python("print('')"), reason: "the answer to decision 1 is not JSON: ''"),
    Failure(
      script: python("print('[1, 2]')"),
      reason: "the answer to decision 1 has no list of names in 'order': '[1, 2]'"),
    Failure(
      script: python("print('{\"order\": [1]}')"),
      reason: "the answer to decision 1 has no list of names in 'order': '{\"order\": [1]}'"),
    Failure(
      script: python("print('{}')"),
      reason: "the answer to decision 1 has no list of names in 'order': '{}'"),
    Failure(
      script: python("print('[' * 100000)"),
      reason: "the answer to decision 1 is not JSON: '" + String(repeating: "[", count: 100) + "…'"),
    Failure(
      script: python("sys.stdout.buffer.write(b'\\xff\\x00\\x1b[0m\\n')"),
      reason: "the answer to decision 1 is not JSON: '\u{FFFD}\u{FFFD}\u{FFFD}[0m'"),
    Failure(
      script: python("print(json.dumps({'order': names[:2]}))"),
      reason: "the answer to decision 1 leaves out the candidate 'a'"),
    Failure(
      script: python("print(json.dumps({'order': names + ['d']}))"),
      reason: "the answer to decision 1 names 'd', which is not a candidate"),
    Failure(
      script: python("print(json.dumps({'order': names + names[:1]}))"),
      reason: "the answer to decision 1 names 'b' twice"),
    Failure(
      script: python("print(json.dumps({'error': 'out of ideas'}))"),
      reason: "the program gave up at decision 1: out of ideas"),
    Failure(
      script: python("print(json.dumps({'order': names}) + '\\n{}')"),
      reason: "the program wrote a line without being asked: '{}'"),
    Failure(
      script: python("print('x' * (1 << 21))"),
      reason: "the program wrote more than 1048576 bytes without a line break"),
    Failure(
      script: "#!/usr/bin/env python3\nimport sys\nwhile True: sys.stdout.write('x' * 65536)\n",
      reason: "the program wrote more than 1048576 bytes without a line break"),
  ]

  @Test("A program that hangs, dies or lies fails its run with a sentence", arguments: failures)
  func bad(failure: Failure) throws {
    let reason = try Self.failure(failure.script, arguments: ",timeout=\(failure.limit)")
    #expect(reason == failure.reason)
  }

  @Test("A program that cannot be started fails its run with a sentence")
  func notStartable() throws {
    for (command, code) in [
      ("./no-such-program", "No such file or directory"),
      ("no-such-program", "No such file or directory"),
      (FileManager.default.temporaryDirectory.path, "Permission denied"),
    ] {
      let error = try #require(throws: RunError.self) { _ = try Self.run(command) }
      #expect(
        error.description == "policy 'program:command=\(command),timeout=300ms': the program "
          + "'\(command)' cannot be started: \(code)")
    }
  }

  @Test("A program that never reads its input is reported")
  func deaf() throws {
    // More than a pipe holds, before the first question.
    let rows =
      (0..<900).map { "\($0)s,\($0 % 2 == 0 ? "a" : "d"),launch" }.joined(separator: "\n")
      + "\n1000s,b,launch\n1010s,c,launch\n1020s,,system-memory,60MiB\n"
    try withScratchFolder { folder in
      let path = try Self.at(folder, "#!/bin/sh\nsleep 60\n")
      let error = try #require(throws: RunError.self) {
        _ = try Self.run(path, arguments: ",timeout=200ms,observe=on", rows: rows)
      }
      #expect(
        error.description.hasSuffix("the program read nothing of what it was told within 200 ms"))
    }
  }

  @Test("What a command or its limits cannot mean is misuse")
  func misuse() {
    for (text, sentence) in [
      ("program", "policy 'program' cannot be used: write program:command=./order.py"),
      ("program:command=", "command '' cannot be used: write a program such as ./order.py"),
      (
        "program:command=a%2",
        "command 'a%2' cannot be used: %XX stands for a byte: %20 for a blank, %2C for a comma, %25 for a percent sign"
      ),
      (
        "program:command=a%00",
        "command 'a%00' cannot be used: %XX stands for a byte: %20 for a blank, %2C for a comma, %25 for a percent sign"
      ),
      (
        "program:command=a,timeout=0",
        "parameter 'timeout' '0' cannot be used: write a duration such as 30s, 12h or 1d"
      ),
      (
        "program:command=a,observe=yes",
        "unknown value of parameter 'observe' 'yes'; known: off, on"
      ),
      (
        "program:comand=a",
        "unknown parameter of policy 'program' 'comand' (did you mean 'command'?); known: command, timeout, observe"
      ),
    ] {
      let error = #expect(throws: ConfigurationError.self) {
        _ = try PolicySpec(parsing: text, among: PolicySources.all)
      }
      #expect(error?.description == sentence)
    }
  }

  @Test("Nothing is left behind: no process, no descriptor, no zombie")
  func cleanliness() throws {
    // What the program starts goes with it; its number is written down.
    let script = """
      #!/bin/sh
      sleep 60 &
      echo $! $$ >> "$(dirname "$0")/numbers"
      read line
      \("exit 1")
      """
    let before = Self.openPipes()
    try withScratchFolder { folder in
      let path = try Self.at(folder, script)
      for _ in 0..<20 { #expect(throws: RunError.self) { _ = try Self.run(path, arguments: "") } }
      let numbers = try String(
        contentsOf: folder.appendingPathComponent("numbers"), encoding: .utf8
      )
      .split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
      #expect(numbers.count == 40)
      for number in numbers { #expect(!Self.isRunning(number)) }
    }
    _ = try Self.run(script: Self.sorting(by: "age_seconds"), arguments: "")
    // Tests beside this one may hold a pipe for a moment.
    for _ in 0..<100 where !Self.openPipes().subtracting(before).isEmpty { usleep(20_000) }
    #expect(Self.openPipes().subtracting(before) == [])
  }

  private static func openPipes() -> Set<String> {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let files = names.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
    return Set(files.filter { $0.hasPrefix("pipe:") })
  }

  /// Whether a process runs that is no zombie of somebody else's.
  private static func isRunning(_ number: Int32) -> Bool {
    // An orphan is waited for by whoever adopts it, some time later.
    for _ in 0..<50 {
      guard kill(number, 0) == 0 else { return false }
      let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
      if status?.contains(") Z ") ?? true { return false }
      usleep(10_000)
    }
    return true
  }

  @Test("Runs at the same time have a program each")
  func concurrency() async throws {
    try await withThrowingTaskGroup(of: [[String]].self) { group in
      for position in 0..<8 {
        group.addTask {
          let key = position % 2 == 0 ? "footprint_bytes" : "age_seconds"
          return try Self.run(script: Self.sorting(by: key), arguments: "") + [[key]]
        }
      }
      for try await decisions in group {
        let isBySize = decisions.last == ["footprint_bytes"]
        #expect(decisions.first == (isBySize ? ["b", "c", "a"] : ["a", "b", "c"]))
      }
    }
  }
}
