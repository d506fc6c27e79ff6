#if os(Linux)
  import Foundation
  import JettisonTestSupport
  import Testing

  /// `record`, and the library that records allocations, with real processes.
  @Suite("Recording on Linux", .serialized)
  struct RecordTests {
    /// Events of a trace without memory and what depends on moments: `app,event,detail`.
    private func events(_ text: String) -> [String] {
      text.split(separator: "\n").compactMap { line in
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        guard !line.hasPrefix("#"), fields.count == 6, fields[0] != "time_ns" else { return nil }
        if fields[2] == "observed-available" || fields[2].hasPrefix("x-") { return nil }
        // Between a stop and what follows it a sample may fall.
        if ["footprint", "home", "background-mode"].contains(fields[2]) { return nil }
        return "\(fields[1]),\(fields[2])" + (fields[5].isEmpty ? "" : ",\(fields[5])")
      }
    }

    @Test("A command's programs are followed through stop, continue and every kind of end")
    func follows() throws {
      let program = try Program()
      try program.write(
        """
        # Goes on when the recording has seen it: a machine may be slow.
        seen() { until [ "$(grep -c "$2" t.csv)" -ge "$1" ]; do sleep 0.02; done; }
        cp "$(command -v sleep)" './first,one'; cp "$(command -v sleep)" second
        './first,one' 1000 & one=$!; seen 1 first%2Cone,launch
        kill -STOP $one; ./second 1000 & two=$!; seen 1 second,launch
        kill -STOP $two; kill -CONT $one; seen 2 first%2Cone,launch
        kill -SEGV $one; seen 1 first%2Cone,crash
        kill -CONT $two; seen 2 second,launch
        kill -KILL $two; seen 1 second,observed-exit
        ./second 1000 & two=$!; seen 3 second,launch
        kill -TERM $two; seen 1 second,quit

        """, to: "session.sh")
      let result = try program.run([
        "record", "-o", "t.csv", "--interval", "100ms", "--name", "first*", "--name", "second",
        "--", "sh", "session.sh",
      ])
      #expect(result.status == 0, "\(result.error)")
      #expect(
        events(try program.text("t.csv")) == [
          "first%2Cone,launch", "second,launch", "first%2Cone,launch", "first%2Cone,crash",
          "second,launch", "second,observed-exit,cause=signal", "second,launch", "second,quit",
          ",end,reason=complete",
        ])
      #expect(try program.run("check t.csv -q").status == 0)
    }

    @Test("A recording on standard output names no user: the file that it goes to does")
    func standardOutput() throws {
      let program = try Program()
      let recorded = try program.run(["record", "-q", "--", "true"])
      #expect(recorded.status == 0, "\(recorded.error)")
      try program.write(recorded.output, to: "ada.csv")
      #expect(try program.run("check ada.csv").output.contains("user ada\n"))
      try program.run(["record", "-q", "-o", "bob.csv", "--", "true"])
      #expect(try program.text("bob.csv").contains("# user: bob\n"))
    }

    @Test("A command is one app with all that it starts; a binary trace is written at the end")
    func commandIsOneApp() throws {
      let program = try Program()
      try program.run([
        "record", "-o", "t.jtrace", "--interval", "50ms", "--", "sh", "-c",
        "until grep -q ,sh,footprint, t.jtrace.part.csv; do sleep 0.02; done",
      ])
      #expect(try program.names() == ["t.jtrace"])
      try program.run("convert t.jtrace t.csv -q")
      let text = try program.text("t.csv")
      #expect(events(text) == ["sh,launch", "sh,exit", ",end,reason=complete"])
      #expect(text.contains(",sh,footprint,"))
      #expect(text.contains("#   sh: {category: utility}"))
    }

    @Test("A recording that is killed leaves a trace, one that is asked to end a whole one")
    func ends() throws {
      let program = try Program()
      try program.write(
        """
        "$0" record --pid $$ --interval 50ms -o killed.csv & one=$!
        "$0" record --pid $$ --interval 50ms -o told.csv & two=$!
        until grep -qs present killed.csv && grep -qs present told.csv; do sleep 0.02; done
        kill -KILL $one; kill -TERM $two; wait $two; echo $?

        """, to: "run.sh")
      let shell = try Shell.run(". ./run.sh", in: program, first: Program.executable().path)
      #expect(shell.output == "0\n", "\(shell.error)")
      #expect(
        events(try program.text("told.csv")) == [
          "sh,present,state=front", ",end,reason=complete",
        ])
      #expect(events(try program.text("killed.csv")) == ["sh,present,state=front"])
      #expect(try program.run("check killed.csv -q").status == 0)
    }

    @Test("A command that fails, and one that is over before the first sample, are reported")
    func failingCommand() throws {
      let program = try Program()
      let result = try program.run([
        "record", "-o", "t.csv", "--name", "nobody", "--", "sh", "-c", "exit 3",
      ])
      #expect(result.status == 0)
      #expect(result.error.contains("note: the command ended with status 3"))
      #expect(result.error.contains("note: no process to follow was seen"))
    }

    @Test("Misuse is reported")
    func misuse() throws {
      let program = try Program()
      #expect(try program.run("record").status == 64)
      #expect(try program.run("record --pid 1 --interval 1").status == 64)
      #expect(try program.run("record --pid 1 -o missing/t.csv").status == 73)
      let missing = try program.run("record -o t.csv -- ./no-such-program")
      #expect(missing.status == 66)
      #expect(missing.error.contains("cannot be started"))
      let nobody = try program.run("record -o t.csv --pid 2000000000")
      #expect(nobody.status == 66)
      #expect(nobody.error.contains("--pid 2000000000: there is no process with this number"))
      #expect(try program.run("record -o t.csv --cgroup missing").status == 66)
      #expect(try program.names() == [], "no half a trace is left")
    }
  }

  /// Runs command lines in a program's directory.
  enum Shell {
    /// Whether there is a C compiler.
    static let hasCompiler = FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")

    /// - Parameters:
    ///   - line: For `sh -c`.
    ///   - first: What the shell calls itself (`$0`).
    static func run(
      _ line: String, in program: Program, first: String = "", environment: [String: String] = [:]
    ) throws -> CommandResult {
      try Command.run(
        ["sh", "-c", line, first], in: program.directory,
        environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
    }
  }
#endif
