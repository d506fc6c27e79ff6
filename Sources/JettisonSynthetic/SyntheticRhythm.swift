import JettisonModel

/// When a synthetic person is awake, and how the hours of a day differ.
struct SyntheticRhythm {
  static let dayNanoseconds: Int64 = 86_400_000_000_000
  static let hourNanoseconds: Int64 = 3_600_000_000_000

  /// Relative frequency of use by hour of the day; all users sleep from 1 to 6.
  private static let hours: [Double] = [
    0.35, 0, 0, 0, 0, 0, 0.45, 0.90, 1.10, 1.10, 1.10, 1.15,
    1.30, 1.25, 1.15, 1.10, 1.15, 1.25, 1.40, 1.50, 1.55, 1.50, 1.30, 0.80,
  ]
  private static let total: Double = hours.reduce(0, +)

  /// How much later than others the person gets up, in quarters of an hour.
  private let lateness: Int

  /// Draws early birds and owls: up to two hours apart.
  init(streams: SyntheticStreams) {
    var random = streams.stream("rhythm", 0)
    lateness = Int(random.uniform() * 8)
  }

  static func isWeekend(_ day: Int) -> Bool { day % 7 >= 5 }

  /// Quarters of an hour by which a day's rhythm comes after the table's; weekends an hour later.
  private func shift(_ day: Int) -> Int { lateness + (Self.isWeekend(day) ? 4 : 0) }

  /// A time of a day on this person's clock: hours as the table counts them.
  func time(_ day: Int, hour: Double) -> Int64 {
    let hours = hour + Double(shift(day)) / 4
    return Int64(day) * Self.dayNanoseconds + Int64((hours * 3_600_000).rounded()) * 1_000_000
  }

  /// When the phone is put on the charger early on a day.
  func bedtime(_ day: Int) -> Int64 { time(day, hour: 1) }

  /// When it is taken off the charger.
  func wakeTime(_ day: Int) -> Int64 { time(day, hour: 6) }

  func isAsleep(_ time: Int64) -> Bool {
    let day = Int(time / Self.dayNanoseconds)
    return time >= bedtime(day) && time < wakeTime(day)
  }

  /// Times of a day, ascending, at which something happens `rate` times on average.
  ///
  /// A Poisson process whose rate follows the hours.
  func times(_ rate: Double, on day: Int, _ random: inout SplitMix64) -> [Int64] {
    guard rate > 0 else { return [] }
    let scale = Self.total * 4 / rate
    var times: [Int64] = []
    var passed = random.exponential() * scale
    var before = 0.0
    let shift = shift(day)
    for slot in 0..<96 {
      let weight = Self.hours[(slot + 96 - shift) % 96 / 4]
      while weight > 0, passed < before + weight {
        let hour = (Double(slot) + (passed - before) / weight) / 4
        times.append(
          Int64(day) * Self.dayNanoseconds + Int64((hour * 3_600_000).rounded(.down)) * 1_000_000)
        passed += random.exponential() * scale
      }
      before += weight
    }
    return times
  }
}
