#if os(Linux)
  internal import CProcesses
  internal import Glibc
  internal import JettisonSupport
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
      do throws(SystemFailure) {
        number = try Processes.start(words)
      } catch {
        throw TraceError(
          .unreadable, file: words.first ?? "", what: "cannot be started: \(error.text)",
          remedy: "name a program and its arguments after '--'")
      }
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
