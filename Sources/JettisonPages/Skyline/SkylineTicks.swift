import JettisonSupport

/// Marks on the axis of time.
enum SkylineTicks {
  /// A mark.
  struct Tick: Equatable {
    let time: Int64
    let text: String
  }

  private static let hour: Int64 = 3_600_000_000_000

  /// Steps between marks, in nanoseconds.
  private static let steps: [Int64] =
    [1, 2, 5, 10, 20, 50, 100, 200, 500].map { $0 * 1_000_000 }
    + [1, 2, 5, 10, 15, 30].map { $0 * 1_000_000_000 }
    + [1, 2, 5, 10, 15, 30].map { $0 * 60_000_000_000 } + [1, 2, 3].map { $0 * hour }

  /// Marks within a frame: hours of the day where they are known, else time since the start.
  static func of(_ frame: Range<Int64>, _ startSecondsOfDay: Int64?) -> [Tick] {
    let length = frame.upperBound - frame.lowerBound
    let step = steps.first { length / $0 <= 10 } ?? 3 * hour
    let shift = (startSecondsOfDay ?? 0) * 1_000_000_000
    var ticks: [Tick] = []
    var time = frame.lowerBound
    let rest = (time + shift) % step
    if rest != 0 { time += rest > 0 ? step - rest : -rest }
    while time <= frame.upperBound, ticks.count < 30 {
      let text =
        startSecondsOfDay.map { SkylineClock.text($0 + time / 1_000_000_000) }
        ?? HumanText.duration(nanoseconds: time)
      ticks.append(Tick(time: time, text: text))
      time += step
    }
    return ticks
  }
}
