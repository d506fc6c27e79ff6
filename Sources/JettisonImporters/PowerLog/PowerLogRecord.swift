internal import JettisonModel

/// One row of a power log, whatever its table.
struct PowerLogRecord {
  /// The states of an app: `BKSApplicationState` of the system's frameworks.
  enum State: Int64 {
    case unknown = 0
    case terminated = 1
    /// No code runs.
    case suspended = 2
    case background = 4
    case foreground = 8
    /// A server of the system in an app's clothes.
    case processServer = 16
    /// In front, but covered.
    case obscured = 32
  }

  enum Kind {
    /// A process with that number was running.
    case seen(pid: Int64)
    /// The process of an app that will be wanted soon was started.
    case prewarmed(pid: Int64)
    case state(State, pid: Int64, CaptureFact.Wake)
    /// Footprint in bytes at a suspension, and the largest that the process ever had.
    case memory(suspended: Int64, peak: Int64)
    case exit(pid: Int64, CaptureExit)
    /// Pages that are free or backed by files, and all pages that are accounted for.
    case pages(available: Int64, all: Int64)
    case pressure(level: Int64)
    case screen(isOn: Bool)
    /// The screen shows an app, or none.
    case shown(isApp: Bool)
  }

  /// Nanoseconds since 1970 on the log's own clock, which is never set.
  var nanoseconds: Int64
  /// Position of the app's name, or -1.
  let name: Int32
  let table: PowerLogTable
  /// Number of the row in its table.
  let line: Int
  let kind: Kind
  /// Whether the row is the first of a table of states, which each hold until the next one.
  let isFirstState: Bool

  /// Order of rows of one instant: what began, what changed, what was measured, what ended.
  var rank: Int {
    switch kind {
    case .seen: 0
    case .prewarmed: 1
    case .state, .shown: 2
    case .memory: 3
    case .pages, .pressure: 4
    case .screen: 5
    case .exit: 6
    }
  }
}

extension PowerLogRecord {
  /// What ended a process: a namespace of `sys/reason.h` and a code in it.
  static func exit(namespace: Int64, code: Int64, band: Int64?) -> CaptureExit {
    /// Of `kern_memorystatus.h`, by number.
    let jetsamCauses = [
      "unknown", "memory-pressure", "high-water", "vnode", "page-shortage", "process-thrashing",
      "file-cache-thrashing", "per-process-limit", "disk-space-shortage", "idle-exit", "zone-map",
      "compressor-thrashing", "compressor-space", "low-swap", "sustained-pressure",
    ]
    func observed(_ cause: String) -> CaptureExit { .observed(cause: cause, band: band) }
    // "Ate bad food": the watchdog, whatever subsystem speaks for it.
    if code == 0x8BAD_F00D { return observed("watchdog") }
    switch namespace {
    case 0, 7: return .byItself
    case 1:
      if code == 100 { return observed("cpu-limit") }
      let position = Int(exactly: code).flatMap { jetsamCauses.indices.contains($0) ? $0 : nil }
      return observed(jetsamCauses[position ?? 0])
    case 2:
      // Illegal instruction, trap, abort, arithmetic, bus, segment, system call.
      return [4, 5, 6, 8, 10, 11, 12].contains(code) ? .crashed : observed("signal")
    // Code signing, dynamic linker, Objective-C, libsystem, guard, pointer authentication.
    case 3, 6, 8, 18, 23, 28: return .crashed
    case 9: return observed("init-failure")
    case 20: return observed("watchdog")
    default: return observed("other")
    }
  }
}
