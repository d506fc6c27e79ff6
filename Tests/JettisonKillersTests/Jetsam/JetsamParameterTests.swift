import Testing

@testable import JettisonCore

/// Keys of jetsam's parameters, and what follows from the era.
@Suite("Jetsam parameters") struct JetsamParameterTests {
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
