/// The file pages that running apps keep coming back to, and how long they wait where some are gone.
///
/// While all of them are held, nothing is read twice. With a part `s` missing, an app that touches
/// `r` pages a second that take `t` to read waits the share `x / (1 + x)` of its time,
/// `x = s · r · t`.
struct WorkingSet: BitwiseCopyable, Sendable {
  /// How large it is, in pages or in bytes, as its owner counts.
  let size: Int64
  /// Pages of it that a running app touches in a second of progress.
  let touchesPerSecond: Double
  /// Time to read a page again, in nanoseconds.
  let readNanoseconds: Int64

  /// The part that is missing where so much of file cache is left, 0 to 1.
  func missingShare(held: Int64) -> Double {
    size > 0 ? max(0, 1 - Double(held) / Double(size)) : 0
  }

  /// Time to read what a running app misses, over the time in which it makes progress.
  ///
  /// Far beyond a share of 1, and still a number for absurd parameters.
  func load(missing: Double) -> Double {
    min(1e12, missing * touchesPerSecond * Double(readNanoseconds) / 1e9)
  }

  /// The share of its time that a running app waits, 0 to 1.
  func stalledShare(missing: Double) -> Double {
    let load = load(missing: missing)
    return load / (1 + load)
  }
}
