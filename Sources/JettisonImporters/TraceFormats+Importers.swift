public import JettisonTraces

extension TraceFormats {
  /// Every format of ours: trace format 1, and captures of phones, computers and their programs.
  public static let all = native.adding(
    [
      .digitalWellbeing,
      .powerLog,
      .perfetto,
      .memoryReplay,
      .heaptrack,
      .mallocRep,
      .lsapp,
      .jetsamReport,
      .processSamples,
      .androidBugreport,
      .usageStats,
      .androidLogcat,
      .kernelOOM,
      .killerJournal,
      .appUsage,
      .table,
    ],
    containers: [.sqlite])
}
