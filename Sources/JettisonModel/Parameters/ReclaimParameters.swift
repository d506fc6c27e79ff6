/// What a device's page reclaim costs and how much it can give back.
///
/// A trace of app use says nothing of pages, so these are the figures of a small model
/// (<doc:LinuxModels#Memory-and-reclaim>). Those marked *assumed* rest on no measurement; they are
/// of the order of a device with flash storage.
public struct ReclaimParameters: Sendable, Equatable {
  /// Swap space in bytes, 0 for none; nil: half of RAM (assumed).
  public var swapBytes: Int64?
  /// Uncompressed over compressed size where swap is compressed memory (zram); 0: a disk, which
  /// costs no memory.
  public var zramRatio: Double = 0
  /// The `min` watermark in bytes, below which an allocation first reclaims; nil: the kernel's
  /// rule, the square root of 16 times RAM, both in KiB, between 128 KiB and 256 MiB.
  public var minimumBytes: Int64?
  /// Most that the cache of file pages takes, in percent of RAM (assumed).
  public var fileCachePercent: Double = 20
  /// File pages that running apps keep touching, in percent of RAM (assumed).
  public var workingSetPercent: Double = 2.5
  /// Part of a suspended app's footprint that can be swapped out, in percent (assumed).
  public var swappablePercent: Double = 80
  /// Pages scanned for each page given back (assumed).
  public var scanRatio: Double = 2
  /// Time to scan a page in direct reclaim, in nanoseconds (assumed).
  public var scanNanoseconds: Int64 = 2_000
  /// Pages of the working set that a running app touches in a second of progress (assumed).
  public var touchesPerSecond: Double = 25_000
  /// Time to read an evicted file page again, in nanoseconds (assumed).
  public var readNanoseconds: Int64 = 100_000
  /// Time to swap a page in, in nanoseconds (assumed; with read-ahead).
  public var swapInNanoseconds: Int64 = 20_000
  /// Processors by which pressure stalls are counted, 1 to 8.
  public var processors: Int = 1

  /// The defaults.
  public init() {}

  /// What is written may be absurd; beyond this it makes no difference, and sums fit.
  private static let mostBytes: Int64 = 1 << 60

  /// Swap space of a device with so much RAM, in bytes.
  package func swapBytes(ramBytes: Int64) -> Int64 {
    min(Self.mostBytes, swapBytes ?? ramBytes / 2)
  }

  /// The `min` watermark of a device with so much RAM, in bytes.
  package func minimumBytes(ramBytes: Int64) -> Int64 {
    min(Self.mostBytes, minimumBytes ?? KernelReserve.minimumBytes(ramBytes: ramBytes))
  }

  package static let parameters: [ModelParameter] = [
    ModelParameter(
      "psi.processors", "Processors by which pressure stalls are counted, 1 to 8.",
      .count(\.reclaim.processors)),
    ModelParameter(
      "reclaim.swap", "Swap space; auto: half of RAM (assumed).",
      .optionalBytes(\.reclaim.swapBytes)),
    ModelParameter(
      "reclaim.zram-ratio",
      "Uncompressed over compressed size where swap is compressed memory; 0: a disk.",
      .number(\.reclaim.zramRatio)),
    ModelParameter(
      "reclaim.min",
      "Free memory below which apps that allocate reclaim pages; auto: the kernel's rule.",
      .optionalBytes(\.reclaim.minimumBytes)),
    ModelParameter(
      "reclaim.file-cache", "Most that the cache of file pages takes of RAM (assumed).",
      .percent(\.reclaim.fileCachePercent)),
    ModelParameter(
      "reclaim.working-set", "File pages that running apps keep touching, of RAM (assumed).",
      .percent(\.reclaim.workingSetPercent)),
    ModelParameter(
      "reclaim.swappable", "Part of a suspended app that can be swapped out (assumed).",
      .percent(\.reclaim.swappablePercent)),
    ModelParameter(
      "reclaim.scan-ratio", "Pages scanned for each page given back (assumed).",
      .number(\.reclaim.scanRatio)),
    ModelParameter(
      "reclaim.scan", "Time to scan a page in direct reclaim (assumed).",
      .duration(\.reclaim.scanNanoseconds)),
    ModelParameter(
      "reclaim.touches", "Pages of the working set that a running app touches a second (assumed).",
      .number(\.reclaim.touchesPerSecond)),
    ModelParameter(
      "reclaim.read", "Time to read an evicted file page again (assumed).",
      .duration(\.reclaim.readNanoseconds)),
    ModelParameter(
      "reclaim.swap-in", "Time to swap a page in (assumed).",
      .duration(\.reclaim.swapInNanoseconds)),
  ]
}

/// The parameters of a run in bytes.
package struct ReclaimRules: BitwiseCopyable, Sendable {
  package let pageBytes: Int64
  package let swapBytes: Int64
  /// Share of a swapped byte that still takes memory: 0 on a disk.
  package let retainedShare: Double
  /// Watermarks of free memory.
  package let minimumBytes: Int64
  package let lowBytes: Int64
  package let highBytes: Int64
  package let fileCacheBytes: Int64
  package let workingSetBytes: Int64
  package let swappableShare: Double
  package let scanRatio: Double
  package let scanNanoseconds: Int64
  package let touchesPerSecond: Double
  package let readNanoseconds: Int64
  package let swapInNanoseconds: Int64

  /// - Precondition: `ramBytes` and `pageBytes` are positive.
  package init(_ parameters: ReclaimParameters, ramBytes: Int64, pageBytes: Int64) {
    self.pageBytes = pageBytes
    swapBytes = parameters.swapBytes(ramBytes: ramBytes)
    retainedShare = parameters.zramRatio > 0 ? min(1, 1 / parameters.zramRatio) : 0
    minimumBytes = parameters.minimumBytes(ramBytes: ramBytes)
    // The kernel's distance between watermarks: a quarter of the lowest, at least 0.1 % of RAM.
    let step = max(minimumBytes / 4, ramBytes / 1000)
    lowBytes = minimumBytes.addingSaturated(step)
    highBytes = lowBytes.addingSaturated(step)
    fileCacheBytes = Self.share(parameters.fileCachePercent, of: ramBytes)
    workingSetBytes = Self.share(parameters.workingSetPercent, of: ramBytes)
    swappableShare = parameters.swappablePercent / 100
    scanRatio = parameters.scanRatio
    scanNanoseconds = parameters.scanNanoseconds
    touchesPerSecond = parameters.touchesPerSecond
    readNanoseconds = parameters.readNanoseconds
    swapInNanoseconds = parameters.swapInNanoseconds
  }

  private static func share(_ percent: Double, of bytes: Int64) -> Int64 {
    Int64((Double(bytes) * min(100, percent) / 100).rounded())
  }
}
