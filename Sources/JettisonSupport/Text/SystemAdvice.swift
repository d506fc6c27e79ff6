#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What helps against an error of the system, whatever was being done.
package enum SystemAdvice {
  /// What to do about an error code; where nothing is particular to it, `usual`.
  package static func remedy(for code: Int32, or usual: String) -> String {
    switch code {
    case EMFILE: "raise 'ulimit -n'"
    case ENFILE: "close other programs: the whole system has no more files"
    default: usual
    }
  }
}
