import JettisonModel

/// Music on the way, navigation at the weekend, a restart now and then.
extension SyntheticLife {
  /// What the person sets out to do on a day, in order of time.
  mutating func outings(on day: Int) -> [SyntheticArrival] {
    var random = streams.stream("outings", day)
    var list: [SyntheticArrival] = []
    func add(_ kind: SyntheticArrival.Kind, hour: Double) {
      list.append(SyntheticArrival(timeNanoseconds: rhythm.time(day, hour: hour), kind: kind))
    }
    let minutes = population.rate(.listening)
    let isWeekend = SyntheticRhythm.isWeekend(day)
    // Two commutes on a workday, one longer stretch at the weekend.
    for middle in isWeekend ? [13.0] : [7.25, 16.75] {
      let hour = random.uniform(middle - 0.5, middle + 0.5)
      let mean = isWeekend ? minutes : minutes / 2
      // The mean of this log-normal is 1.083 times its median.
      let length = random.logNormal(median: mean / 1.083 * 60, sigma: 0.4)
      if isListener { add(.music(Self.milliseconds(length)), hour: hour) }
    }
    // A day of the weekend has five times the drives of a workday.
    let drives = population.rate(.drives) * (isWeekend ? 5 : 1) / 15
    let hour = random.uniform(9, 17.5)
    let length = random.logNormal(median: population.rate(.driving) * 60, sigma: 0.5)
    if random.uniform() < drives { add(.drive(Self.milliseconds(length)), hour: hour) }
    let restartHour = random.uniform(8, 23)
    if random.uniform() < population.rate(.boots) / 7 { add(.restart, hour: restartHour) }
    return list.sorted { $0.timeNanoseconds < $1.timeNanoseconds }
  }

  private var isListener: Bool {
    var random = streams.stream("listener", 0)
    return random.uniform() < population.rate(.listeners)
  }

  /// Puts headphones on and music; the phone goes back into the pocket.
  mutating func listen(for length: Int64, _ random: inout SplitMix64) {
    let app = SyntheticApps.music
    tell(.deviceChange, detail: "kind=accessory;to=connected")
    wait(2)
    wake()
    wait(random.uniform(0.5, 2))
    open(app)
    wait(random.uniform(4, 25))
    tell(.backgroundMode, app: app, value: 1, detail: "mode=audio")
    tell(.backgroundMode, at: clock + length, app: app, value: 0, detail: "mode=audio")
    tell(
      .deviceChange, at: clock + length + Self.milliseconds(random.uniform(1, 30)),
      detail: "kind=accessory;to=disconnected")
    wait(1)
    if random.uniform() < 0.5 { goHome() }
    lock()
  }

  /// Drives with navigation: the map in front, but for a look at something else.
  mutating func drive(for length: Int64, _ random: inout SplitMix64) {
    let app = SyntheticApps.maps
    let end = clock + length
    wake()
    wait(random.uniform(0.5, 2))
    open(app)
    wait(random.uniform(8, 40))
    tell(.backgroundMode, app: app, value: 1, detail: "mode=location")
    tell(.pin, app: app, value: 1, detail: "reason=navigation")
    use(for: max(0, length * 3 / 5))
    if let other = nextApp(&random), other != app {
      spend(Self.milliseconds(random.uniform(5, 40)), in: other)
    }
    open(app)
    use(for: max(0, end - clock))
    tell(.pin, app: app, value: 0, detail: "reason=navigation")
    tell(.backgroundMode, app: app, value: 0, detail: "mode=location")
    wait(2)
    goHome()
    lock()
  }

  /// Everything ends; what belongs to the system comes back.
  mutating func restart(_ random: inout SplitMix64) {
    tell(.boot)
    front = nil
    ended.formUnion(stack)
    for daemon in daemons {
      let time = clock + Self.milliseconds(random.uniform(20, 60))
      tell(.backgroundLaunch, at: time, app: daemon.app)
    }
    wait(60)
  }
}
