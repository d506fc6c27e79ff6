#if os(Linux)
  import Foundation
  import JettisonModel
  import JettisonRecording
  import JettisonTestSupport
  import JettisonTraces
  import Testing

  /// The sample of the module's page, which `RecordProgram.swift` beside this file holds, and what
  /// recordings from Swift refuse.
  @Suite("Recording from Swift")
  struct RecordingArticleTests {
    @Test("The sample of the page is the one that is tested")
    func sample() throws {
      let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      let code = try String(
        contentsOf: folder.appendingPathComponent("RecordProgram.swift"), encoding: .utf8)
      let page = try String(
        contentsOf: folder.appendingPathComponent(
          "../../../Sources/JettisonRecording/JettisonRecording.docc/JettisonRecording.md"),
        encoding: .utf8)
      #expect(page.contains("```swift\n\(code)```"))
    }

    @Test("It follows a program that runs, and signals mean what they did before")
    func recording() throws {
      try withScratchFolder { folder in
        // A name that no other process of this machine has; longer ones are cut by the kernel.
        let program = folder.appendingPathComponent("jet\(getpid())")
        try FileManager.default.createSymbolicLink(
          at: program, withDestinationURL: URL(filePath: "/bin/sleep"))
        let process = Process()
        process.executableURL = program
        process.arguments = ["60"]
        try process.run()
        defer { process.terminate() }
        let file = folder.appendingPathComponent("sleep.csv").path
        let former = Self.handlers
        let apps = try record(program.lastPathComponent, to: file, seconds: 0.25)
        #expect(Self.handlers == former)
        #expect(apps == [program.lastPathComponent])
        let trace = try TraceLoader.load(file)
        #expect(trace.apps == apps)
      }
    }

    /// What `SIGINT` and `SIGTERM` do, as addresses.
    private static var handlers: [Int] {
      [SIGINT, SIGTERM].map { number in
        var action = sigaction()
        unsafe sigaction(number, nil, &action)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      }
    }

    @Test(
      "What cannot be recorded is refused before a file is made",
      arguments: [
        ("selection", { @Sendable (_: inout RecordingOptions) in }),
        (
          "intervalNanoseconds",
          {
            $0.group = "/"; $0.intervalNanoseconds = 0
          }
        ),
        (
          "intervalNanoseconds",
          {
            $0.group = "/"; $0.intervalNanoseconds = .max
          }
        ),
        (
          "durationNanoseconds",
          {
            $0.group = "/"; $0.durationNanoseconds = -1
          }
        ),
        (
          "RecordingOptions.user",
          {
            $0.group = "/"; $0.user = ""
          }
        ),
        (
          "RecordingOptions.device",
          {
            $0.group = "/"; $0.device = ""
          }
        ),
        ("ProcessSelection.numbers", { $0.selection.numbers = [-5] }),
      ] as [(String, @Sendable (inout RecordingOptions) -> Void)])
    func refuses(place: String, change: @Sendable (inout RecordingOptions) -> Void) throws {
      try withScratchFolder { folder in
        var options = RecordingOptions()
        change(&options)
        let file = folder.appendingPathComponent("none.csv").path
        do throws(TraceError) {
          _ = try ProcessRecorder.record(to: file, options)
          Issue.record("\(place) was taken")
        } catch {
          #expect(error.file.contains(place), "\(error)")
          #expect(!error.remedy.isEmpty)
        }
        #expect(!FileManager.default.fileExists(atPath: file))
      }
    }
  }
#endif
