#if os(Linux)
  import Foundation
  import JettisonTestSupport
  import Testing

  /// The library that records allocations, loaded before small programs in C.
  @Suite("Recorder of allocations", .enabled(if: Shell.hasCompiler, "needs a C compiler"))
  struct RecorderTests {
    private static let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A folder with the library and a program of Tests/RecorderPrograms.
    private func folder(with name: String, options: String = "") throws -> Program {
      let program = try Program()
      let recorder = Self.root.appendingPathComponent("Sources/CRecorder").path
      let source = Self.root.appendingPathComponent("Tests/RecorderPrograms/\(name).c").path
      let built = try Shell.run(
        "cc -O2 -Wall -Wextra -shared -fPIC -I'\(recorder)/include' -o r.so '\(recorder)/recorder.c' && "
          + "cc -O1 -fno-builtin -w -o \(name) '\(source)' -lpthread \(options)", in: program)
      try #require(built.status == 0, "\(built.error)")
      #expect(built.error == "", "no warnings")
      return program
    }

    @discardableResult
    private func record(
      _ line: String, in program: Program, file: String = "%p.alloc"
    ) throws -> CommandResult {
      try Shell.run(
        "LD_PRELOAD=./r.so exec \(line)", in: program, environment: ["JETTISON_RECORD_FILE": file])
    }

    private func recordings(_ program: Program) throws -> [String] {
      try program.names().filter { $0.contains(".alloc") }
    }

    /// Whether a line, with times or without, takes a block of a size.
    private func isMalloc(_ line: Substring, of size: Int) -> Bool {
      let words = line.split(separator: " ")
      return words.count > 3 && words[1] == "malloc" && words[3] == "\(size)"
    }

    /// How often each recording took a block of a size.
    private func blocks(of size: Int, in program: Program) throws -> [Int] {
      try recordings(program).map { name in
        try program.text(name).split(separator: "\n").count {
          isMalloc($0, of: size)
        }
      }.filter { $0 > 0 }
    }

    @Test("Threads that hand blocks to each other leave a recording without a contradiction")
    func threads() throws {
      let program = try folder(with: "exchange")
      #expect(try record("./exchange 8 5000", in: program, file: "x.alloc").status == 0)
      let result = try program.run("import --app x --strict x.alloc -o x.csv")
      #expect(result.status == 0, "\(result.error)")
      #expect(!result.error.contains("error"))
      // 8 × 5000 rounds, each with at least one call that a trace knows.
      let rows = try program.text("x.csv").split(separator: "\n")
      #expect(rows.count > 40_000)
      // Threads have ended in front of everybody.
      #expect(
        try program.text("x.alloc").split(separator: "\n").count { $0.contains("thread_done") } == 8
      )
      let taken = rows.count { $0.contains(",alloc,") }
      let given = rows.count { $0.contains(",free,") }
      #expect(taken - given < 10, "what the C library keeps")
    }

    @Test("Every process writes a file of its own, and nothing of it is lost whatever ends it")
    func lives() throws {
      let program = try folder(with: "lives")
      func clear() throws {
        for name in try recordings(program) {
          try FileManager.default.removeItem(at: program.directory.appendingPathComponent(name))
        }
      }
      try record("./lives fork", in: program)
      #expect(try blocks(of: 1001, in: program) == [3])
      #expect(try blocks(of: 2002, in: program) == [5])
      #expect(try recordings(program).count == 2)
      try clear()
      try record("./lives exec", in: program)
      #expect(try blocks(of: 1001, in: program) == [3])
      #expect(try blocks(of: 3003, in: program) == [7])
      let names = try recordings(program)
      #expect(names.count == 2)
      #expect(names[1] == names[0] + ".1", "nothing is overwritten")
      for end in ["kill", "abort", "_exit", "close", "vfork"] {
        try clear()
        try record("./lives \(end)", in: program)
        #expect(try blocks(of: 4004, in: program) == [11], "\(end)")
        for name in try recordings(program) {
          let result = try program.run(["import", "--app", "x", "--strict", name, "-o", "x.csv"])
          #expect(result.status == 0, "\(end): \(result.error)")
        }
      }
      #expect(try program.text("own.txt") == "mine", "files of the program are left alone")
      try clear()
      try record("./lives late", in: program)
      #expect(try blocks(of: 6006, in: program) == [26], "destructors of threads are recorded")
    }

    @Test("Signals that interrupt the recorder do it no harm")
    func signals() throws {
      let program = try folder(with: "lives")
      let result = try record("./lives signal", in: program, file: "x.alloc")
      #expect(result.status == 0)
      #expect(try blocks(of: 5005, in: program) == [20_000])
      let imported = try program.run("import --app x x.alloc -o x.csv -q")
      #expect(imported.status == 0)
    }

    @Test("Lines tell the time where the clock was read: the first does, and with a fine clock all")
    func times() throws {
      let program = try folder(with: "lives", options: "-no-pie")
      func wordCounts(_ clock: String) throws -> [Int] {
        let result = try Shell.run(
          "LD_PRELOAD=./r.so exec ./lives signal", in: program,
          environment: ["JETTISON_RECORD_FILE": "\(clock).alloc", "JETTISON_RECORD_CLOCK": clock])
        #expect(result.status == 0)
        let imported = try program.run("import --app x --strict \(clock).alloc -o x.csv -q")
        #expect(imported.status == 0, "\(imported.error)")
        return try program.text("\(clock).alloc").split(separator: "\n").compactMap { line in
          let words = line.split(separator: " ")
          return isMalloc(line, of: 5005) || words[1] == "free" ? words.count - 3 : nil
        }
      }
      // What follows the address: the size of a malloc, and two times.
      let fine = try wordCounts("fine")
      #expect(fine.count >= 40_000 && fine.allSatisfy { $0 >= 2 })
      let coarse = try wordCounts("coarse")
      let told = coarse.count { $0 >= 2 }
      #expect(told >= coarse.count / 32 && told <= coarse.count / 4)
      let first = try program.text("coarse.alloc").split(separator: "\n")[0].split(separator: " ")
      #expect(first.count >= 5 && first[first.count - 1] == first[first.count - 2])
    }

    @Test("A path that cannot be written is reported once, and the program goes on")
    func unwritable() throws {
      let program = try folder(with: "lives")
      let result = try record("./lives late", in: program, file: "missing/x.alloc")
      #expect(result.status == 0)
      #expect(
        result.error
          == "jettison-recorder: the file to record to cannot be created: No such file or "
          + "directory; the program goes on unrecorded\n")
      // A limit of some KiB stands for a full disk: less than the first step of the file.
      let limited = try Shell.run(
        "ulimit -f 16; LD_PRELOAD=./r.so exec ./lives late", in: program,
        environment: ["JETTISON_RECORD_FILE": "x.alloc"])
      #expect(limited.status == 0)
      #expect(limited.error.contains("the file cannot grow: File too large; the program goes on"))
    }

    @Test(
      "Requested bytes are what the program's own jemalloc says, to the byte",
      .enabled(if: FileManager.default.fileExists(atPath: "/usr/include/jemalloc/jemalloc.h")))
    func jemalloc() throws {
      let program = try folder(with: "sizes", options: "-ljemalloc")
      let result = try record("./sizes", in: program, file: "x.alloc")
      #expect(result.status == 0)
      var told: [Substring: Int] = [:]
      for line in result.error.split(separator: "\n") {
        let words = line.split(separator: " ")
        told[words[0]] = Int(words[1])
      }
      let requested = try #require(told["requested"])
      #expect(told["allocated"] == requested, "sizes that jemalloc does not round")
      let total = try #require(told["total"])
      try program.run("import --app x --strict x.alloc -o x.csv -q")
      try program.run("replay x.csv --device iphone-4 --csv reports -q")
      let summary = try program.text("reports/summary.csv").split(separator: "\n")
        .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      let column = try #require(summary[0].firstIndex(of: "requested_bytes_peak"))
      let replayed = try #require(Int(summary[1][column]))
      // Beside the program's own requests there is what its C and C++ libraries ask for before it
      // begins: few blocks, which jemalloc rounds up by less than a quarter.
      let libraries = replayed - requested
      let rounded = total - requested
      #expect(libraries >= 0 && libraries <= rounded)
      #expect(rounded <= libraries + libraries / 4)
    }
  }
#endif
