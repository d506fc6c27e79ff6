package import JettisonCore

extension RunConfiguration {
  /// A textbook cache that holds so many apps of a trace, whatever their sizes.
  package static func cache(ofApps count: Int64, for trace: Trace) throws -> RunConfiguration {
    var configuration = RunConfiguration(
      device: try DeviceTable.device(named: "ideal-cache"), pressure: .idealCache,
      profiles: trace.apps.map { _ in AppProfile() })
    configuration.capacityApps = count
    configuration.footprints = .declared
    return configuration
  }
}
