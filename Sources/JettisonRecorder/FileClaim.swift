internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The right to write to a file, which one recorder of the process has at a time.
///
/// Each recorder knows where the file ends and where its saves begin: two of them would write over
/// each other's rows. The file system's name of the file counts, so that links do not hide it. This
/// is no lock of the file: nothing outlives the process.
struct FileClaim: ~Copyable {
  private struct Identity: Hashable {
    let device: UInt64
    let number: UInt64
  }

  private static let claimed = Mutex<Set<Identity>>([])

  private let identity: Identity

  /// Claims an open file; nil if another recorder of this process has it.
  init?(status: stat) {
    let identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      number: UInt64(truncatingIfNeeded: status.st_ino))
    guard Self.claimed.withLock({ $0.insert(identity).inserted }) else { return nil }
    self.identity = identity
  }

  deinit {
    _ = Self.claimed.withLock { [identity] in $0.remove(identity) }
  }
}
