import Foundation
import Testing

@testable import JettisonCore

/// Parameters of jetsam and what the documentation says of them.
@Suite("Jetsam parameters") struct JetsamParameterTests {
  private static func article() throws -> String {
    let folder = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(
      contentsOf: folder.appending(path: "Sources/JettisonCore/JettisonCore.docc/JetsamModel.md"),
      encoding: .utf8)
  }

  @Test("The article lists every parameter with its sentence, and no other")
  func documented() throws {
    let rows = try Self.article().split(separator: "\n").filter { $0.hasPrefix("| `jetsam.") }
    #expect(rows.count == JetsamParameters.parameters.count)
    for (row, parameter) in zip(rows, JetsamParameters.parameters) {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells[0] == "`\(parameter.key)`")
      #expect(cells[2].hasPrefix(parameter.summary.dropLast()), "\(parameter.key)")
      #expect((cells[1] == "auto") == parameter.place.followsFromDevice, "\(parameter.key)")
    }
  }

  @Test("Keys are unique and begin with the family's name")
  func keys() {
    let keys = JetsamParameters.parameters.map(\.key)
    #expect(Set(keys).count == keys.count)
    #expect(keys.allSatisfy { $0.hasPrefix("jetsam.") })
    #expect(
      JetsamParameters.parameters.allSatisfy { $0.summary.hasSuffix(".") && !$0.key.contains("_") })
  }

  @Test("Devices from iOS 7 on compress, older ones do not")
  func compression() {
    for device in DeviceTable.all {
      let compresses =
        switch device.era {
        case .ios7, .ios12, .ios14, .ios17, .ios18: true
        default: false
        }
      #expect((device.compression != nil) == compresses, "\(device.name)")
    }
  }
}

extension ModelParameter.Place {
  /// Whether nil means that the value follows from the device.
  fileprivate var followsFromDevice: Bool {
    switch self {
    case .optionalPercent, .optionalCount, .optionalBytes, .optionalFlag, .optionalDuration: true
    default: false
    }
  }
}
