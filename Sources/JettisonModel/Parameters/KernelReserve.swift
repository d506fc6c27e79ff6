/// What the kernel keeps free.
package enum KernelReserve {
  /// `min_free_kbytes` as a kernel sets it, in bytes: 4 √(RAM in KiB) KiB, 128 KiB to 256 MiB.
  package static func minimumBytes(ramBytes: Int64) -> Int64 {
    let kibibytes = (Double(ramBytes) / 1024 * 16).squareRoot().rounded(.down)
    return Int64(min(262_144, max(128, kibibytes))) * 1024
  }
}
