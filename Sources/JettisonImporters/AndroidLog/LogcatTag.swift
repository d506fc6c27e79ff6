internal import JettisonSupport

/// The tags of a log that say something about apps or memory.
enum LogcatTag: UInt8, CaseIterable {
  case processStart, processBound, processDied, kill, crash, notResponding, pss, memory
  case lowMemory, memoryFactor, freeze, unfreeze, processState, killInfo
  case lowMemoryKiller, activityManager
  case appResumed, appPaused, appTop
  case managerResumed, managerPaused
  case launchTime, screenToggled, screenState, boot

  /// How it is written; the `am_` names of activities were in use up to Android 10.
  var names: [String] {
    switch self {
    case .processStart: ["am_proc_start"]
    case .processBound: ["am_proc_bound"]
    case .processDied: ["am_proc_died"]
    case .kill: ["am_kill"]
    case .crash: ["am_crash"]
    case .notResponding: ["am_anr"]
    case .pss: ["am_pss"]
    case .memory: ["am_meminfo"]
    case .lowMemory: ["am_low_memory"]
    case .memoryFactor: ["am_mem_factor"]
    case .freeze: ["am_freeze"]
    case .unfreeze: ["am_unfreeze"]
    case .processState: ["am_proc_state_changed"]
    case .killInfo: ["killinfo"]
    case .lowMemoryKiller: ["lowmemorykiller"]
    case .activityManager: ["ActivityManager", "ActivityTaskManager"]
    case .appResumed: ["wm_on_resume_called", "am_on_resume_called"]
    case .appPaused: ["wm_on_paused_called", "am_on_paused_called"]
    case .appTop: ["wm_on_top_resumed_gained_called", "am_on_top_resumed_gained_called"]
    case .managerResumed:
      [
        "wm_set_resumed_activity", "am_set_resumed_activity", "wm_resume_activity",
        "am_resume_activity", "wm_restart_activity", "am_restart_activity",
      ]
    case .managerPaused: ["wm_pause_activity", "am_pause_activity"]
    case .launchTime: ["wm_activity_launch_time", "am_activity_launch_time"]
    case .screenToggled: ["screen_toggled"]
    case .screenState: ["power_screen_state"]
    case .boot: ["boot_progress_start"]
    }
  }

  /// Finds tags by their bytes.
  struct Table {
    private var names = ByteTable()
    private var tags: [LogcatTag] = []

    init() {
      for tag in LogcatTag.allCases {
        for name in tag.names {
          let bytes = Array(name.utf8)
          _ = names.insert(bytes.span)
          tags.append(tag)
        }
      }
    }

    /// The tag that stands at a range of a line.
    ///
    /// Budget: a few instructions for nearly all tags.
    func find(_ line: Span<UInt8>, _ range: Range<Int>) -> LogcatTag? {
      guard range.count >= 6, range.count <= 32 else { return nil }
      switch line[range.lowerBound] {
      case UInt8(ascii: "a"), UInt8(ascii: "w"):
        guard line[range.lowerBound + 1] == UInt8(ascii: "m") else { return nil }
      case UInt8(ascii: "k"), UInt8(ascii: "l"), UInt8(ascii: "A"), UInt8(ascii: "s"),
        UInt8(ascii: "p"), UInt8(ascii: "b"):
        break
      default: return nil
      }
      return names.find(line.extracting(range)).map { tags[Int($0)] }
    }
  }
}
