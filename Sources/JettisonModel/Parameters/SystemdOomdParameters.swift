/// Parameters of `systemd-oomd`.
public struct SystemdOomdParameters: Sendable, Equatable {
  /// `SwapUsedLimit=`, in percent.
  public var swapUsedPercent: Double = 90
  /// `DefaultMemoryPressureLimit=`, in percent.
  public var pressurePercent: Double = 60
  /// `DefaultMemoryPressureDurationSec=`, in nanoseconds.
  public var pressureDurationNanoseconds: Int64 = 30_000_000_000
  /// Control groups with `ManagedOOMSwap=kill`, as a comma list of patterns (assumed: all).
  public var swapUnits: String = "/"
  /// Control groups with `ManagedOOMMemoryPressure=kill`, as a comma list of patterns (assumed).
  public var pressureUnits: String = "user.slice"

  /// The defaults.
  public init() {}

  package static let parameters: [ModelParameter] = [
    ModelParameter(
      "systemd-oomd.swap-used", "Swap and memory in use above which the largest swapper goes.",
      .percent(\.linux.systemdOomd.swapUsedPercent)),
    ModelParameter(
      "systemd-oomd.pressure", "Full memory pressure over 10 s above which it kills.",
      .percent(\.linux.systemdOomd.pressurePercent)),
    ModelParameter(
      "systemd-oomd.pressure-duration", "How long pressure must stay above.",
      .duration(\.linux.systemdOomd.pressureDurationNanoseconds)),
    ModelParameter(
      "systemd-oomd.swap-units",
      "Control groups with ManagedOOMSwap=kill, patterns joined by ',' (assumed).",
      .text(\.linux.systemdOomd.swapUnits)),
    ModelParameter(
      "systemd-oomd.pressure-units",
      "Control groups with ManagedOOMMemoryPressure=kill, patterns joined by ',' (assumed).",
      .text(\.linux.systemdOomd.pressureUnits)),
  ]
}
