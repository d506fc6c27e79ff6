import Foundation
import JettisonSupport
import Testing

@Suite("Files that appear when they are whole")
struct AtomicFileTests {
  @Test(
    "A disk in memory is a disk, though its folder is in /dev",
    .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm")))
  func sharedMemory() throws {
    let folder = URL(fileURLWithPath: "/dev/shm/jettison-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = folder.appendingPathComponent("report.csv")
    try Data("old".utf8).write(to: place)

    do {
      let dropped = try AtomicFile(path: place.path)
      try dropped.write("new".utf8Span.span)
    }
    #expect(try text(of: place) == "old")
    var file = try AtomicFile(path: place.path)
    try file.write("new".utf8Span.span)
    #expect(try text(of: place) == "old")
    try file.publish()
    #expect(try text(of: place) == "new")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["report.csv"])
  }

  @Test("What was written to an open descriptor stays, whatever links lead to it")
  func descriptors() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("jettison-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = folder.appendingPathComponent("log")
    try Data("first\n".utf8).write(to: place)
    let descriptor = try FileHandle(forWritingTo: place)
    let name = "/dev/fd/\(descriptor.fileDescriptor)"
    let link = folder.appendingPathComponent("link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: name)

    for (path, line) in [(name, "second\n"), (link, "third\n")] {
      var file = try AtomicFile(path: path)
      let isPlace = file.place != nil
      #expect(!isPlace)
      try file.write(line.utf8Span.span)
      try file.publish()
    }
    #expect(try text(of: place) == "first\nsecond\nthird\n")
  }

  private func text(of file: URL) throws -> String {
    String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }
}
