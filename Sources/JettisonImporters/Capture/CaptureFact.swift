public import JettisonModel

/// One life of one process of a capture: from its start, or the capture's, to its end.
public struct CaptureProcess: Hashable, Sendable, BitwiseCopyable {
  let number: UInt32
}

/// What a capture of a platform says about a process or the system at one instant.
public enum CaptureFact: Sendable, Equatable {
  /// What woke a process in the background.
  public enum Wake: UInt8, Sendable {
    case unknown, push, location, fetch, voip
  }

  /// It began, not in front; or the system woke it in the background.
  case started(Wake)
  /// The user brought it to the front. Every such fact is a `launch`.
  case front
  /// It is seen in front, which says nothing of how it came there: a `launch` only if it was not
  /// in front before.
  case inFront
  /// It is not in front any more; it still runs.
  case left
  /// It runs code without being in front.
  case background
  /// It runs no code: suspended, frozen, cached, stopped.
  case suspended
  /// Whether the system would never end it.
  case pinned(Bool)
  /// The platform's own rank of it, its `oom_score_adj`. The first one of a process that ran before
  /// the capture was so from the beginning.
  case ranked(adj: Int64)
  /// Its memory in bytes; derived if it was worked out rather than measured at this instant.
  case footprint(bytes: Int64, isDerived: Bool)
  /// Its life is over.
  case exited(CaptureExit)
  /// How long it took to come to the front, in nanoseconds.
  case launchTook(nanoseconds: Int64, LaunchKind)
  /// It was warned: 0 normal, 1 warning, 2 critical.
  case warned(level: Int64)

  /// Memory in use by everything that is no app of the trace, in bytes.
  case systemMemory(bytes: Int64)
  /// Available memory in bytes.
  case available(bytes: Int64)
  /// The system warned all apps: 0 normal, 1 warning, 2 critical.
  case systemWarned(level: Int64)
  /// The screen went on or off.
  case screen(isOn: Bool)
  /// The device started anew: every process is over.
  case boot
  /// The wall clock moved by that many seconds.
  case clock(seconds: Int64)
}

/// How a process ended.
public enum CaptureExit: Sendable, Hashable {
  case byItself, crashed, quit, updated
  /// The system ended it: a word of `DetailParser.exitCauses`, and the band or the
  /// `oom_score_adj` that it had.
  case observed(cause: String?, band: Int64?)
}

/// What the times of a capture count from.
public enum CaptureClock: Sendable, Equatable {
  /// 1970-01-01 UTC; the offset of the device's zone is for the header, nil: not known.
  ///
  /// With an offset beyond `ImportOptions.zoneOffsets` the trace does not say when it began.
  case epoch(offsetSeconds: Int64?)
  /// Something that has no date, such as the start of the device.
  case unknown
}
