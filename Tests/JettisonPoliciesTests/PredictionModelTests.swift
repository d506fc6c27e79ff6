import JettisonTestSupport
import Testing

@testable import JettisonCore
@testable import JettisonShippedPolicies

/// The models that predictions rest on, against worked figures and plain restatements.
struct PredictionModelTests {
  // MARK: Isotonic means

  @Test("Means that fall are pooled, and classes without outcomes take their neighbour's")
  func isotonicExample() {
    var mean = IsotonicMean(classes: 6)
    #expect(mean[0] == nil)
    // Class 1: 2, 4. Class 2: 1. Class 4: 9. Class 1 (mean 3) is above class 2 (mean 1): both get
    // (2 + 4 + 1) / 3.
    for (outcome, position) in [(2.0, 1), (4, 1), (1, 2), (9, 4)] {
      mean.add(outcome, class: position)
    }
    mean.fit()
    let pooled: Double = 7 / 3
    let fitted: [Double] = (0..<6).compactMap { mean[$0] }
    #expect(fitted == [pooled, pooled, pooled, pooled, 9, 9])
  }

  @Test("Pooled means are the max-min of means over stretches", arguments: UInt64(1)...40)
  func isotonicProperty(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let classes = 1 + Int(random.next() % 8)
    var outcomes = [[Double]](repeating: [], count: classes)
    var mean = IsotonicMean(classes: classes)
    for _ in 0..<1 + Int(random.next() % 30) {
      let position = Int(random.next() % UInt64(classes))
      let outcome = Double(random.next() % 100)
      outcomes[position].append(outcome)
      mean.add(outcome, class: position)
      // Fits in between must not matter.
      if random.next() % 5 == 0 { mean.fit() }
    }
    mean.fit()
    for position in 0..<classes where !outcomes[position].isEmpty {
      let expected = Self.maxMin(outcomes, at: position)
      #expect(abs((mean[position] ?? .nan) - expected) < 1e-9, "class \(position)")
    }
  }

  /// The isotonic fit by its closed form: max over starts of min over ends of the mean.
  static func maxMin(_ outcomes: [[Double]], at position: Int) -> Double {
    var best = -Double.infinity
    for start in 0...position {
      var least = Double.infinity
      for end in position..<outcomes.count {
        let stretch = outcomes[start...end].flatMap { $0 }
        if !stretch.isEmpty {
          least = min(least, stretch.reduce(0, +) / Double(stretch.count))
        }
      }
      best = max(best, least)
    }
    return best
  }

  // MARK: The chain

  @Test("Two launches make a chain that can be solved by hand")
  func chainByHand() {
    // After a, b with alpha 1: P(a, ·) = (1/4, 3/4), P(b, ·) = (1/2, 1/2), and b is where we are.
    // Distance: h(b, a) = 1 + h(b, a)/2 = 2; h(a, b) = 1 / (3/4); h(b, b) = 1 + h(a, b)/2 = 5/3.
    var distance = LaunchChain(appCount: 3, question: .distance, prior: 1)
    for app in [0, 1] { distance.launched(AppIndex(app)) }
    #expect(abs((distance.answer(for: AppIndex(0)) ?? 0) - 2) < 1e-12)
    #expect(abs((distance.answer(for: AppIndex(1)) ?? 0) - 5.0 / 3) < 1e-12)
    #expect(distance.answer(for: AppIndex(2)) == nil)

    // Discount 1/2: r(b, a) = (1/2 + r(b, a)/2)/2 = 1/3; r(a, b) = (3/4 + r(a, b)/4)/2 = 3/7;
    // r(b, b) = (1/2 + r(a, b)/2)/2 = 5/14.
    var back = LaunchChain(
      appCount: 2, question: .returnBefore(discount: 0.5), prior: 1)
    for app in [0, 1] { back.launched(AppIndex(app)) }
    #expect(abs((back.answer(for: AppIndex(0)) ?? 0) - 1.0 / 3) < 1e-12)
    #expect(abs((back.answer(for: AppIndex(1)) ?? 0) - 5.0 / 14) < 1e-12)
  }

  @Test("On a round of apps, distances are steps along it")
  func chainOnCycle() {
    var chain = LaunchChain(appCount: 4, question: .distance, prior: 1e-9)
    for launch in 0..<400 { chain.launched(AppIndex(launch % 4)) }
    for steps in 1...4 {
      let answer = chain.answer(for: AppIndex((3 + steps) % 4)) ?? 0
      #expect(abs(answer - Double(steps)) < 1e-5)
    }
  }

