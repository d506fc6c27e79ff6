import JettisonModel

/// The charger, midnight, and how the phone is held.
extension SyntheticLife {
  /// Tells what changes about the device on a day.
  mutating func tellDevice(_ day: Int) {
    var random = streams.stream("device", day)
    tell(
      .deviceChange, at: Int64(day) * SyntheticRhythm.dayNanoseconds, detail: "kind=time")
    tellCharge(
      from: rhythm.bedtime(day) + Self.milliseconds(random.uniform(0, 900)),
      to: rhythm.wakeTime(day) + Self.milliseconds(random.uniform(0, 1_800)))
    let start = rhythm.time(day, hour: random.uniform(10, 21))
    let length = min(random.logNormal(median: 2_400, sigma: 0.6), 10_800)
    if random.uniform() < population.rate(.chargesByDay) {
      tellCharge(from: start, to: start + Self.milliseconds(length))
    }
  }

  private mutating func tellCharge(from start: Int64, to end: Int64) {
    tell(.deviceChange, at: start, detail: "kind=battery;to=charging")
    tell(.deviceChange, at: end, detail: "kind=battery;to=unplugged")
  }

  /// Some episodes are held sideways; half of them are turned back only after the app is left.
  mutating func tellOrientation(from start: Int64, _ random: inout SplitMix64) {
    let isTurned = random.uniform() < population.rate(.landscape)
    let isLate = random.uniform() < 0.5
    guard isTurned, clock - start > 8_000_000_000 else { return }
    tell(
      .deviceChange, at: start + 2_000_000_000, detail: "kind=orientation;to=landscape")
    tell(
      .deviceChange, at: clock + (isLate ? 3_000_000_000 : -1_000_000_000),
      detail: "kind=orientation;to=portrait")
  }
}
