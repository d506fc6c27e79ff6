import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

/// Files of others stay as they are, whatever ends the command and whoever shares the folder.
@Suite("Files and signals, links and limits")
struct FileSafetyTests {
  /// Runs a line of the shell, in which `$J` is the command.
  private func shell(_ line: String, in program: Program) throws -> CommandResult {
    var environment = ProcessInfo.processInfo.environment
    environment["J"] = try Program.executable().path
    // A signal that comes before the command's own handlers are there is answered by Swift's crash
    // reporter, which waits for ever if the same signal comes once more while it begins.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    return try Command.run(["sh", "-c", line], in: program.directory, environment: environment)
  }

  // MARK: Links and permissions

  @Test(
    "A link planted under a temporary name is not followed",
    arguments: [
      ("convert a.csv out.csv", "out.csv"), ("import a.csv -o out.csv", "out.csv"),
      ("generate --users 1 --days 1 -o .", "user-000.csv"),
      ("replay a.csv --csv .", "summary.csv"), ("compare a.csv --html p.html", "p.html"),
    ])
  func plantedLinks(command: String, file: String) throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.write("mine", to: "victim.txt")
    // The shell becomes the command, so that its number is known beforehand.
    let result = try shell(
      "ln -s victim.txt .\(file).$$.0.tmp; ln -s victim.txt \(file).$$.tmp; exec $J \(command) -q",
      in: program)
    #expect(result.status == 0, "\(result.error)")
    #expect(try program.text("victim.txt") == "mine")
    #expect(try program.text(file).count > 10)
  }

  @Test("What replaces a file keeps its permissions, and a link stays a link")
  func permissions() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.write("old", to: "private.csv")
    try program.write("old", to: "below/real.csv")
    let path = program.directory.appending(path: "private.csv").path
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try FileManager.default.createSymbolicLink(
      atPath: program.directory.appending(path: "link.csv").path,
      withDestinationPath: "below/real.csv")
    try program.run("convert a.csv private.csv -q")
    try program.run("convert a.csv link.csv -q")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(
        atPath: program.directory.appending(path: "link.csv").path) == "below/real.csv")
    #expect(try program.text("below/real.csv") == program.text("private.csv"))
    #expect(try program.names(in: "below") == ["real.csv"])
  }

  // MARK: Signals

  @Test(
    "A signal at any moment leaves all files or none",
    arguments: [
      "convert big.csv out/x.jtrace", "import big.csv -o out/x.csv",
      "generate --users 3 --days 2 -o out", "replay big.csv --csv out --detail events,decisions",
      "compare big.csv --policies lru,size --csv out --detail footprints --junit out/gates.xml "
        + "--fail-if 'purges>99999'",
      "savings big.csv --app com.example.notes --csv out",
      "replay big.csv --perfetto out/run.pftrace --csv out", "canary big.csv --csv out",
      "import --merge big.csv -o out/x.csv",
    ])
  func signals(command: String) throws {
    let program = try Program()
    try program.run("generate --users 1 --days 3 -q -o made")
    try FileManager.default.moveItem(
      at: program.directory.appending(path: "made/user-000.csv"),
      to: program.directory.appending(path: "big.csv"))
    let whole = try shell("mkdir out; $J \(command) -q >done.txt", in: program)
    #expect(whole.status == 0, "\(whole.error)")
    let complete = try program.names(in: "out")
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    for moment in 0..<8 {
      let number = [2, 15, 1, 3][moment % 4]
      let delay = Double(random.next() % 400) / 1000
      let result = try shell(
        "rm -rf out; mkdir out; timeout -s \(number) \(delay) $J \(command) -q >done.txt",
        in: program)
      let left = try FileManager.default.subpathsOfDirectory(
        atPath: program.directory.appending(path: "out").path
      ).sorted()
      #expect(
        left == [] || left == complete, "seed \(seed), moment \(moment): \(result.status) \(left)")
    }
  }

  @Test("A directory that a command made and did not fill goes with it")
  func madeDirectories() throws {
    let program = try Program()
    try program.run("generate --users 1 --days 3 -q -o made")
    let command = "compare made/user-000.csv --policies lru,size --csv new/er/out --detail events"
    let whole = try shell("$J \(command) -q >done.txt", in: program)
    #expect(whole.status == 0, "\(whole.error)")
    let complete = try program.names(in: "new/er/out")
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    var empty = 0
    for moment in 0..<12 {
      let delay = Double(random.next() % 300) / 1000 + 0.001
      _ = try shell("rm -rf new; timeout -s INT \(delay) $J \(command) -q >done.txt", in: program)
      let isThere = FileManager.default.fileExists(
        atPath: program.directory.appending(path: "new").path)
      empty += isThere ? 0 : 1
      if isThere {
        let left = try program.names(in: "new/er/out")
        #expect(left == complete, "seed \(seed), moment \(moment): \(left)")
      }
    }
    #expect(empty > 0, "no moment was early enough")
    // Nor does a run that fails leave one, but what was there before stays.
    _ = try shell("rm -rf new; mkdir new; $J compare none.csv --csv new/er/out", in: program)
    #expect(try program.names(in: "new") == [])
  }

  @Test("A large report of an earlier run does not stay beside figures of another")
  func staleReports() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    try program.run("replay a.csv --csv out --detail events,decisions -q")
    #expect(try program.names(in: "out").contains("events.csv"))
    try program.run("replay a.csv --csv out --detail decisions -q")
    #expect(try !program.names(in: "out").contains("events.csv"))
    #expect(try program.names(in: "out").contains("decisions.csv"))
    // A file of that name which is no report is somebody's own.
    try program.write("mine", to: "out/events.csv")
    try program.run("replay a.csv --csv out -q")
    #expect(try program.text("out/events.csv") == "mine")
    #expect(try !program.names(in: "out").contains("decisions.csv"))
  }

  @Test("Reports do not replace a trace that is read, by whatever name")
  func reportsOverInputs() throws {
    let program = try Program()
    try program.write(example, to: "traces/summary.csv")
    try FileManager.default.createSymbolicLink(
      atPath: program.directory.appending(path: "link.csv").path,
      withDestinationPath: "traces/summary.csv")
    let commands = [
      "replay traces/summary.csv --csv traces", "compare traces --csv ./traces",
      "replay link.csv --csv traces", "replay traces/summary.csv --perfetto link.csv",
    ]
    for command in commands {
      let result = try program.run("\(command) -q")
      #expect(result.status == 64)
      #expect(result.error.contains("is read, too; name another"), "\(result.error)")
    }
    #expect(try program.text("traces/summary.csv") == example)
  }

  @Test("Reports do not go where traces are looked for, by whatever name")
  func reportsAmongInputs() throws {
    let program = try Program()
    try program.write(example, to: "traces/a.csv")
    try program.write(example, to: "users/one/ada/b.csv")
    try FileManager.default.createSymbolicLink(
      atPath: program.directory.appending(path: "link").path, withDestinationPath: "traces")
    let commands = [
      "compare traces --csv traces", "compare traces/ --csv ./traces/", "compare traces --csv link",
      "compare link --csv traces", "validate traces --csv traces",
      "compare users --csv users", "compare users --csv users/one/",
      "compare users --csv users/one/ada",
    ]
    for command in commands {
      let result = try program.run("\(command) -q")
      #expect(result.status == 64, "\(command)")
      let place = command.split(separator: " ").last ?? ""
      #expect(
        result.error
          == "jettison: --csv: place '\(place)' cannot be used: it is read, too; name another "
          + "directory\n", "\(command)")
    }
    #expect(try program.names(in: "traces") == ["a.csv"])
    // A folder in it has a place of its own, and so has that of a trace that is named itself.
    for command in ["compare traces --csv traces/out", "replay users/one/ada/b.csv --csv users"] {
      #expect(try program.run("\(command) -q").status == 0, "\(command)")
    }
    #expect(try program.run("compare traces -q").status == 0)
  }

  @Test("Writing beyond the size that a file may have is an error")
  func fileSizeLimit() throws {
    let program = try Program()
    try program.run("generate --users 1 --days 3 -q -o made")
    for command in ["import made/user-000.csv -o x.csv", "convert made/user-000.csv x.jtrace"] {
      let result = try shell("ulimit -f 1; exec $J \(command)", in: program)
      #expect(result.status == 74, "\(result.status)")
      #expect(result.error.contains(": writing failed: File too large"), "\(result.error)")
      #expect(try program.names() == ["made"])
    }
  }

  #if os(Linux)
    @Test("An input that is cut short while it is read ends the command with a sentence")
    func cutShort() throws {
      let program = try Program()
      try program.run("generate --users 1 --days 3 -q -o made")
      try program.run("convert made/user-000.csv big.jtrace -q")
      // A policy of one's own is started at its first decision, when the trace has been opened and
      // most of it is still to be replayed.
      try program.write(
        """
        : > big.jtrace
        while read -r line; do
          names=$(printf %s "$line" | grep -o '"app": *"[^"]*"' | sed 's/.*: *//' | paste -sd, -)
          echo "{\\"order\\": [$names]}"
        done

        """, to: "cut.sh")
      let result = try shell(
        "exec $J replay big.jtrace --memory 256MiB --policy 'program:command=sh cut.sh' --csv out",
        in: program)
      #expect(result.status == 66, "\(result.status) \(result.error)")
      #expect(
        result.error.contains(
          "jettison: big.jtrace: was cut short, or could not be read, while it was being read "
            + "(try again when no program is changing it)\n"), "\(result.error)")
      #expect(try program.names(in: "out") == [])
    }

    @Test(
      "Few threads are enough, and the results the same", arguments: 1...6,
      [
        "replay -q a.csv", "compare -q a.csv --seeds 3", "savings -q a.csv --jobs 8",
        "validate -q a.csv", "explain -q a.csv",
      ])
    func fewThreads(count: Int, command: String) throws {
      let program = try Program()
      try program.write(example, to: "a.csv")
      // The system counts the threads of a user; this one has no others.
      let user = 70_000 + Int.random(in: 0..<1_000_000)
      let asUser = "timeout 120 setpriv --reuid=\(user) --regid=\(user) --clear-groups"
      guard try shell("\(asUser) $J --version", in: program).status == 0 else { return }
      let whole = try program.run(command)
      let result = try shell("\(asUser) prlimit --nproc=\(count) $J \(command)", in: program)
      #expect(result.status == whole.status, "\(result.error)")
      #expect(result.output == whole.output)
      #expect(result.error == whole.error)
    }

    @Test(
      "Little memory does not make it wait for ever",
      arguments: [12_000, 16_000, 20_000, 25_000, 30_000, 35_000, 40_000, 45_000, 50_000, 60_000])
    func littleMemory(kilobytes: Int) throws {
      let program = try Program()
      try program.write(example, to: "a.csv")
      for command in ["replay -q a.csv", "compare -q a.csv"] {
        let result = try shell(
          "ulimit -d \(kilobytes); exec timeout 120 $J \(command)", in: program)
        #expect(result.status != 124, "\(command)")
      }
    }

    @Test(
      "Where too few files may be open, the sentence says how to have more",
      arguments: [
        "replay a.csv --csv out", "replay a.csv", "compare a.csv --csv out --detail events",
        "savings a.csv", "import a.csv -o b.csv", "convert a.csv b.jtrace", "check a.csv",
        "compare two", "replay a.csv --catalog c.yaml", "import a.csv",
      ])
    func fewFiles(command: String) throws {
      let program = try Program()
      try program.write(example, to: "a.csv")
      try program.write(example, to: "two/b.csv")
      try program.write("com.example.notes: {category: notes}\n", to: "c.yaml")
      for count in 3...12 {
        let result = try shell(
          "exec timeout 60 prlimit --nofile=\(count):\(count) $J \(command)", in: program)
        guard !result.error.contains("error while loading shared libraries") else { continue }
        guard result.status != 0 else { continue }
        #expect([1, 66, 73, 74].contains(result.status), "\(count): \(result.status)")
        let last = result.error.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix("jettison: "), "\(count): \(result.error)")
        #expect(last.lowercased().contains("too many open files"), "\(count): \(result.error)")
        #expect(last.hasSuffix("(raise 'ulimit -n')"), "\(count): \(result.error)")
      }
    }

    @Test(
      "Where the system allows no further thread or file, a sentence says so",
      arguments: ["ulimit -d 25000", "ulimit -n 5", "ulimit -n 4", "ulimit -n 6"])
    func limits(limit: String) throws {
      let program = try Program()
      try program.write(example, to: "a.csv")
      let commands = ["replay a.csv", "compare a.csv --jobs 1", "compare a.csv --jobs 3 --csv out"]
      for command in commands {
        let result = try shell("\(limit); exec timeout 60 $J \(command)", in: program)
        // The libraries that the command is linked to are files, too.
        let isOurs = !result.error.contains("error while loading shared libraries")
        guard isOurs else { continue }
        #expect([0, 1, 66, 73].contains(result.status), "\(limit) \(command): \(result.status)")
        #expect(result.status == 0 || result.error.hasPrefix("jettison: "), "\(result.error)")
      }
    }

    @Test("A file whose size the system does not know is read; one that cannot be read is an error")
    func madeUpFiles() throws {
      let program = try Program()
      let status = try program.run("check /proc/self/status")
      #expect(status.status == 65)
      #expect(!status.error.contains("is empty"), "\(status.error)")
      let memory = try program.run("check /proc/self/mem")
      #expect(memory.status == 66, "\(memory.error)")
      #expect(memory.error.hasPrefix("jettison: /proc/self/mem: cannot be read: "))
      try program.write("", to: "empty.csv")
      #expect(try program.run("check empty.csv").error.contains("empty.csv: is empty"))
    }

    @Test("A recording that is killed at any moment is a trace, or is not there")
    func killedRecording() throws {
      let program = try Program()
      for moment in 0..<10 {
        let result = try shell(
          "rm -f r.csv; timeout -s 9 0.0\(moment)5 $J record -o r.csv --interval 10ms -- sleep 5; "
            + "test ! -e r.csv || exec $J check -q r.csv", in: program)
        #expect(result.status == 0, "\(moment): \(result.error)")
      }
    }
  #endif

  // MARK: What messages show

  @Test("Bytes of an input never reach the terminal as they are")
  func escapes() throws {
    let program = try Program()
    let escape = "\u{1B}]0;PWNED\u{07}\u{1B}[2J"
    let files = [
      "# jettison-trace: 1\ntime_ns,app,event,value,id,detail\n0,a,launch,,,\n5,a,edit,\(escape),,\n",
      "# jettison-trace: 1\n# \(escape): 1\ntime_ns,app,event,value,id,detail\n0,a,launch,,,\n",
      "# jettison-trace: 1\n# device: \"zz\\e[31m\"\ntime_ns,app,event,value,id,detail\n"
        + "0,a,launch,,,\n",
      "# jettison-trace: 1\n# device: \"zz\\njettison: all is well\"\n"
        + "time_ns,app,event,value,id,detail\n0,a,launch,,,\n",
      example.replacing("iphone-4", with: "iphone-4 \r\u{85}"),
    ]
    for (number, file) in files.enumerated() {
      try program.write(file, to: "\(number).csv")
      for command in ["check", "replay", "compare", "explain", "inspect"] {
        let result = try program.run("\(command) \(number).csv")
        let shown = (result.error + result.output).unicodeScalars
        #expect(
          !shown.contains { $0.properties.generalCategory == .control && $0 != "\n" },
          "\(command) \(number)")
        #expect(!result.error.contains("\njettison: all is well"), "\(command) \(number)")
      }
    }
    let option = try program.run(["replay", "\(escape)", "--jobs", "\(escape)"])
    #expect(!option.error.contains("\u{1B}"))
    #expect(option.status == 64)
  }

  @Test("Reports are files in a directory; standard output isn't one")
  func reportsOnStandardOutput() throws {
    let program = try Program()
    try program.write(example, to: "a.csv")
    for command in ["replay a.csv --csv -", "compare a.csv --csv -", "validate a.csv --csv -"] {
      let result = try program.run(command)
      #expect(result.status == 64)
      #expect(
        result.error
          == "jettison: --csv: '-' is no place (name a directory: reports are several files)\n"
          || result.error.contains("'-'"), "\(result.error)")
    }
    #expect(try program.names() == ["a.csv"])
  }

  @Test("A zone behind UTC is written as the help shows it")
  func zone() throws {
    let program = try Program()
    let line =
      "10-17 06:00:00.100  1000  1001 I am_proc_start: "
      + "[0,4242,10123,com.example.notes,activity,com.example.notes/.Main]\n"
    try program.write(line, to: "events.log")
    let together = try program.run(
      "import events.log --format android-logcat --year 2019 --zone=-11:30")
    let apart = try program.run(
      "import events.log --format android-logcat --year 2019 --zone -11:30")
    #expect(apart.status == 0, "\(apart.error)")
    #expect(apart.output == together.output)
    #expect(apart.output.contains("-11:30"))
  }

  @Test("What an app asked for and gave back again is gone from footprints.csv")
  func requestedBytes() throws {
    let program = try Program()
    let trace =
      "# jettison-trace: 1\n# device: iphone-6s\ntime_ns,app,event,value,id,detail\n"
      + "0,a,launch,,,\n1000000000,a,alloc,67108864,1,\n20000000000,a,free,,1,\n"
      + "40000000000,,end,,,reason=complete\n"
    try program.write(trace, to: "a.csv")
    for footprints in ["arena", "declared"] {
      try program.run("replay a.csv -q --footprints \(footprints) --csv out --detail footprints")
      let lines = try program.text("out/footprints.csv").split(separator: "\n")
      let names = lines[0].split(separator: ",")
      let column = try #require(names.firstIndex(of: "requested_bytes"))
      let requested = lines.dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false)[column]
      }
      #expect(requested.contains("67108864"))
      #expect(requested.last == "0", "\(footprints): \(requested)")
    }
  }
}
