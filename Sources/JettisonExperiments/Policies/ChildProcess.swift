internal import Foundation
internal import JettisonSupport
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A program that runs beside us, with pipes for its three standard files.
///
/// It is the first of a process group of its own, so that ending it ends what it started. Its
/// owner ends it with ``finish(within:)`` or ``endNow()``; both wait for it, so that no zombie
/// is left.
struct ChildProcess {
  /// Longest line that is read.
  static let maximumLine = 1 << 20
  /// Bytes of the error output that are kept.
  private static let keptErrorBytes = 4096
  /// How often a silent program is looked at.
  private static let glanceMilliseconds: Int32 = 50

  private let identifier: pid_t
  private var input: Int32
  private var output: Int32
  private var error: Int32
  private var received: [UInt8] = []
  /// Bytes of ``received`` that hold no line break.
  private var searched = 0
  private var errorTail: [UInt8] = []
  /// Whether the program was waited for: from then on its number may mean another.
  private var isReaped = false

  /// Starts a program.
  init(_ command: ProgramCommand) throws(ProgramFault) {
    FileSystem.ignoreBrokenPipes()
    let files: [Int32]
    (identifier, files) = try Self.start(command.words)
    (input, output, error) = (files[0], files[1], files[2])
    for descriptor in files {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  // MARK: Talking

  /// Sends lines and waits for one in return, which comes without its line break.
  mutating func ask(
    _ lines: [UInt8], within limit: Duration, decision: Int
  ) throws(ProgramFault) -> [UInt8] {
    // What waits here before the question was asked answers nothing.
    if let early = Self.bytes(waitingIn: output) { received += early }
    if !received.isEmpty { throw .unasked(text: ProgramText.shown(firstLine)) }
    try exchange(lines, within: limit, decision: decision)
    guard let end = received.firstIndex(of: 0x0A) else { return [] }
    let line = Array(received[..<end])
    received.removeSubrange(...end)
    searched = 0
    return line
  }

  /// Sends lines.
  mutating func send(
    _ lines: [UInt8], within limit: Duration, decision: Int?
  ) throws(ProgramFault) {
    try exchange(lines, within: limit, decision: decision)
  }

  private var firstLine: [UInt8] { Array(received.prefix { $0 != 0x0A }) }

  /// Writes all lines and, if a decision waits, reads until a line has come.
  ///
  /// Both at a time: a program that writes before it has read would block otherwise.
  private mutating func exchange(
    _ lines: [UInt8], within limit: Duration, decision: Int?
  ) throws(ProgramFault) {
    let deadline = Deadline(after: limit)
    var sent = 0
    while sent < lines.count || (decision != nil && !hasLine()) {
      let isSending = sent < lines.count
      var files = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: error, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isSending ? input : -1, events: Int16(POLLOUT), revents: 0),
      ]
      // What a program that is gone has started may hold its pipes open: look now and then.
      let left = deadline.millisecondsLeft
      guard left > 0 else { throw Self.lateness(of: decision, limit) }
      let ready = unsafe poll(&files, nfds_t(files.count), min(left, Self.glanceMilliseconds))
      if ready < 0, errno != EINTR { throw .system(code: SystemFailure.last.text) }
      guard ready > 0 else {
        if ready == 0, hasExited { throw ended(within: limit, decision: decision) }
        continue
      }
      if files[1].revents != 0 { readError() }
      if files[2].revents != 0 { sent += feed(lines, from: sent) }
      if files[0].revents != 0, !readOutput() {
        if hasLine(), sent == lines.count { return }
        throw ended(within: limit, decision: decision)
      }
      if received.count > Self.maximumLine, !hasLine() { throw .tooLong(limit: Self.maximumLine) }
    }
  }

  private static func lateness(of decision: Int?, _ limit: Duration) -> ProgramFault {
    let milliseconds = Int(limit / .milliseconds(1))
    return decision.map { .noAnswer(decision: $0, milliseconds: milliseconds) }
      ?? .doesNotRead(milliseconds: milliseconds)
  }

  private mutating func hasLine() -> Bool {
    if received[searched...].contains(0x0A) { return true }
    searched = received.count
    return false
  }

  /// Writes what fits; a program that no longer reads may still have answered.
  private func feed(_ lines: [UInt8], from start: Int) -> Int {
    let count = unsafe lines.withUnsafeBytes { bytes in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
      return unsafe write(input, rest.baseAddress, rest.count)
    }
    if count >= 0 { return count }
    return errno == EPIPE ? lines.count - start : 0
  }

  /// Reads what is there; false at the end of the output.
  private mutating func readOutput() -> Bool {
    guard let bytes = Self.bytes(waitingIn: output) else { return false }
    received += bytes
    return true
  }

  private mutating func readError() {
    guard let bytes = Self.bytes(waitingIn: error) else {
      close(error)
      error = -1
      return
    }
    errorTail += bytes
    if errorTail.count > Self.keptErrorBytes {
      errorTail.removeFirst(errorTail.count - Self.keptErrorBytes)
    }
  }

