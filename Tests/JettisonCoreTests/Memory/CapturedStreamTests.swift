import Foundation
import JettisonTestSupport
import Testing

@testable import JettisonCore

/// The allocations of a real process: Android's `systemui`, captured for its allocator benchmarks.
///
/// Found through the environment variable `JETTISON_CAPTURES`, a folder with
/// `alloc/systemui.zip`; unpacked with `unzip`.
@Suite(
  "A captured allocation stream",
  .enabled(if: CapturedStream.isAvailable, "JETTISON_CAPTURES names no folder with the capture"))
struct CapturedStreamTests {
  @Test(
    "The footprints of systemui agree with a plain replay in C",
    .enabled(if: ArenaPool.pageBytes == 4_096),
    arguments: [(false, 12_259_328), (true, 13_279_232)] as [(Bool, Int64)])
  func peaks(usesThreadCache: Bool, peak: Int64) throws {
    let lines = try CapturedStream.lines()
    var pool = try ArenaPool(usesThreadCache: usesThreadCache)
    // The second life must be as the first.
    for life in 0..<2 {
      let arena = try pool.acquire()
      #expect(try CapturedStream.replay(lines, in: arena) == peak, "life \(life)")
      try pool.checkIdentity()
      if !usesThreadCache {
        #expect(arena.activeBytes == 2_529 * ArenaPool.pageBytes)
        #expect(arena.dirtyBytes == 464 * ArenaPool.pageBytes)
      }
      pool.release(arena)
      #expect(arena.footprintBytes == 0)
    }
  }
}

private enum CapturedStream {
  static var archive: URL? {
    ProcessInfo.processInfo.environment["JETTISON_CAPTURES"].map {
      URL(filePath: $0).appending(path: "alloc/systemui.zip")
    }
  }

  static var isAvailable: Bool {
    archive.map { FileManager.default.fileExists(atPath: $0.path()) } == true
  }

  /// The words of each line: thread, operation, then hexadecimal addresses and decimal sizes.
  static func lines() throws -> [[Substring]] {
    let unzipped = try Command.run(["unzip", "-p", try #require(archive).path()])
    try #require(unzipped.status == 0)
    return unzipped.output.split(separator: "\n").map { $0.split(separator: " ") }
  }

  /// Runs the stream and returns the largest footprint, in bytes.
  static func replay(_ lines: [[Substring]], in arena: Arena) throws -> Int64 {
    var blocks: [Substring: UInt] = [:]
    var peak: Int64 = 0
    for words in lines {
      switch words[1] {
      case "malloc":
        blocks[words[2]] = arena.allocate(bytes: try number(words[3]), alignment: 0)
      case "calloc":
        let bytes = try number(words[3]) * number(words[4])
        blocks[words[2]] = arena.allocate(bytes: bytes, alignment: 0)
      case "memalign":
        blocks[words[2]] = arena.allocate(
          bytes: try number(words[4]), alignment: try number(words[3]))
      case "realloc":
        let bytes = try number(words[4])
        if let old = blocks.removeValue(forKey: words[3]) {
          blocks[words[2]] = arena.reallocate(old, bytes: bytes, alignment: 0)
        } else {
          blocks[words[2]] = arena.allocate(bytes: bytes, alignment: 0)
        }
      case "free":
        if let old = blocks.removeValue(forKey: words[2]) { arena.free(old) }
      default:
        break
      }
      peak = max(peak, arena.footprintBytes)
    }
    return peak
  }

  private static func number(_ text: Substring) throws -> Int64 {
    try #require(Int64(text))
  }
}
