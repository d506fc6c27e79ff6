#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the system refused.
package struct SystemFailure: Error, Equatable {
  /// Value of `errno`.
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }

  /// That of the last call of this thread.
  package static var last: SystemFailure { SystemFailure(code: errno) }

  /// What the system says about it.
  package var text: String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }

  /// What helps against it, whatever was being done; where nothing is particular to it, `usual`.
  package func remedy(or usual: String) -> String {
    switch code {
    case EMFILE: "raise 'ulimit -n'"
    case ENFILE: "close other programs: the whole system has no more files"
    default: usual
    }
  }
}
