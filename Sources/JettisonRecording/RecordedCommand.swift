#if os(Linux)
  internal import CProcesses
  internal import Foundation
  internal import Glibc
  internal import JettisonTraces

  /// A command that is started to be followed, with our own standard files.
  ///
  /// Whatever it starts becomes our child when its parents end, so that nothing of it gets lost.
  struct RecordedCommand {
    let number: Int32
    /// Whether it has been waited for.
    var hasEnded: Bool { status != nil }
    /// How it has ended, as `waitpid` says it.
    private(set) var status: Int32?

    /// Starts a command.
    init(_ words: [String]) throws(TraceError) {
      _ = jettison_adopt_orphans()
      var attributes = posix_spawnattr_t()
      unsafe posix_spawnattr_init(&attributes)
      defer { unsafe posix_spawnattr_destroy(&attributes) }
      // What we ignore ourselves, programs are not used to.
      var defaults = sigset_t()
      unsafe sigemptyset(&defaults)
      for number in [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM] {
        unsafe sigaddset(&defaults, number)
      }
      unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
      unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
      var names = unsafe words.map { unsafe strdup($0) }
      defer { unsafe names.forEach { unsafe free($0) } }
      unsafe names.append(nil)
      var number: pid_t = 0
      let code = unsafe posix_spawnp(&number, words.first ?? "", nil, &attributes, names, environ)
      guard code == 0 else {
        throw TraceError(
          .unreadable, file: words.first ?? "",
          what: "cannot be started: \(unsafe String(cString: strerror(code)))",
          remedy: "name a program and its arguments after '--'")
      }
      self.number = number
    }

    /// Takes note of children that have ended, by number, with what `waitpid` says.
    mutating func wait() -> [Int32: Int32] {
      var ended: [Int32: Int32] = [:]
      while true {
        var status: Int32 = 0
        let child = unsafe waitpid(-1, &status, WNOHANG)
        if child < 0, errno == EINTR { continue }
        guard child > 0 else { return ended }
        ended[child] = status
        if child == number { self.status = status }
      }
    }

    /// Asks the command to end if it has not, and waits for it for some seconds.
    mutating func end() {
      guard !hasEnded else { return }
      kill(number, SIGTERM)
      // A stopped one would never hear.
      kill(number, SIGCONT)
      var milliseconds = 0
      while !hasEnded, milliseconds < 5_000 {
        _ = wait()
        _ = poll(nil, 0, 10)
        milliseconds += 10
      }
      _ = wait()
    }
  }
#endif
