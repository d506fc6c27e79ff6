/// What a recording sees at one moment.
struct ProcessSnapshot: Sendable {
  /// Nanoseconds since the recording began.
  var timeNanoseconds: Int64 = 0
  /// Ticks since the machine started, for the age of processes.
  var ticks: Int64 = 0
  /// All processes, those that have ended and wait for their parents too.
  var processes: [ProcessStatus] = []
  /// Numbers of the processes in the control group that is followed.
  var group: Set<Int32> = []
  /// How processes ended since the moment before, as `waitpid` says it.
  var exits: [ProcessStatus.Identity: Int32] = [:]
  /// Processes that the system has killed for want of memory since the moment before.
  var memoryKills: Int64 = 0
  /// What the kernel's log tells since the moment before.
  var kernelKills: [KernelKill] = []
  /// Bytes that programs may still ask for (`MemAvailable`, or what the limit of the control group
  /// leaves), and all that the machine has.
  var availableBytes: Int64?
  var totalBytes: Int64?
  /// Microseconds since the machine started for which some tasks have waited for memory, and all.
  var someStallMicroseconds: Int64?
  var fullStallMicroseconds: Int64?
}

/// A footprint as it was measured.
struct MeasuredFootprint: Equatable, Sendable {
  var bytes: Int64
  /// Whether it is a guess, because the system did not tell.
  var isDerived: Bool
  /// `oom_score_adj` of the process at that moment; nil: not known.
  var adjustment: Int64?
}
