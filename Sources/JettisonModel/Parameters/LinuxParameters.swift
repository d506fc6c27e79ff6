/// Parameters of `linux-oom`, `oomd`, `systemd-oomd` and `earlyoom`.
public struct LinuxParameters: Sendable, Equatable {
  /// `vm.oom_kill_allocating_task`: whether the kernel kills the app that asked for memory last.
  public var killsAllocatingTask: Bool = false
  /// Control groups with `memory.oom.group`, as a comma list of patterns: they end as a whole.
  public var wholeGroups: String = ""
  /// Part of its own points that root's process is spared, in percent: 3 before Linux 4.17.
  public var rootBonusPointsPercent: Double = 0
  /// Part of RAM and swap that root's process is spared, in percent: 3 in about Linux 3.8.
  public var rootBonusTotalPercent: Double = 0
  /// Bytes of page table that a resident page takes: one entry of 8 bytes; 0 where footprints hold
  /// the page tables already, as those of kernel reports do.
  public var pageTableBytesPerPage: Int64 = 8
  /// What `oom_score_adj` is thousandths of, in bytes: the limit of a control group, where the
  /// processes of one are looked at; 0: RAM and swap.
  public var totalBytes: Int64 = 0
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
  /// Whether polls that can decide nothing are made too: results are the same, only later.
  package var pollsAlways = false

  /// Every default.
  public init() {}

  package static let parameters: [ModelParameter] =
    [
      ModelParameter(
        "oom.kill-allocating-task", "Whether the kernel kills the app that asked for memory last.",
        .flag(\.linux.killsAllocatingTask)),
      ModelParameter(
        "oom.groups",
        "Control groups with memory.oom.group, patterns joined by ',': they end as a whole.",
        .text(\.linux.wholeGroups)),
      ModelParameter(
        "oom.root-bonus-points",
        "Part of its own points that root's process is spared; 3 % before Linux 4.17.",
        .percent(\.linux.rootBonusPointsPercent)),
      ModelParameter(
        "oom.root-bonus-total",
        "Part of RAM and swap that root's process is spared; 3 % in about Linux 3.8.",
        .percent(\.linux.rootBonusTotalPercent)),
      ModelParameter(
        "oom.page-table-bytes",
        "Page table per resident page; 0 where footprints hold the page tables already.",
        .bytes(\.linux.pageTableBytesPerPage)),
      ModelParameter(
        "oom.total",
        "What adj is thousandths of, such as a control group's limit; 0: RAM and swap.",
        .bytes(\.linux.totalBytes)),
      ModelParameter(
        "oomd.config",
        "File of oomd's configuration in its own JSON; empty: the sample for a desktop.",
        .text(\.linux.oomdConfigurationPath)),
      ModelParameter(
        "oomd.interval", "Time between two ticks of oomd; at least 1 ms.",
        .duration(\.linux.oomdIntervalNanoseconds)),
    ] + SystemdOomdParameters.parameters + EarlyoomParameters.parameters
}
