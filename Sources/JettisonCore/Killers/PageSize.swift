/// The size of a page, by which killers count: sizes are powers of two nearly always, and then bytes
/// become pages without a division.
struct PageSize: BitwiseCopyable, Sendable {
  /// In bytes, at least 1.
  let bytes: Int64
  /// Of which power of two it is; nil: of none.
  private let shift: Int64?

  init(_ device: Device) {
    bytes = max(1, device.pageBytes)
    shift = bytes.nonzeroBitCount == 1 ? Int64(bytes.trailingZeroBitCount) : nil
  }

  /// So many bytes in pages, rounded towards zero.
  @inline(__always)
  func pages(_ count: Int64) -> Int64 {
    if let shift, count >= 0 { return count &>> shift }
    return count / bytes
  }

  /// So many bytes in pages, rounded down.
  @inline(__always)
  func wholePages(_ count: Int64) -> Int64 {
    if let shift { return count &>> shift }
    let pages = count / bytes
    return count < 0 && count % bytes != 0 ? pages - 1 : pages
  }
}
