#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What the system says of the machine.
enum HostFacts {
  /// Identifier of the hardware, such as `iPhone14,2`.
  static var hardware: String {
    var system = utsname()
    guard unsafe uname(&system) == 0 else { return "unknown hardware" }
    return unsafe withUnsafeBytes(of: &system.machine) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