  @Test("Kept up launch by launch, the chain solves its equations", arguments: UInt64(1)...6)
  func chainProperty(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let count = 3 + Int(random.next() % 10)
    let prior = [0.1, 1, 5][Int(seed % 3)]
    var history: [Int] = []
    var distance = LaunchChain(appCount: count, question: .distance, prior: prior)
    var back = LaunchChain(
      appCount: count, question: .returnBefore(discount: 0.9), prior: prior)
    // Longer than the time between two inversions.
    for launch in 0..<700 {
      // Launches come in a certain order more often than not, and apps come one by one.
      let next = Int(random.next() % UInt64(count))
      let app = random.next() % 3 == 0 ? next : ((history.last ?? 0) * 2 + 1) % count
      history.append(app)
      distance.launched(AppIndex(app))
      back.launched(AppIndex(app))
      guard launch < 30 || launch % 67 == 0 || launch == 699 else { continue }
      let chain = Self.transitions(history, count: count, prior: prior)
      for target in Set(history) {
        let steps = Self.hitting(chain, target: target, discount: 1, gain: { _ in 1 })
        let value = Self.hitting(
          chain, target: target, discount: 0.9, gain: { 0.9 * chain[$0][target] })
        #expect(
          agree([distance.answer(for: AppIndex(target)) ?? .nan], [steps[app]], within: 1e-7))
        #expect(agree([back.answer(for: AppIndex(target)) ?? .nan], [value[app]], within: 1e-7))
      }
    }
  }

  /// Transition probabilities by their definition; rows of apps not launched yet stay empty.
  static func transitions(_ history: [Int], count: Int, prior: Double) -> [[Double]] {
    (0..<count).map { from in
      guard history.contains(from) else { return Array(repeating: 0, count: count) }
      let followers = zip(history, history.dropFirst()).filter { $0.0 == from }.map(\.1)
      return (0..<count).map { to in
        let share = Double(history.count { $0 == to }) / Double(history.count)
        return (Double(followers.count { $0 == to }) + prior * share)
          / (Double(followers.count) + prior)
      }
    }
  }

  /// Solves `h(j) = gain(j) + discount · Σ over l ≠ target of P(j, l) h(l)` by elimination.
  static func hitting(
    _ chain: [[Double]], target: Int, discount: Double, gain: (Int) -> Double
  ) -> [Double] {
    var rows = chain.indices.map { from in
      chain.indices.map { to in
        (from == to ? 1 : 0) - (to == target ? 0 : discount * chain[from][to])
      } + [gain(from)]
    }
    // The matrix is dominated by its diagonal, so that no rows have to be swapped.
    for pivot in rows.indices {
      for row in rows.indices where row > pivot {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for column in pivot...rows.count { rows[row][column] -= factor * rows[pivot][column] }
      }
    }
    var values = [Double](repeating: 0, count: rows.count)
    for row in rows.indices.reversed() {
      var rest = rows[row][rows.count]
      for column in rows.indices where column > row { rest -= rows[row][column] * values[column] }
      values[row] = rest / rows[row][row]
    }
    return values
  }

  @Test("Apps beyond the limit of states have no answer, and those before keep theirs")
  func chainLimit() {
    let count = LaunchStates.limit + 3
    var chain = LaunchChain(appCount: count, question: .distance, prior: 1)
    for app in 0..<count { chain.launched(AppIndex(app)) }
    #expect(chain.answer(for: AppIndex(count - 1)) == nil)
    #expect(chain.count == LaunchStates.limit)
    chain.launched(AppIndex(0))
    #expect((chain.answer(for: AppIndex(1)) ?? 0) > 1)
    #expect(chain.answer(for: AppIndex(count - 1)) == nil)
  }

  @Test(
    "Runs that share chains read what one of their own would say", arguments: UInt64(1)...20,
    [0, 200, 1 << 20])
  func sharedChains(seed: UInt64, room: Int) throws {
    var random = SplitMix64(seed: seed)
    func draw(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    let count = 3 + draw(140)
    let question: LaunchChain.Question =
      seed % 2 == 0 ? .distance : .returnBefore(discount: 0.9)
    let common = (0..<60).map { _ in AppIndex(draw(count)) }
    // Runs part from the common way now and then, often by the same launch as another run.
    let launches = (0..<6).map { _ -> [AppIndex] in
      var own = common
      for _ in 0..<draw(3) {
        own.insert(AppIndex(draw(2)), at: [10, 11, 40][draw(3)])
      }
      return own
    }
    let chains = SharedChains(room: room, keepingEvery: [8, 512][draw(2)])
    var readers = launches.map { _ in
      ChainReader(appCount: count, question: question, prior: 1, sharing: chains)
    }
    var owns = launches.map { _ in
      LaunchChain(appCount: count, question: question, prior: 1)
    }
    var positions = launches.map { _ in 0 }
    // Whoever is drawn goes on, for one launch or for many.
    while let behind = positions.indices.filter({ positions[$0] < launches[$0].count })
      .randomElement(
        using: &random)
    {
      for _ in 0...[0, 3, 70][draw(3)] where positions[behind] < launches[behind].count {
        let app = launches[behind][positions[behind]]
        positions[behind] += 1
        readers[behind].launched(app)
        owns[behind].launched(app)
        for target in 0..<count {
          let target = AppIndex(target)
          try #require(
            readers[behind].answer(for: target) == owns[behind].answer(for: target),
            "seed \(seed), run \(behind) after launch \(positions[behind])")
        }
      }
    }
  }

  // MARK: Calibration

  @Test("Calibrated distances are mean outcomes of like predictions", arguments: UInt64(1)...4)
  func calibrationProperty(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let count = 4 + Int(random.next() % 30)
    var history: [Int] = []
    var calibrated = CalibratedDistance(
      GapDistance(appCount: count, weight: 0.2), appCount: count, gaps: 3)
    var plain = PlainCalibration(apps: count, gaps: 3, weight: 0.2)
    for launch in 0..<250 {
      // Small numbers are popular; some apps are hardly ever used.
      let draw = Double(random.next() % 1000) / 1000
      var app = Int(draw * draw * draw * Double(count))
      if app == history.last { app = (app + 1) % count }
      history.append(app)
      calibrated.launched(AppIndex(app))
      plain.launched(app)
      guard launch % 83 == 82 else { continue }
      calibrated.fit()
      let ours = (0..<count).map { calibrated.distance(to: AppIndex($0)) }
      #expect(agree(ours, (0..<count).map { plain.distance(to: $0) }, within: 1e-9))
    }
  }
}

