internal import JettisonSupport

/// Why Android ended a process, as far as a log says.
///
/// The words come from Android's own `ApplicationExitInfo`: what the framework writes as the
/// reason of a kill is put where the framework itself puts it. So kills by the framework's own
/// limits (`empty #17`, `cached #33`, `empty for 1800s`, `isolated not needed`), which happen
/// without memory pressure, are `other`, as there (`REASON_OTHER`, `SUBREASON_TOO_MANY_EMPTY`).
/// Three causes are no doing of the system and become rows of their own: a crash, a person who
/// swipes the task away or stops the app (`quit`), and a package that is replaced (`update`).
///
/// Every reader of Android's captures goes by this one vocabulary: the same kill is the same row,
/// wherever it was written down.
enum AndroidExit: UInt8, BitwiseCopyable {
  case unknown, other, lowMemory, lowSwap, crashed, notResponding, initFailure, permissionChange
  case excessiveResourceUse, userRequest, userStopped, dependencyDied, freezer, memoryLimiter
  case quit, updated
  /// One empty process too many: `other` where a cause is asked for.
  case empty

  /// The exit of a process that had an `oom_score_adj`.
  func exit(adj: Int64?) -> CaptureExit {
    let cause: String? =
      switch self {
      case .unknown: nil
      case .other, .empty: "other"
      case .lowMemory: "low-memory"
      case .lowSwap: "low-swap"
      case .notResponding: "not-responding"
      case .initFailure: "init-failure"
      case .permissionChange: "permission-change"
      case .excessiveResourceUse: "excessive-resource-use"
      case .userRequest: "user-request"
      case .userStopped: "user-stopped"
      case .dependencyDied: "dependency-died"
      case .freezer: "freezer"
      case .memoryLimiter: "memory-limiter"
      case .crashed, .quit, .updated: nil
      }
    return switch self {
    case .crashed: .crashed
    case .quit: .quit
    case .updated: .updated
    default: .observed(cause: cause, band: adj)
    }
  }

  private struct Rule {
    let exit: AndroidExit
    /// Whether the text must stand at the beginning.
    let isPrefix: Bool
    let texts: [String]
  }

  /// The first rule that fits decides; texts are in lower case.
  private static let rules: [Rule] = [
    Rule(exit: .empty, isPrefix: true, texts: ["empty #", "empty for "]),
    Rule(
      exit: .other, isPrefix: true,
      texts: [
        "cached #", "isolated not needed", "sdk sandbox not needed",
        "system update", "remove lru",
      ]),
    Rule(exit: .lowSwap, isPrefix: true, texts: ["swap low"]),
    Rule(
      exit: .updated, isPrefix: false,
      texts: [
        "installpackage", "deletepackage", "due to pkg removed", "due to replace",
        "due to uninstall", "due to update",
      ]),
    Rule(exit: .userStopped, isPrefix: true, texts: ["stop user"]),
    Rule(exit: .quit, isPrefix: true, texts: ["remove task", "swipe", "stop "]),
    Rule(exit: .userRequest, isPrefix: true, texts: ["kill background", "kill all", "kill uid"]),
    Rule(exit: .crashed, isPrefix: true, texts: ["crash", "native crash"]),
    Rule(
      exit: .notResponding, isPrefix: false,
      texts: ["bg anr", "user request after error", "not responding"]),
    Rule(exit: .notResponding, isPrefix: true, texts: ["anr"]),
    Rule(
      exit: .initFailure, isPrefix: true,
      texts: ["start timeout", "start failure", "bind fail", "error during", "hung"]),
    Rule(exit: .permissionChange, isPrefix: false, texts: ["permission"]),
    Rule(exit: .excessiveResourceUse, isPrefix: true, texts: ["excessive ", "too many binders"]),
    Rule(exit: .dependencyDied, isPrefix: true, texts: ["depends on "]),
    Rule(exit: .freezer, isPrefix: false, texts: ["frozen", "freeze", "freezing"]),
    // `MemoryLimiter:AnonSwap` of Android 17.
    Rule(
      exit: .memoryLimiter, isPrefix: true, texts: ["memorylimiter", "memory limit", "memlimit"]),
    Rule(exit: .lowMemory, isPrefix: false, texts: ["low memory", "lowmem", "lmk", "pressure"]),
  ]

  /// The exit that a reason of `am_kill` names; `other` if no rule knows it.
  init(reason: String) {
    self.init(reason: Array(reason.utf8).span)
  }

  /// The exit that a reason of `am_kill` or `Killing …` names; `other` if no rule knows it.
  init(reason: Span<UInt8>) {
    var lowered: [UInt8] = []
    // What decides stands at the beginning.
    let count = min(reason.count, 120)
    lowered.reserveCapacity(count)
    for position in 0..<count {
      let byte = reason[position]
      lowered.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
    }
    let text = lowered.span
    for rule in Self.rules {
      for word in rule.texts
      where rule.isPrefix ? text.has(word, at: 0) : text.find(word) != nil {
        self = rule.exit
        return
      }
    }
    self = .other
  }
}
