internal import JettisonCore
internal import JettisonExperiments

/// The options that say what the header of a trace names, of commands that write one.
enum HeaderOptions {
  /// Refuses what no replay could use, before a recording begins or a capture is read.
  static func check(device: String?, user: String?) throws(ExperimentError) {
    do throws(ConfigurationError) {
      if let device { _ = try DeviceTable.device(named: device) }
    } catch {
      throw .value("--device", error)
    }
    if user == "" {
      throw .value(
        "--user", .invalid(what: "name", text: "", remedy: "name the user, or leave it out"))
    }
  }
}
