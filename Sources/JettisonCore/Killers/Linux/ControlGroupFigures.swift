/// What a killer sees of one control group at a poll; what lies below it is included.
package struct ControlGroupFigures: BitwiseCopyable, Sendable {
  package var usageBytes: Int64 = 0
  var anonymousBytes: Int64 = 0
  var swapBytes: Int64 = 0
  /// What `memory.min` and `memory.low` protect, in bytes.
  var protectedBytes: Int64 = 0
  /// Moving average of usage, in bytes.
  package var averageBytes: Int64 = 0
  /// Pages scanned so far.
  var scannedPages: Int64 = 0
  /// Full memory pressure over 10, 60 and 300 s, in percent.
  var pressure10: Double = 0
  var pressure60: Double = 0
  var pressure300: Double = 0
  /// Running and suspended processes.
  var processCount: Int32 = 0
  package var preference = AppProfile.KillPreference.none

  package init() {}

  /// Adds what lies below: sizes, counters and processes.
  mutating func add(_ child: ControlGroupFigures) {
    usageBytes += child.usageBytes
    anonymousBytes += child.anonymousBytes
    swapBytes += child.swapBytes
    scannedPages = scannedPages.addingSaturated(child.scannedPages)
    processCount += child.processCount
  }

  /// What oomd weighs control groups by where several could be meant.
  var weightedPressure: Double { 3 * pressure10 + 2 * pressure60 + pressure300 }

  /// Usage beyond what is protected.
  var effectiveBytes: Int64 { usageBytes - min(usageBytes, protectedBytes) }

  /// Usage over its moving average.
  var growth: Double {
    averageBytes > 0 ? Double(usageBytes) / Double(averageBytes) : 0
  }

  /// The average a tick later: three quarters of it and a quarter of the usage, truncated.
  static func average(after average: Int64, usageBytes: Int64) -> Int64 {
    let next: Double = Double(average) * 0.75 + Double(usageBytes) * 0.25
    return Int64(next)
  }
}

/// What a killer sees of the machine.
struct MachineFigures: BitwiseCopyable, Sendable {
  var ramBytes: Int64 = 0
  var swapTotalBytes: Int64 = 0
  var swapFreeBytes: Int64 = 0
  /// Swapped out since the poll before, a second.
  var swapOutBytesPerSecond: Double = 0
}
