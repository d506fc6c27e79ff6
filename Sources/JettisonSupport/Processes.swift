internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Starting programs with the system's own calls.
package enum Processes {
  /// Signals that we may ignore and that programs are not used to being deaf to.
  private static let restored = [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM]

  /// Starts a program and returns its number.
  ///
  /// Signals that we ignore end it as they end any program.
  ///
  /// - Parameters:
  ///   - words: The program, looked for in `PATH` if its name holds no slash, and its arguments.
  ///   - environment: Its variables; ours unless given.
  ///   - files: Its standard input, output and error output; ours where not given.
  ///   - leadsGroup: Whether it is the first of a process group of its own, so that ending the group
  ///     ends what it started.
  /// - Throws: What the system refused. Nothing runs then.
  package static func start(
    _ words: [String], environment: [String: String]? = nil, files: [Int32?] = [],
    leadsGroup: Bool = false
  ) throws(SystemFailure) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    for (target, file) in files.enumerated() {
      guard let file else { continue }
      unsafe posix_spawn_file_actions_adddup2(&actions, file, Int32(target))
    }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    for number in restored { unsafe sigaddset(&defaults, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
    unsafe posix_spawnattr_setflags(&attributes, Int16(group | POSIX_SPAWN_SETSIGDEF))

    let variables = (environment ?? ProcessInfo.processInfo.environment)
      .map { "\($0)=\($1)" }.sorted()
    var arguments = unsafe words.map { unsafe strdup($0) }
    var values = unsafe variables.map { unsafe strdup($0) }
    defer { unsafe (arguments + values).forEach { unsafe free($0) } }
    unsafe arguments.append(nil)
    unsafe values.append(nil)
    var number: pid_t = 0
    let code = unsafe posix_spawnp(
      &number, words.first ?? "", &actions, &attributes, arguments, values)
    guard code == 0 else { throw SystemFailure(code: code) }
    return number
  }
}
