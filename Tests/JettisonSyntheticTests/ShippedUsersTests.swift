import Foundation
import JettisonCore
import Testing

@testable import JettisonSynthetic
@testable import JettisonTraces

/// The users in `traces/` are what one command each makes, byte for byte.
@Suite("Shipped users")
struct ShippedUsersTests {
  struct Folder: Sendable, CustomTestStringConvertible {
    let name: String
    let device: String
    let seed: UInt64
    var testDescription: String { name }
  }

  /// The folders, and the options that `traces/README.md` tells.
  static let folders = [
    Folder(name: "users-2010", device: "iphone-3gs", seed: 958),
    Folder(name: "users-today", device: "iphone-xr", seed: 567),
  ]

  private static let traces = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../traces").standardizedFileURL

  @Test("Twelve users are made again", arguments: folders)
  func regenerated(folder: Folder) throws {
    let path = Self.traces.appendingPathComponent(folder.name)
    let names = try FileManager.default.contentsOfDirectory(atPath: path.path).sorted()
    #expect(names.count == 12)
    let device = try DeviceTable.device(named: folder.device)
    for user in 0..<12 {
      let trace = try SyntheticUsers.generate(
        user: user, days: 7, seed: folder.seed,
        population: SyntheticPopulation(having: device), device: folder.device)
      let name = "\(trace.name).csv"
      #expect(names[user] == name)
      let shipped = try Data(contentsOf: path.appendingPathComponent(name))
      var sink = ByteSink()
      try TextTraceWriter.write(trace, to: &sink)
      #expect(sink.collected == Array(shipped), "\(name)")
    }
  }

  @Test("The folder's command is documented", arguments: folders)
  func command(folder: Folder) throws {
    let readme = try String(
      contentsOf: Self.traces.appendingPathComponent("README.md"), encoding: .utf8)
    let command =
      "jettison generate --users 12 --days 7 --seed \(folder.seed) --device \(folder.device) "
      + "-o traces/\(folder.name)"
    #expect(readme.contains(command))
  }

  @Test("Both folders together stay small")
  func size() throws {
    var bytes = 0
    for folder in Self.folders {
      let path = Self.traces.appendingPathComponent(folder.name)
      for name in try FileManager.default.contentsOfDirectory(atPath: path.path) {
        bytes += try Data(contentsOf: path.appendingPathComponent(name)).count
      }
    }
    #expect(bytes < 4_000_000)
  }
}
