import JettisonModel

/// Something that reaches the person at a time: a call, an alarm, the hour of a commute.
struct SyntheticArrival {
  enum Kind: Equatable {
    case call, text, alert, alarm
    /// The person turns to an app of their own.
    case own(Int)
    /// Music for so many nanoseconds.
    case music(Int64)
    /// A drive for so many nanoseconds, with navigation.
    case drive(Int64)
    /// The phone restarts.
    case restart
  }

  let timeNanoseconds: Int64
  let kind: Kind
}

/// Calls, texts, alerts and alarms.
extension SyntheticLife {
  /// What may interrupt on a day, in order of time.
  mutating func arrivals(on day: Int) -> [SyntheticArrival] {
    var random = streams.stream("arrivals", day)
    var list: [SyntheticArrival] = []
    func add(_ kind: SyntheticArrival.Kind, _ rate: Double, _ random: inout SplitMix64) {
      for time in rhythm.times(rate, on: day, &random) {
        list.append(SyntheticArrival(timeNanoseconds: time, kind: kind))
      }
    }
    add(.call, population.rate(.calls), &random)
    add(.text, population.rate(.texts), &random)
    add(.alert, population.rate(.alerts), &random)
    // Four of five workdays begin with an alarm; the other alarms fall anywhere.
    let mornings = 4.0 / 7
    if !SyntheticRhythm.isWeekend(day), random.uniform() < 0.8 {
      let time = rhythm.wakeTime(day) + Self.milliseconds(random.uniform(0, 600))
      list.append(SyntheticArrival(timeNanoseconds: time, kind: .alarm))
    }
    add(.alarm, population.rate(.alarms) - mornings, &random)
    for (number, app) in cast.ownApps.enumerated() {
      var random = streams.stream("own \(app.name)", day)
      add(.own(SyntheticCast.firstOwnApp + number), app.launchesPerDay, &random)
    }
    return list.enumerated().sorted {
      ($0.element.timeNanoseconds, $0.offset) < ($1.element.timeNanoseconds, $1.offset)
    }.map(\.element)
  }

  /// Interrupts the app in front; whether the person goes on with it afterwards.
  mutating func interrupt(_ app: Int, by kind: SyntheticArrival.Kind) -> Bool {
    var random = draws("interruption")
    switch kind {
    case .call:
      let isAnswered = random.uniform() < population.rate(.answeredCalls)
      ring(by: "call", seconds: random.uniform(3, 25), isAccepted: isAnswered)
      guard isAnswered else { return true }
      return turn(
        to: SyntheticApps.calls, seconds: random.logNormal(median: 75, sigma: 1), back: 0.6,
        from: app, &random)
    case .text, .alert:
      let isAccepted = random.uniform() < population.rate(.acceptedAlerts)
      ring(
        by: kind == .text ? "sms" : "alert", seconds: random.uniform(1, 6),
        isAccepted: isAccepted)
      guard isAccepted else { return true }
      let next = kind == .text ? SyntheticApps.messages : notifier(&random)
      return turn(
        to: next, seconds: random.logNormal(median: 20, sigma: 0.8), back: 0.7, from: app,
        &random)
    case .alarm:
      let isAccepted = random.uniform() < population.rate(.acceptedAlerts)
      ring(by: "alert", seconds: random.uniform(2, 20), isAccepted: isAccepted)
      guard isAccepted else { return true }
      return turn(to: SyntheticApps.clock, seconds: 10, back: 0.8, from: app, &random)
    case .own(let own):
      let length = Self.episodeLength(&random)
      return turn(to: own, seconds: Double(length) / 1e9, back: 0.5, from: app, &random)
    case .music, .drive, .restart: return true
    }
  }

  private mutating func ring(by interrupter: String, seconds: Double, isAccepted: Bool) {
    tell(.interrupt, detail: "by=\(interrupter)")
    wait(seconds)
    tell(
      .interruptEnd, detail: "by=\(interrupter);outcome=\(isAccepted ? "accepted" : "dismissed")")
  }

  /// Turns from one app to another for a while; whether the person has come back.
  private mutating func turn(
    to next: Int, seconds: Double, back: Double, from app: Int, _ random: inout SplitMix64
  ) -> Bool {
    open(next)
    wait(seconds)
    guard next != app, random.uniform() < back else { return false }
    open(app)
    return true
  }

  /// Who sent an alert: one of the apps that talk.
  private mutating func notifier(_ random: inout SplitMix64) -> Int {
    random.pick(weights(["messaging": 1, "social": 1, "shopping": 0.5])) ?? SyntheticApps.messages
  }

  /// Popularity by category, with a floor: apps that are hardly used notify as well.
  func weights(_ shares: [String: Double]) -> [Double] {
    profile.popularity.enumerated().map { app, popularity in
      guard popularity > 0 else { return 0 }
      return (popularity + 0.02) * shares[SyntheticApps.all[app].category, default: 0]
    }
  }

  // MARK: While the phone is not in use

  /// Lets what comes before a time come, while the phone lies there.
  mutating func waitThrough(until time: Int64) {
    while true {
      let arrival = arrivals.first?.timeNanoseconds ?? .max
      let outing = outings.first?.timeNanoseconds ?? .max
      guard min(arrival, outing) < time else { return }
      let next = arrival <= outing ? arrivals.removeFirst() : outings.removeFirst()
      answer(next)
    }
  }

  private mutating func answer(_ arrival: SyntheticArrival) {
    var random = draws("answer")
    let start = max(arrival.timeNanoseconds, clock + Self.pause)
    switch arrival.kind {
    case .call:
      guard random.uniform() < population.rate(.answeredCalls) else { return }
      clock = start
      glance(at: SyntheticApps.calls, seconds: random.logNormal(median: 75, sigma: 1), &random)
    case .alarm:
      guard random.uniform() < 0.7 else { return }
      clock = start
      glance(at: SyntheticApps.clock, seconds: random.uniform(3, 30), &random)
    case .own(let app):
      clock = start
      wake()
      wait(random.uniform(0.5, 2))
      spend(Self.episodeLength(&random), in: app)
      if random.uniform() < 0.5 { goHome() }
      lock()
    case .text, .alert: return
    case .music(let length):
      clock = start
      listen(for: length, &random)
    case .drive(let length):
      clock = start
      drive(for: length, &random)
    case .restart:
      clock = start
      restart(&random)
    }
  }

  private mutating func glance(at app: Int, seconds: Double, _ random: inout SplitMix64) {
    wake()
    wait(random.uniform(0.5, 2))
    open(app)
    wait(seconds)
    if random.uniform() < 0.5 { goHome() }
    lock()
  }
}
