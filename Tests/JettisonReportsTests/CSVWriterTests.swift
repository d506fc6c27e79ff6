import Foundation
import JettisonCore
import JettisonSupport
import Testing

@testable import JettisonReports

@Suite("CSV fields and files")
struct CSVWriterTests {
  static func encoded(_ cells: ReportCell...) -> String {
    String(decoding: CSVWriter.encoded(cells), as: UTF8.self)
  }

  @Test(
    "Text is quoted only where needed, and never a formula",
    arguments: [
      ("plain", "plain"), ("two words", "two words"), ("a,b", "\"a,b\""),
      ("say \"hi\"", "\"say \"\"hi\"\"\""), ("line\nend", "\"line\nend\""),
      ("=1+1", "'=1+1"), ("+cmd", "'+cmd"), ("-2", "'-2"), ("@SUM(A1)", "'@SUM(A1)"),
      ("\tx", "'\tx"), ("\rx", "\"'\rx\""), ("=a,\"b\"", "\"'=a,\"\"b\"\"\""),
      ("a=b", "a=b"), ("写真", "写真"), ("", ""), ("'x", "'x"),
    ])
  func texts(_ text: String, _ expected: String) {
    #expect(Self.encoded(.text(text)) == expected)
  }

  @Test("Numbers are not text: a minus sign stays as it is")
  func numbers() {
    #expect(
      Self.encoded(.integer(-5), .seconds(-1_500_000_000), .real(-0.25), .empty, .unsigned(.max))
        == "-5,-1.5,-0.25,,18446744073709551615")
  }

  @Test("Any table of texts reads back, apart from the mark before formulas")
  func roundTrip() {
    let alphabet = ["a", ",", "\"", "\n", "\r", "=", " ", "é", "'"]
    var random = SplitMix64(seed: 3)
    for round in 0..<2_000 {
      let texts = (0..<(1 + random.next() % 4)).map { _ in
        (0..<(1 + random.next() % 6)).map { _ in alphabet[Int(random.next() % 9)] }.joined()
      }
      let line = String(
        decoding: CSVWriter.encoded(texts.map { .text($0) }), as: UTF8.self)
      let expected = texts.map { text in
        "=+-@\t\r".unicodeScalars.contains { text.unicodeScalars.first == $0 } ? "'\(text)" : text
      }
      #expect(Self.parsed(line) == expected, "round \(round) of seed 3: \(line)")
    }
  }

  /// Splits one record by the rules of RFC 4180, written apart from the writer.
  static func parsed(_ record: String) -> [String] {
    var fields: [String] = []
    var field = String.UnicodeScalarView()
    var isQuoted = false
    var rest = Array(record.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch (scalar, isQuoted) {
      case ("\"", true) where rest.first == "\"":
        field.append("\"")
        rest.removeFirst()
      case ("\"", _): isQuoted.toggle()
      case (",", false):
        fields.append(String(field))
        field = String.UnicodeScalarView()
      default: field.append(scalar)
      }
    }
    return fields + [String(field)]
  }

  @Test("A file appears under its name when it is whole, not before")
  func publishing() throws {
    let scratch = try Scratch()
    let file = try OutputFile(path: "\(scratch.path)/a.csv")
    #expect(scratch.names.count == 1)
    #expect(!scratch.names.contains("a.csv"))
    try file.write("one\n")
    try file.complete()
    #expect(!scratch.names.contains("a.csv"))
    try file.publish()
    #expect(scratch.names == ["a.csv"])
    #expect(try scratch.text("a.csv") == "one\n")
  }

  @Test("A file that is dropped leaves an older one as it was, and nothing behind")
  func dropping() throws {
    let scratch = try Scratch()
    try "old".write(toFile: "\(scratch.path)/a.csv", atomically: false, encoding: .utf8)
    do {
      let file = try OutputFile(path: "\(scratch.path)/a.csv")
      try file.write("new")
      try file.flush()
    }
    #expect(scratch.names == ["a.csv"])
    #expect(try scratch.text("a.csv") == "old")
  }

  @Test("A full disk is an error with status 74", .enabled(if: fileExists("/dev/full")))
  func fullDisk() throws {
    let descriptor = unsafe open("/dev/full", O_WRONLY)
    defer { close(descriptor) }
    let writer = CSVWriter(OutputFile(descriptor: descriptor, name: "/dev/full"))
    let error = try #require(throws: ReportError.self) {
      for row in 0..<100_000 {
        try writer.write { $0.append(.integer(Int64(row))) }
      }
    }
    #expect(error == .writeFailed(path: "/dev/full", code: ENOSPC))
    #expect(error.exitStatus == 74)
    #expect(
      error.description
        == "/dev/full: writing failed: no space left on device (make room there, or write elsewhere)"
    )
  }

  @Test("A closed pipe is told apart from other errors")
  func closedPipe() throws {
    FileSystem.ignoreBrokenPipes()
    var ends: [Int32] = [0, 0]
    let status = unsafe pipe(&ends)
    try #require(status == 0)
    close(ends[0])
    let file = OutputFile(descriptor: ends[1], name: "standard output")
    defer { close(ends[1]) }
    try file.write("text")
    #expect(throws: ReportError.closedPipe(path: "standard output")) { try file.flush() }
  }

  @Test("A place that cannot be written is found before anything is written")
  func notCreatable() throws {
    let scratch = try Scratch()
    #expect(throws: ReportError.fileNotCreatable(path: scratch.path, code: EISDIR)) {
      try OutputFile(path: scratch.path)
    }
    let missing = "\(scratch.path)/none/a.csv"
    #expect(throws: ReportError.fileNotCreatable(path: missing, code: ENOENT)) {
      try OutputFile(path: missing)
    }
    try "file".write(toFile: "\(scratch.path)/plain", atomically: false, encoding: .utf8)
    let below = "\(scratch.path)/plain/reports"
    let error = try #require(throws: ReportError.self) { try CSVReportSink(directory: below) }
    #expect(error == .directoryNotCreatable(path: below, code: ENOTDIR))
    #expect(error.exitStatus == 73)
  }

  @Test("A directory that the system refuses is an error", .enabled(if: fileExists("/proc/self")))
  func refused() throws {
    let error = try #require(throws: ReportError.self) {
      try CSVReportSink(directory: "/proc/jettison/reports")
    }
    #expect(error.exitStatus == 73)
    #expect(error.description.hasPrefix("/proc/jettison/reports: cannot be made a directory"))
  }

  @Test(
    "A directory without permission is an error with status 73", .enabled(if: getuid() != 0))
  func unwritable() throws {
    let scratch = try Scratch()
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: scratch.path)
    let error = try #require(throws: ReportError.self) {
      try CSVReportSink(directory: scratch.path)
    }
    #expect(error == .fileNotCreatable(path: "\(scratch.path)/runs.csv", code: EACCES))
    #expect(error.exitStatus == 73)
    let inside = "\(scratch.path)/sub/dir"
    #expect(throws: ReportError.directoryNotCreatable(path: inside, code: EACCES)) {
      try CSVReportSink(directory: inside)
    }
  }
}

private func fileExists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
