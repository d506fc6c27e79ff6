import Foundation
import JettisonCore
import Testing

@testable import JettisonReports

@Suite("Parts of a file that several runs share")
struct OutputPartTests {
  /// More than a part keeps in memory.
  private static let large = 300_000

  private static func part(
    _ bytes: [UInt8], _ name: String, in scratch: Scratch, _ memory: PartMemory
  ) throws -> OutputPart {
    let file = OutputFile(partOf: "\(scratch.path)/\(name)", in: memory)
    try file.write(bytes)
    return try #require(try file.handOver())
  }

  @Test("A small part makes no file, a large one does until its turn has come")
  func places() throws {
    let scratch = try Scratch()
    let memory = PartMemory()
    let small = try Self.part(Array("small".utf8), "all.part0", in: scratch, memory)
    #expect(scratch.names.isEmpty)
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: Self.large)
    let large = try Self.part(bytes, "all.part1", in: scratch, memory)
    #expect(scratch.names.count == 1 && scratch.names[0].hasPrefix(".all.part1."))
    let all = try OutputFile(path: "\(scratch.path)/all")
    for part in [small, large] {
      try all.append(part)
      part.discard()
      // Whoever made it may still hold it; nothing of it is left.
      try all.append(part)
    }
    try all.complete()
    try all.publish()
    #expect(scratch.names == ["all"])
    #expect(
      try Data(contentsOf: URL(filePath: "\(scratch.path)/all")) == Data("small".utf8 + bytes))
  }

  @Test("Where parts fill the memory that is theirs, files take the rest, until some are gone")
  func fullMemory() throws {
    let scratch = try Scratch()
    let memory = PartMemory(bytes: 10)
    var first: OutputPart? = try Self.part(Array("sixsix".utf8), "a", in: scratch, memory)
    let second = try Self.part(Array("fiver".utf8), "b", in: scratch, memory)
    #expect(scratch.names.count == 1 && scratch.names[0].hasPrefix(".b."))
    withExtendedLifetime(first) {}
    first = nil
    let third = try Self.part(Array("fiver".utf8), "c", in: scratch, memory)
    #expect(scratch.names.count == 1)
    withExtendedLifetime((second, third)) {}
  }

  @Test("Joined parts are what was written, whatever their sizes and the memory", arguments: 0..<8)
  func joined(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let scratch = try Scratch()
    let memory = PartMemory(bytes: Int(random.next() % 600_000))
    let all = try OutputFile(path: "\(scratch.path)/all")
    var expected: [UInt8] = []
    var parts: [OutputPart] = []
    for number in 0..<12 {
      let file = OutputFile(partOf: "\(scratch.path)/all.part\(number)", in: memory)
      for _ in 0..<random.next() % 5 {
        let bytes = [UInt8](
          repeating: UInt8(random.next() % 256), count: Int(random.next() % 150_000))
        try file.write(bytes)
        expected += bytes
      }
      parts.append(try #require(try file.handOver()))
    }
    for part in parts {
      try all.append(part)
      part.discard()
    }
    try all.complete()
    try all.publish()
    #expect(scratch.names == ["all"], "seed \(seed)")
    #expect(
      try Data(contentsOf: URL(filePath: "\(scratch.path)/all")) == Data(expected), "seed \(seed)")
  }

  @Test("A part that cannot be kept anywhere is an error with the name of its file")
  func nowhere() throws {
    let file = OutputFile(partOf: "/nowhere/at/all.part0", in: PartMemory())
    let error = #expect(throws: ReportError.self) {
      try file.write([UInt8](repeating: 0, count: Self.large))
    }
    #expect(error == .fileNotCreatable(path: "/nowhere/at/all.part0", code: ENOENT))
  }
}
