public import JettisonTraces

extension TraceFormats {
  /// Every format of ours: trace format 1, and captures of phones, computers and their programs.
  ///
  /// A folder stands for its traces, not for captures that lie there: those are named one by one.
  public static let all = TraceFormats(
    native.list + [
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
    containers: [.sqlite], folderEndings: native.folderEndings)
}
