/// How a process ended, and what a trace calls it.
enum ProcessExit: Equatable {
  /// `exit` by itself, whatever it told.
  case byItself
  /// A signal that only an error of its own brings about.
  case crashed
  /// It was asked to end.
  case quit
  /// It was killed, by whom is not known, or it is not known how it ended.
  case observed(cause: String)

  /// Reads what `waitpid` says.
  ///
  /// Signals are numbered as Linux numbers them on all its machines of today.
  ///
  /// - Parameters:
  ///   - status: nil: unknown.
  ///   - hasKilledForMemory: Whether the system has killed for want of memory at about that time.
  init(waitStatus status: Int32?, hasKilledForMemory: Bool) {
    guard let status else {
      self = .observed(cause: hasKilledForMemory ? "low-memory" : "unknown")
      return
    }
    switch status & 0x7F {
    case 0: self = .byItself
    // SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV and SIGSYS.
    case 4, 5, 6, 7, 8, 11, 31: self = .crashed
    // SIGHUP, SIGINT, SIGQUIT and SIGTERM.
    case 1, 2, 3, 15: self = .quit
    // SIGKILL: the kernel's way, and the last resort of users.
    case 9: self = .observed(cause: hasKilledForMemory ? "low-memory" : "signal")
    default: self = .observed(cause: "signal")
    }
  }
}
