import Foundation
import JettisonCore
import JettisonImporters
import JettisonTestSupport
import JettisonTraces
import Testing

/// Reads bytes as a capture in a file of the given name.
func load(
  _ bytes: some Sequence<UInt8>, as format: TraceFormat? = nil, file name: String = "capture.txt",
  options: ImportOptions = ImportOptions()
) throws -> Trace {
  try withScratchFolder { folder in
    let file = folder.appendingPathComponent(name)
    try writeScratch(bytes, to: file)
    return try TraceLoader.load(
      file.path, format: format, formats: .all, options: options)
  }
}

/// Lends the path of a file with a text.
func withFile<Result>(
  _ text: String, named name: String, _ body: (String) throws -> Result
) throws -> Result {
  try withScratchFolder { folder in
    let file = folder.appendingPathComponent(name)
    try writeScratch(text.utf8, to: file)
    return try body(file.path)
  }
}

/// Lends a text as an input that can be read once.
func withPiped<Result>(_ text: String, _ body: (TraceInput) throws -> Result) throws -> Result {
  try withFile(text, named: "piped") { path in try withPiped(["cat", path], body) }
}

/// Lends the output of a command as an input that can be read once.
func withPiped<Result>(
  _ command: [String], _ body: (TraceInput) throws -> Result
) throws -> Result {
  let (running, output) = try Command.piped(command)
  // What is not read of the output ends with the command.
  defer {
    try? output.close()
    running.end(by: SIGTERM)
  }
  return try body(
    try TraceInput(
      descriptor: dup(output.fileDescriptor), displayName: "<stdin>", path: nil, formats: .all))
}

/// Reads the output of a command as a capture.
func loadPiped(_ command: [String]) throws -> Trace {
  try withPiped(command) { try TraceLoader.load($0) }
}

/// The largest sum of requested bytes of all live blocks, and the one at the end.
func requestedBytes(_ trace: Trace) -> (peak: Int64, atEnd: Int64, liveBlocks: Int) {
  var sizes = [Int64](repeating: -1, count: trace.blockSlotCount)
  var requested: Int64 = 0
  var peak: Int64 = 0
  trace.events.withEvents { events in
    for position in 0..<events.count {
      let event = events[position]
      guard [.alloc, .realloc, .free].contains(event.kind) else { continue }
      let slot = Int(event.slot)
      requested -= max(0, sizes[slot])
      sizes[slot] = event.kind == .free ? -1 : event.value
      requested += max(0, sizes[slot])
      peak = max(peak, requested)
    }
  }
  return (peak, requested, sizes.count { $0 >= 0 })
}

/// Reads a text as a capture in a file of the given name.
func load(
  _ text: String, as format: TraceFormat? = nil, file name: String = "capture.txt",
  options: ImportOptions = ImportOptions()
) throws -> Trace {
  try load(Array(text.utf8), as: format, file: name, options: options)
}

/// Writes a trace as text and as its binary twin, reads both, and expects the same trace.
func checkRoundTrip(_ trace: Trace) throws {
  try withScratchFolder { folder in
    for suffix in ["csv", "jtrace"] {
      let path = folder.appendingPathComponent("\(trace.name).\(suffix)").path
      try TraceWriter.write(trace, to: path)
      let back = try TraceLoader.load(path, formats: .all)
      #expect(back.header == trace.header)
      #expect(back.contentHash == trace.contentHash)
      #expect(back.apps == trace.apps)
      #expect(summary(back) == summary(trace))
    }
  }
}

/// Cuts a fixture after every byte and changes bytes at random: a reader may refuse with a
/// ``TraceError`` or count issues, and nothing else.
func checkDamage(
  _ fixture: String, as format: TraceFormat, options: ImportOptions = ImportOptions(),
  seed: UInt64 = 7, mutations: Int = 600
) throws {
  let bytes = Array(fixture.utf8)
  func read(_ bytes: [UInt8], _ what: String) {
    do {
      _ = try load(bytes, as: format, options: options)
    } catch is TraceError {
      // Refused with a place and a reason: that is what is asked for.
    } catch {
      Issue.record("\(what): \(error)")
    }
  }
  // A reader that refuses everything would pass what follows.
  let whole = try load(bytes, as: format, options: options)
  #expect(whole.events.count > 1, "what is not damaged is read")
  for length in 0..<bytes.count { read(Array(bytes.prefix(length)), "cut at \(length)") }
  var random = SplitMix64(seed: seed)
  for flip in 0..<mutations / 2 {
    var damaged = bytes
    damaged[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(random.next() % 8)
    read(damaged, "flipped bit \(flip) of seed \(seed)")
  }
  for mutation in 0..<mutations {
    var damaged = bytes
    for _ in 0...Int(random.next() % 4) {
      damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
    }
    read(damaged, "mutation \(mutation) of seed \(seed)")
  }
}

/// Captures that are no part of the package, in the folder that `JETTISON_CAPTURES` names.
enum Captures {
  static let folder = ProcessInfo.processInfo.environment["JETTISON_CAPTURES"]

  static func has(_ path: String) -> Bool {
    folder.map { FileManager.default.fileExists(atPath: "\($0)/\(path)") } ?? false
  }
}
