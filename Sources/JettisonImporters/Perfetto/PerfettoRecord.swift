/// What a Perfetto trace says about one process or the system at one instant, as plain data.
///
/// Packets come in any order (a trace is read from its buffers one writer after the other), while a
/// process can only be followed in order of time: packets become records, and records are merged.
struct PerfettoRecord: CaptureTimed {
  enum Kind: UInt8, BitwiseCopyable {
    /// Command line, name in the system's log, or (weaker) name of the main thread: `value` is the
    /// number of a name.
    case commandLine, threadName
    /// It is a thread of the kernel and no process.
    case kernelThread
    /// `value` is the process that forked it.
    case parent
    /// It was forked; or the system's log says that it was started.
    case forked, logged
    /// It ended; `flag` is ``byCrash`` or ``mayBeThread``, or 0.
    case exited
    /// Something ended it: `value` is its `oom_score_adj` or ``unknownScore``, `flag` the number of
    /// an ``AndroidExit``.
    case killed
    /// `value` is its `oom_score_adj`.
    case score
    /// A part of its memory in bytes; `flag` is of ``lastPart`` and ``proportionalPart``.
    case anonymous, shared, swapped
    /// One of its activities was resumed, or paused; it drew a frame.
    case resumed, paused, drew
    /// The freezer stopped it, or let it run again.
    case frozen, thawed
    /// The system began a launch, or ended it: `value` is its number among
    /// ``PerfettoCapture/launches``.
    case launchBegan, launchEnded
    /// Older systems: the system took an intent, and said that a launch is finished; it began to
    /// launch a package, and ended that: `value` is the number of its name.
    case intentStarted, launchFinished, packageLaunchBegan, packageLaunchEnded
    /// A new process got its application; one of its activities was started.
    case bound, activityStarted
    /// Available memory of the system, and memory in use, in bytes.
    case available, used
    /// The screen went on (1) or off (0).
    case screen
  }

  var nanoseconds: Int64
  var value: Int64 = 0
  var pid: Int32 = 0
  /// Where its packet begins; 0: not told.
  var place: UInt32 = 0
  var kind: Kind
  var flag: UInt8 = 0

  static let unknownScore = Int64.min
  /// From this `oom_score_adj` on Android's processes are cached: they run no code.
  static let cachedScore: Int64 = 900
  static let byCrash: UInt8 = 1
  static let mayBeThread: UInt8 = 2
  static let lastPart: UInt8 = 1
  static let proportionalPart: UInt8 = 2
}
