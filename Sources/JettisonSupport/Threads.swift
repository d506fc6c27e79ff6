internal import CSupport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Threads that can be had: the runtime that asks for one too many waits for ever, without a word.
package enum Threads {
  /// What to say where there are none.
  package static let noRoom =
    "no thread can be made: a limit of processes or of memory is reached (raise 'ulimit -u' or "
    + "'ulimit -v', or the limit of the container)"

  /// What to say where the threads could not wake each other.
  package static let noDescriptors =
    "too few files may be open at a time (raise 'ulimit -n' to 16 or more)"

  /// Whether as many files can be opened as the runtime takes for itself: it ends the program where
  /// one is missing.
  package static var hasDescriptors: Bool {
    let opened = (0..<4).map { _ in dup(STDERR_FILENO) }
    let isClosed = errno == EBADF
    for descriptor in opened where descriptor >= 0 { close(descriptor) }
    return isClosed || opened.allSatisfy { $0 >= 0 }
  }

  /// How many cores there are.
  package static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Whether so many pieces of work can be done at a time, beside what waits for them and tells how
  /// far they are; the runtime never takes more threads than cores.
  package static func hasRoom(forJobs jobs: Int) -> Bool {
    let needed = min(jobs + 2, coreCount)
    return Int(thread_room(Int32(clamping: needed))) == needed
  }
}
