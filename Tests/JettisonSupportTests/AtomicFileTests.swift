import Foundation
import JettisonSupport
import JettisonTestSupport
import Testing

@Suite("Files that appear when they are whole")
struct AtomicFileTests {
  @Test(
    "A disk in memory is a disk, though its folder is in /dev",
    .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm")))
  func sharedMemory() throws {
    try withScratchFolder(in: URL(filePath: "/dev/shm")) { folder in
      let place = folder.appending(path: "report.csv")
      try writeScratch("old".utf8, to: place)
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
  }

  @Test("What was written to an open descriptor stays, whatever links lead to it")
  func descriptors() throws {
    try withScratchFolder { folder in
      let place = folder.appending(path: "log")
      try writeScratch("first\n".utf8, to: place)
      let descriptor = try FileHandle(forWritingTo: place)
      let name = "/dev/fd/\(descriptor.fileDescriptor)"
      let link = folder.appending(path: "link").path
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
  }

  private func text(of file: URL) throws -> String {
    String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }
}
