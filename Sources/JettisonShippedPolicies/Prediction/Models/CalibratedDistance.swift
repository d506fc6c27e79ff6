#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Puts predicted distances, and apps without a prediction, on one scale: what became of such
/// predictions so far.
///
/// At every launch a prediction is noted for each of the 24 most recent apps but the one launched:
/// its distance, and its position among the most recent. When the app comes back, or after 64
/// launches without it, the outcome is known (64 at most). The calibrated distance of an app with a
/// history is the mean outcome of predictions like its own, made monotone in the prediction
/// (``IsotonicMean``); that of any other app the mean outcome at its position, made monotone too.
/// Predictions are alike if they fall into one of 40 classes that are even in log2(1 + |d|), with
/// the sign of d.
///
/// State: 64 small numbers per app. O(64) per launch, O(104) per fit.
struct CalibratedDistance<Predictor: DistancePredictor>: Sendable {
  /// Outcomes are cut off here, in launches; also the number of positions told apart.
  private static var horizon: Int { 64 }
  private static var reach: Int { 24 }
  private static var classes: Int { 40 }
  private static var largestPrediction: Int { 255 }

  /// Returns an app must have made before its predictions are used.
  let gaps: Int
  private var predictor: Predictor
  private var stack = LaunchStack()
  private var count = 0
  private var returns: [Int]
  private var wasLaunched: [Bool]
  /// Notes by app and launch modulo ``horizon``: class × 64 + position, where class 0 is no
  /// prediction.
  private var notes: [UInt16]
  /// Which notes of each app there are, a bit each.
  private var openNotes: [UInt64]
  /// Apps noted, by launch modulo ``horizon`` and position.
  private var noted: [AppIndex]
  private var byPrediction = IsotonicMean(classes: classes)
  private var byPosition = IsotonicMean(classes: horizon)
  private var classTable: [UInt8]
  private var positions: [Int]

  init(_ predictor: Predictor, appCount: Int, gaps: Int) {
    self.predictor = predictor
    self.gaps = gaps
    returns = Array(repeating: 0, count: appCount)
    wasLaunched = Array(repeating: false, count: appCount)
    notes = Array(repeating: 0, count: appCount * Self.horizon)
    openNotes = Array(repeating: 0, count: appCount)
    noted = Array(repeating: .none, count: Self.horizon * Self.reach)
    positions = Array(repeating: Self.horizon - 1, count: appCount)
    classTable = (-Self.largestPrediction...Self.largestPrediction).map { prediction in
      let size = log2(1 + Double(abs(prediction)))
      let scaled = (prediction < 0 ? -size : size) + 8
      return UInt8(min(Self.classes - 1, max(0, Int(scaled * Double(Self.classes) / 16))))
    }
  }

  // MARK: Learning

  /// Learns from a launch that counts.
  mutating func launched(_ app: AppIndex) {
    count += 1
    settle(app)
    if wasLaunched[app.position] { returns[app.position] += 1 }
    wasLaunched[app.position] = true
    predictor.launched(app)
    stack.launched(app)
    expire()
    note()
  }

  /// The app is back: every open note about it has its outcome.
  private mutating func settle(_ app: AppIndex) {
    var slots = openNotes[app.position]
    while slots != 0 {
      let slot = slots.trailingZeroBitCount
      slots &= slots - 1
      let age = (count - slot) % Self.horizon
      // As old as the horizon is one that is open for an app that comes back right then.
      resolve(slot, of: app, outcome: Double(age == 0 ? Self.horizon : age))
    }
  }

  /// Notes of the launch a horizon ago whose apps did not come back.
  private mutating func expire() {
    let slot = count % Self.horizon
    for position in slot * Self.reach..<(slot + 1) * Self.reach {
      let app = noted[position]
      guard app != .none, openNotes[app.position] & 1 << UInt64(slot) != 0 else { continue }
      resolve(slot, of: app, outcome: Double(Self.horizon))
    }
  }

  private mutating func resolve(_ slot: Int, of app: AppIndex, outcome: Double) {
    openNotes[app.position] &= ~(1 << UInt64(slot))
    let code = Int(notes[app.position * Self.horizon + slot])
    byPosition.add(outcome, class: code % Self.horizon)
    let predicted = code / Self.horizon
    if predicted > 0 { byPrediction.add(outcome, class: predicted - 1) }
  }

  private mutating func note() {
    let slot = count % Self.horizon
    for position in 0..<Self.reach {
      let place = slot * Self.reach + position
      guard position > 0, position < stack.apps.count else {
        noted[place] = .none
        continue
      }
      let app = stack.apps[position]
      noted[place] = app
      let predicted = prediction(app).map { Int($0) + 1 } ?? 0
      notes[app.position * Self.horizon + slot] = UInt16(predicted * Self.horizon + position)
      openNotes[app.position] |= 1 << UInt64(slot)
    }
  }

  /// The class of an app's prediction; nil if it has none that is used.
  @inline(__always)
  private func prediction(_ app: AppIndex) -> UInt8? {
    guard returns[app.position] >= gaps, let distance = predictor.distance(to: app) else {
      return nil
    }
    let largest = Double(Self.largestPrediction)
    return classTable[Int(min(largest, max(-largest, distance)).rounded()) + Self.largestPrediction]
  }

  // MARK: Estimates

  /// Brings the estimates up to date; to be called before they are asked for.
  mutating func fit() {
    byPrediction.fit()
    byPosition.fit()
    for position in stack.apps.indices {
      positions[stack.apps[position].position] = min(position, Self.horizon - 1)
    }
  }

  /// How many apps were launched since the app was; 63 stands for as many or more, and for never.
  func position(of app: AppIndex) -> Int { positions[app.position] }

  /// The calibrated number of launches until the app's next one, 64 at most.
  func distance(to app: AppIndex) -> Double {
    if let predicted = prediction(app), let mean = byPrediction[Int(predicted)] { return mean }
    return byPosition[positions[app.position]] ?? Double(Self.horizon)
  }
}

/// Purges the app whose calibrated distance is largest, and the most recent ones last.
struct CalibratedFarthestFirst<Predictor: DistancePredictor>: PurgePolicy {
  static var ordering: CandidateOrdering { .byPreparedScore }

  /// How many of the most recent apps go last, the newest at the very end.
  let protected: Int
  private var distances: CalibratedDistance<Predictor>
  private var sequence: LaunchSequence

  init(_ predictor: Predictor, appCount: Int, gaps: Int, protected: Int) {
    self.protected = protected
    distances = CalibratedDistance(predictor, appCount: appCount, gaps: gaps)
    sequence = LaunchSequence(appCount: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    if sequence.observe(event, apps: apps) { distances.launched(event.app) }
  }

  mutating func prepare(
    _ candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    distances.fit()
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    let position = distances.position(of: app)
    return position <= protected ? Double(1 + protected - position) : -distances.distance(to: app)
  }
}
