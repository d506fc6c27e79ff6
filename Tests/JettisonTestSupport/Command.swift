package import Foundation
internal import JettisonSupport
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a command left behind.
package struct CommandResult: Sendable {
  /// As a shell tells it: 128 and the number of the signal if one ended it.
  package let status: Int32
  package let output: String
  package let error: String
}

/// A command that runs beside a test.
///
/// It is started and waited for with the system's own calls. Foundation learns of an end by a socket
/// that is closed then; commands that start at the same time inherit it, and a test waits for them, too.
package struct Command {
  package let identifier: pid_t

  /// Held while pipes exist that a command started at the same time would inherit.
  private static let starting = Mutex(())

  /// Starts a command, with ``starting`` held.
  ///
  /// - Parameters:
  ///   - words: The program, looked for in `PATH` if its name holds no slash, and its arguments.
  ///   - directory: Where it runs; where we do unless given.
  ///   - environment: Its variables; ours unless given.
  ///   - files: Its standard input, output and error output; ours where not given.
  private init(
    _ words: [String], in directory: URL? = nil, environment: [String: String]? = nil,
    files: [Int32?]
  ) throws {
    // Not all systems can start a program elsewhere; a shell becomes it there.
    let words = directory.map { ["sh", "-c", #"cd "$0" && exec "$@""#, $0.path] + words } ?? words
    identifier = try Processes.start(words, environment: environment, files: files)
  }

  /// Starts a command whose standard output is read as it comes.
  package static func piped(_ words: [String]) throws -> (command: Command, output: FileHandle) {
    // What is started meanwhile must not keep the pipe open.
    try starting.withLock { _ in
      let pipe = Pipe()
      for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
      let command = try Command(
        words, files: [nil, pipe.fileHandleForWriting.fileDescriptor, nil])
      try pipe.fileHandleForWriting.close()
      return (command, pipe.fileHandleForReading)
    }
  }

  /// Waits until it has ended, and returns its status.
  ///
  /// Once only: from then on its number may mean another.
  package func wait() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(identifier, &status, 0) < 0 {
      if errno != EINTR { return -1 }
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  /// Sends it a signal, then waits until it has ended.
  @discardableResult
  package func end(by signal: Int32) -> Int32 {
    _ = kill(identifier, signal)
    return wait()
  }

  /// Runs a command to its end.
  ///
  /// - Parameters:
  ///   - input: Standard input; empty unless given.
  ///   - output: Where standard output goes; collected unless given.
  package static func run(
    _ words: [String], in directory: URL? = nil, environment: [String: String]? = nil,
    input: String = "", output: FileHandle? = nil
  ) throws -> CommandResult {
    // Files instead of pipes: nobody has to read while the command writes.
    try withScratchFolder { folder in
      let paths = ["in", "out", "err"].map { folder.appending(path: $0) }
      try writeScratch(input.utf8, to: paths[0])
      for path in paths[1...] { try writeScratch([], to: path) }
      var handles =
        [try FileHandle(forReadingFrom: paths[0])]
        + (try paths[1...].map { try FileHandle(forWritingTo: $0) })
      if let output { handles[1] = output }
      let command = try starting.withLock { _ in
        try Command(
          words, in: directory, environment: environment,
          files: handles.map(\.fileDescriptor))
      }
      return CommandResult(
        status: command.wait(),
        output: String(decoding: try Data(contentsOf: paths[1]), as: UTF8.self),
        error: String(decoding: try Data(contentsOf: paths[2]), as: UTF8.self))
    }
  }
}
