/// Parameters of `linux-oom`, `oomd`, `systemd-oomd` and `earlyoom`.
public struct LinuxParameters: Sendable, Equatable {
  /// `vm.oom_kill_allocating_task`: whether the kernel kills whoever asked for memory last.
  public var killsAllocatingTask: Bool = false
  /// File of oomd's configuration in its own JSON; empty: the sample for a desktop.
  public var oomdConfigurationPath: String = ""
  /// What that file says.
  public var oomdConfiguration: OomdConfiguration = .desktop
  /// Time between two ticks of oomd, in nanoseconds; at least 1 ms.
  public var oomdIntervalNanoseconds: Int64 = 5_000_000_000
  /// Parameters of `systemd-oomd`.
  public var systemdOomd = SystemdOomdParameters()
  /// Parameters of `earlyoom`.
  public var earlyoom = EarlyoomParameters()
  /// Whether looks that can decide nothing are made too: results are the same, only later.
  var looksAlways = false

  /// Every default.
  public init() {}

  static let parameters: [ModelParameter] =
    [
      ModelParameter(
        "oom.kill-allocating-task", "Whether the kernel kills whoever asked for memory last.",
        .flag(\.linux.killsAllocatingTask)),
      ModelParameter(
        "oomd.config",
        "File of oomd's configuration in its own JSON; empty: the sample for a desktop.",
        .text(\.linux.oomdConfigurationPath)),
      ModelParameter(
        "oomd.interval", "Time between two ticks of oomd; at least 1 ms.",
        .duration(\.linux.oomdIntervalNanoseconds)),
    ] + SystemdOomdParameters.parameters + EarlyoomParameters.parameters
}
