import Foundation
import JettisonCore
import JettisonTestSupport
import JettisonTraces
import Testing

@Suite("Files")
struct FileTests {
  static func inFolder(_ body: (String) throws -> Void) throws {
    try withScratchFolder { try body($0.path) }
  }

  static func failure(_ body: () throws -> Void) -> TraceError? {
    #expect(throws: TraceError.self) { try body() }
  }

  @Test("Missing files, directories and unknown contents have their exit statuses")
  func loadFailures() throws {
    try Self.inFolder { folder in
      let missing = Self.failure { _ = try TraceLoader.load("\(folder)/none.csv") }
      #expect(missing?.exitStatus == 66)
      #expect(missing?.what == "cannot be read: No such file or directory")
      #expect(Self.failure { _ = try TraceLoader.load(folder) }?.exitStatus == 64)
      let cases: [([UInt8], String)] = [
        ([], "is empty (a trace begins with '# jettison-trace: 1')"),
        ([0x1F, 0x8B, 0x08], "is compressed (decompress it, or pipe 'gzip -dc' into '-')"),
        (
          [0xFF, 0xFE, 0x61, 0, 0x0A, 0],
          "is text in UTF-16, which is not read (save it as UTF-8; in PowerShell, pipe the command into 'Out-File -Encoding utf8')"
        ),
        (
          Array("a,b\n1,2\n".utf8),
          "is not a trace (the first line is exactly '# jettison-trace: 1'; a capture that is not recognised needs `TraceLoader.load(format:)`)"
        ),
      ]
      for (bytes, expected) in cases {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/t.csv"))
        let error = Self.failure { _ = try TraceLoader.load("\(folder)/t.csv") }
        #expect(error?.exitStatus == 65)
        #expect(error?.description.hasSuffix(expected) == true, "\(error?.description ?? "")")
      }
    }
    #expect(throws: ConfigurationError.self) { try TraceFormats.native.named("jettisn") }
    #expect(try TraceFormats.native.named("jtrace").name == "jtrace")
  }

  @Test(
    "A trace is called after its file, without folders and extensions",
    arguments: [
      ("traces/lost-draft.csv", "lost-draft"), ("a.jettison.csv", "a"), ("x.jtrace", "x"),
      ("v1.2.csv", "v1.2"), (".csv", ".csv"), ("/a/b/plain", "plain"), ("u.trace", "u"),
    ])
  func traceNames(path: String, name: String) {
    #expect(TraceFormats.native.traceName(of: path) == name)
  }

  @Test("A pipe is read like a file, in text and in binary, and detected by content")
  func readsPipes() throws {
    let trace = try TraceFixtures.everyEvent.trace()
    for bytes in [Array(TraceFixtures.everyEvent.text.utf8), try RoundTripTests.binary(trace)] {
      let pipe = Pipe()
      // Smaller than the buffer of a pipe, so that nobody needs to read meanwhile.
      #expect(bytes.count < 16_000)
      try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
      try pipe.fileHandleForWriting.close()
      let input = try TraceInput(
        descriptor: dup(pipe.fileHandleForReading.fileDescriptor), displayName: "<stdin>",
        path: nil)
      #expect(input.isStream)
      let read = try TraceLoader.load(input)
      #expect(read.contentHash == trace.contentHash)
      #expect(read.name == "stdin")
    }
  }

  @Test("A file is written as a whole or not at all, in the form of its name")
  func writesFiles() throws {
    let trace = try TraceFixtures.everyEvent.trace()
    try Self.inFolder { folder in
      try TraceWriter.write(trace, to: "\(folder)/a.jtrace")
      try TraceWriter.write(trace, to: "\(folder)/a.csv")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(names == ["a.csv", "a.jtrace"])
      #expect(try TraceLoader.load("\(folder)/a.csv").contentHash == trace.contentHash)
      #expect(try TraceLoader.load("\(folder)/a.jtrace").contentHash == trace.contentHash)
      do {
        var sink = try ByteSink(path: "\(folder)/b.csv")
        try sink.append("half")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
      #expect(
        Self.failure { try TraceWriter.write(trace, to: "\(folder)/no/a.csv") }?.exitStatus == 73)
      #expect(Self.failure { try TraceWriter.write(trace, to: folder) }?.exitStatus == 64)
    }
  }

  @Test(
    "Writing that fails part-way has status 74",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullDevice() throws {
    let trace = try TraceFixtures.everyEvent.trace()
    #expect(Self.failure { try TraceWriter.write(trace, to: "/dev/full") }?.exitStatus == 74)
  }

  @Test("The header's side file, its apps block and a named catalog come in this order")
  func catalogOrder() throws {
    try Self.inFolder { folder in
      let text = TraceText().header("catalog: side.yaml")
        .header("apps: {b: {category: maps}, c: {category: maps}}").row(0, "a", "launch").text
      for (name, content) in [
        ("t.csv", text), ("cli.yaml", "c: {category: browser}"),
        ("side.yaml", "a: {category: music}\nb: {category: music}\nc: {category: music}"),
      ] {
        try Data(content.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      }
      let trace = try TraceLoader.load("\(folder)/t.csv")
      var catalog = try Catalog(for: trace, at: "\(folder)/t.csv")
      catalog.merge(try Catalog(contentsOf: "\(folder)/cli.yaml"))
      #expect(catalog["a"]?.category == .music)
      #expect(catalog["b"]?.category == .maps)
      #expect(catalog["c"]?.category == .browser)
      try FileManager.default.removeItem(atPath: "\(folder)/side.yaml")
      let error = Self.failure { _ = try Catalog(for: trace, at: "\(folder)/t.csv") }
      #expect(error?.exitStatus == 66)
    }
  }

  @Test("A header that cannot be read back is refused when the trace is made")
  func badHeader() throws {
    var header = TraceHeader(user: "u")
    header.appsYAML = "a: {category: nonsense}"
    #expect(throws: TraceError.self) { try Self.finish(header) }
    header.appsYAML = "b:\n  category: notes\na: {}"
    header.start = "yesterday"
    #expect(throws: TraceError.self) { try Self.finish(header) }
    header.start = "2011-04-18T11:00:00Z"
    let trace = try Self.finish(header)
    #expect(trace.header.appsYAML == "a: {}\nb: {category: notes}")
  }

  private static func finish(_ header: TraceHeader) throws -> Trace {
    var builder = try TraceBuilder()
    try builder.append(.home, time: 0)
    return try builder.finish(name: "t", header: header, file: "t.log")
  }
}