/// Calibration restated: every prediction is kept, and everything is computed afresh.
private struct PlainCalibration {
  private struct Prediction {
    let app: Int
    let launch: Int
    let group: Int?
    let position: Int
  }

  let apps: Int
  let gaps: Int
  let weight: Double
  private var history: [Int] = []
  private var predictions: [Prediction] = []

  init(apps: Int, gaps: Int, weight: Double) {
    self.apps = apps
    self.gaps = gaps
    self.weight = weight
  }

  mutating func launched(_ app: Int) {
    history.append(app)
    for (position, other) in recent().enumerated() where (1..<24).contains(position) {
      predictions.append(
        Prediction(app: other, launch: history.count, group: group(of: other), position: position))
    }
  }

  private func recent() -> [Int] {
    var result: [Int] = []
    for app in history.reversed() where !result.contains(app) { result.append(app) }
    return result
  }

  /// Class of the prediction for an app.
  private func group(of app: Int) -> Int? {
    let times = history.indices.filter { history[$0] == app }
    guard times.count > gaps, let last = times.last else { return nil }
    var mean = Double(times[1] - times[0])
    for (a, b) in zip(times, times.dropFirst()).dropFirst() {
      mean += weight * (Double(b - a) - mean)
    }
    let distance = (mean - Double(history.count - 1 - last)).rounded()
    // 40 classes of 0.4 in log2(1 + |d|): powers of two are compared instead of a logarithm.
    var group = 20
    let size = 1 + abs(distance)
    if distance >= 0 {
      while group < 39, size >= Self.power(0.4 * Double(group - 19)) { group += 1 }
    } else {
      while group > 0, size > Self.power(0.4 * Double(20 - group)) { group -= 1 }
    }
    return group
  }

  /// 2 to a multiple of 0.4, exact where it is a whole number.
  private static func power(_ exponent: Double) -> Double {
    let steps = Int((exponent / 0.4).rounded())
    var result = Double(1 << (2 * (steps / 5)))
    for _ in 0..<steps % 5 { result *= 1.319507910772894 }
    return result
  }

  func distance(to app: Int) -> Double {
    var byGroup = [[Double]](repeating: [], count: 40)
    var byPosition = [[Double]](repeating: [], count: 64)
    for prediction in predictions {
      let back = (prediction.launch..<history.count).first { history[$0] == prediction.app }
      let outcome = back.map { $0 - prediction.launch + 1 } ?? 64
      guard back != nil || history.count - prediction.launch >= 64 else { continue }
      if let group = prediction.group { byGroup[group].append(Double(min(64, outcome))) }
      byPosition[prediction.position].append(Double(min(64, outcome)))
    }
    if let group = group(of: app), let mean = Self.mean(byGroup, at: group) { return mean }
    let position = recent().firstIndex(of: app) ?? 63
    return Self.mean(byPosition, at: position) ?? 64
  }

  /// The isotonic mean of the class, else of the nearest one below with outcomes, else above.
  private static func mean(_ outcomes: [[Double]], at position: Int) -> Double? {
    let known = outcomes.indices.filter { !outcomes[$0].isEmpty }
    guard let nearest = known.last(where: { $0 <= position }) ?? known.first else { return nil }
    return PredictionModelTests.maxMin(outcomes, at: nearest)
  }
}
