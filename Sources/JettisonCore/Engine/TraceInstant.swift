/// Where in its trace a run is, and what the rows around tell.
struct TraceInstant: BitwiseCopyable {
  /// When an event of the trace was last applied: timers due at that instant have run.
  var eventTime: Int64 = -1
  /// Position of that event in the trace.
  var position = 0
  /// When the next event of the trace is due, while timers before it run.
  var horizon: Int64 = -1
  /// What the newest launch asks for at its own instant.
  var demand = LaunchDemand(end: -1)
  /// Detail of the captured save bound to the leave that the current event is; negative: none.
  var boundSave: Int64 = -1
  /// When an unlock ends the lock that the current event may be, by the trace; negative: never.
  var unlockTime: Int64 = -1
  /// Whether the current `save` row was applied at its leave.
  var isBoundSaveRow = false
}

/// Memory rows that follow a launch at the same instant: they belong to its demand.
struct LaunchDemand: BitwiseCopyable {
  /// Position of the last of them, or of the launch: nothing is settled before it.
  var end: Int
  /// The launched app's newest sample at that instant, in bytes; negative: none.
  var sampleBytes: Int64 = -1
  var hasMemoryRows = false
}