  /// The bytes that wait in a pipe; nil at its end.
  private static func bytes(waitingIn descriptor: Int32) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe chunk.withUnsafeMutableBytes { bytes in
      unsafe read(descriptor, bytes.baseAddress, bytes.count)
    }
    if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
    return count == 0 ? nil : Array(chunk.prefix(count))
  }

  // MARK: The end

  /// Why nothing more comes.
  private mutating func ended(within limit: Duration, decision: Int?) -> ProgramFault {
    // Who has closed its output by ending can be waited for very soon.
    let deadline = Deadline(after: min(limit, .seconds(1)))
    while !hasExited, deadline.millisecondsLeft > 0 { _ = poll(nil, 0, 2) }
    guard hasExited, let status = reap() else { return .closedOutput(decision: decision) }
    let signal = status & 0x7F
    return signal == 0
      ? .exited(status: status >> 8 & 0xFF, decision: decision)
      : .killed(signal: signal, decision: decision)
  }

  /// Ends the program at the end of its run: closes its input, and waits until it ends by itself or
  /// the time is over.
  mutating func finish(within limit: Duration) -> String {
    close(input)
    input = -1
    let deadline = Deadline(after: limit)
    while !hasExited, deadline.millisecondsLeft > 0 {
      var files = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: error, events: Int16(POLLIN), revents: 0),
      ]
      // A program that has closed both, or that says nothing while it ends, is looked at again.
      _ = unsafe poll(&files, nfds_t(files.count), min(2, deadline.millisecondsLeft))
      if files[1].revents != 0 { readError() }
      if files[0].revents != 0, Self.bytes(waitingIn: output) == nil {
        close(output)
        output = -1
      }
    }
    return endNow()
  }

  /// Ends the program and what it started, at once; returns the last line of its error output.
  mutating func endNow() -> String {
    _ = reap()
    if error >= 0 { drainError() }
    for descriptor in [input, output, error] where descriptor >= 0 { close(descriptor) }
    (input, output, error) = (-1, -1, -1)
    let lines = errorTail.split(separator: 0x0A)
    let last = lines.last { line in line.contains { $0 > 0x20 } } ?? []
    return ProgramText.shown(Array(last))
  }

  /// Reads what the error output still holds; a process that outlives the program may write on for ever.
  private mutating func drainError() {
    for _ in 0..<16 where error >= 0 {
      let before = errorTail
      readError()
      if errorTail == before { return }
    }
  }

  /// Whether the program has ended, without waiting for it.
  private var hasExited: Bool {
    guard !isReaped else { return true }
    var info = unsafe siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT
    return unsafe waitid(P_PID, id_t(identifier), &info, options) == 0 && info.si_signo == SIGCHLD
  }

  /// Ends the group and takes the program's status; nil if that was done before.
  private mutating func reap() -> Int32? {
    guard !isReaped else { return nil }
    isReaped = true
    // Until it is waited for, the number cannot come to mean another group.
    _ = kill(-identifier, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(identifier, &status, 0) < 0 {
      if errno != EINTR { return nil }
    }
    return status
  }
}

extension ChildProcess {
  /// Held while pipes exist that a program started at the same time would inherit.
  private static let starting = Mutex(())

  /// A pipe whose ends are closed in programs that are started later.
  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws(ProgramFault) {
      var ends: [Int32] = [0, 0]
      guard unsafe pipe(&ends) == 0 else {
        throw .system(code: SystemFailure.last.text)
      }
      (reading, writing) = (ends[0], ends[1])
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    func closeBoth() {
      close(reading)
      close(writing)
    }
  }

  /// Starts a program; returns its number and our ends of its three pipes.
  private static func start(
    _ words: [String]
  ) throws(ProgramFault) -> (identifier: pid_t, files: [Int32]) {
    let result = starting.withLock {
      _ -> Result<(identifier: pid_t, files: [Int32]), ProgramFault> in
      Result { () throws(ProgramFault) in
        var pipes: [Pipe] = []
        do throws(ProgramFault) {
          for _ in 0..<3 { pipes.append(try Pipe()) }
          let identifier = try launch(
            words, files: [pipes[0].reading, pipes[1].writing, pipes[2].writing])
          close(pipes[0].reading)
          close(pipes[1].writing)
          close(pipes[2].writing)
          return (identifier, [pipes[0].writing, pipes[1].reading, pipes[2].reading])
        } catch {
          for pipe in pipes { pipe.closeBoth() }
          throw error
        }
      }
    }
    return try result.get()
  }

  private static func launch(_ words: [String], files: [Int32]) throws(ProgramFault) -> pid_t {
    do throws(SystemFailure) {
      return try Processes.start(words, files: files, leadsGroup: true)
    } catch {
      throw .notStartable(program: words.first ?? "", code: error.text)
    }
  }
}
