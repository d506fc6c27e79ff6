internal import CSupport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How many threads there may be.
package enum Threads {
  /// How many cores there are.
  package static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// How many threads a command may have: one per core, but one where memory is limited to little,
  /// for each has a stack.
  package static var limit: Int { thread_stacks_are_dear() == 0 ? coreCount : 1 }

  /// Whether the system grants a thread to each of so many pieces of work, or to each core.
  package static func hasRoom(forJobs jobs: Int) -> Bool {
    let limit = limit
    guard limit > 1 || coreCount == 1 else { return jobs <= 1 }
    let more = min(jobs, limit) - 1
    return Int(thread_room(Int32(clamping: more))) == max(0, more)
  }
}
