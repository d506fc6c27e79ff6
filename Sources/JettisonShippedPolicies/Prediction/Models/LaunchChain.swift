/// A first-order Markov chain over launches, with its inverse at hand.
///
/// From app `j` the user goes on to `l` with `P(j,l) = (N(j,l) + α·b(l)) / (N(j) + α)`, where `N`
/// counts launches of `l` right after `j` and `b(l)` is the share of `l` in all launches. The chain
/// keeps `G = K⁻¹`, from which two questions are answered exactly for every target `i` at once:
///
/// - `K = I − P + 1·bᵀ`: the expected number of launches until `i`, the solution `h` of
///   `(I − P₋ᵢ) h = 1`, is `(G(i,i) − G(j,i) + [i = j]) / π(i)` with `π = bᵀG` (Hunter, Linear
///   Algebra and its Applications 45, 1982).
/// - `K = I − γP`: the probability that `i` is launched before a time with
///   `Pr(time ≥ k) = γᵏ` is `G(j,i) / G(i,i)`, and `1 − 1 / G(i,i)` for `i = j`.
///
/// A launch changes one row of `P`, and `b`: two updates of rank one (Sherman and Morrison, 1950).
/// State: two numbers per pair of apps. O(n²) per launch of n apps, O(n³) now and then against
/// rounding, O(1) per question.
struct LaunchChain: Sendable {
  /// What the chain is asked for.
  enum Question: Sendable, Equatable {
    /// The expected number of launches until an app is launched.
    case distance
    /// The probability that an app is launched before a random horizon; `discount` is γ, below 1.
    case returnBefore(discount: Double)
  }

  private static let launchesBetweenInversions = 256

  /// Number of apps in the trace.
  let appCount: Int
  let question: Question
  /// Weight of the launch shares against the counts of a row: α, in launches.
  let prior: Double
  private let discount: Double
  /// 1 if `K` has the term `1·bᵀ`.
  private let restart: Double
  private var states: LaunchStates
  private var current = -1
  /// Launches of `column` right after `row`, and their sums by row.
  private var counts = SquareMatrix()
  private var rowTotals: [Double] = []
  private var launches = NumberRow()
  private var total = 0.0
  private var inverse = SquareMatrix()
  /// `bᵀG`.
  private var base = NumberRow()
  /// `x`: how much each row of `K` moves when the launch shares do.
  private var weights = NumberRow()
  /// `Gx`.
  private var moved = NumberRow()
  /// The two updates of a launch, kept for their storage.
  private var ofRow = SquareMatrix.Update()
  private var ofShares = SquareMatrix.Update()
  private var launchesSinceInversion = 0

  init(appCount: Int, question: Question, prior: Double) {
    self.appCount = appCount
    self.question = question
    self.prior = prior
    switch question {
    case .distance: (discount, restart) = (1, 1)
    case .returnBefore(let discount): (self.discount, restart) = (discount, 0)
    }
    states = LaunchStates(appCount: appCount)
  }

  /// Number of apps that have a state.
  var count: Int { states.count }

  /// Learns from a launch and moves on.
  mutating func launched(_ app: AppIndex) {
    if states.add(app) { growByState() }
    let state = states[app]
    guard state >= 0 else {
      // What follows an app without a state follows nothing.
      current = -1
      return
    }
    launchesSinceInversion += 1
    if launchesSinceInversion >= Self.launchesBetweenInversions || total == 0 {
      learn(state)
      invert()
    } else if !update(to: state) {
      invert()
    }
    current = state
  }

  /// The answer for an app, from the app launched last; nil for an app that has no state.
  func answer(for app: AppIndex) -> Double? {
    let target = states[app]
    return target >= 0 && current >= 0 ? answer(forState: target) : nil
  }

  /// Adds the answers for all states in their order, from the app launched last; none if that has no
  /// state.
  func appendAnswers(to answers: inout [Double]) {
    guard current >= 0 else { return }
    for target in 0..<count { answers.append(answer(forState: target)) }
  }

  private func answer(forState target: Int) -> Double {
    let own = inverse[target, target]
    let isCurrent = target == current
    switch question {
    case .distance:
      return (own - inverse[current, target] + (isCurrent ? 1 : 0)) / base[target]
    case .returnBefore:
      return isCurrent ? 1 - 1 / own : inverse[current, target] / own
    }
  }

  // MARK: Learning

  private mutating func learn(_ state: Int) {
    if current >= 0 {
      counts[current, state] += 1
      rowTotals[current] += 1
    }
    launches[state] += 1
    total += 1
  }

  private mutating func growByState() {
    counts.grow(to: count)
    rowTotals.append(0)
    launches.grow(to: count)
    border()
    ofRow = SquareMatrix.Update(size: count)
    ofShares = SquareMatrix.Update(size: count)
  }

  private func backOff(_ rowTotal: Double) -> Double { prior / (rowTotal + prior) }

  /// How much a row of `K` with so many launches moves when the launch shares do.
  private func weight(_ rowTotal: Double) -> Double { restart - discount * backOff(rowTotal) }

  /// Inverts `K` from the counts, by elimination with pivots.
  private mutating func invert() {
    launchesSinceInversion = 0
    var matrix = SquareMatrix()
    matrix.grow(to: count)
    for state in 0..<count {
      let own = backOff(rowTotals[state])
      for next in 0..<count {
        let share = launches[next] / total
        let probability = counts[state, next] / (rowTotals[state] + prior) + own * share
        matrix[state, next] =
          (state == next ? 1 : 0) - discount * probability + restart * share
      }
    }
    inverse = matrix.inverted()
    base = NumberRow(
      (0..<count).map { column in
        var sum = 0.0
        for state in 0..<count { sum += launches[state] / total * inverse[state, column] }
        return sum
      })
    weights = NumberRow(rowTotals.map(weight))
    moved = inverse.product(weights)
  }

  /// Adds a row and a column for an app that was never launched.
  ///
  /// No launch leads to it yet, and from it the user goes on by the launch shares: so `G` gets a column
  /// of zeros and the row `(γ − [K has 1·bᵀ])·bᵀG`, with 1 where they meet.
  private mutating func border() {
    let state = count - 1
    let factor = discount - restart
    let ofState = factor * base.product(weights) + weight(0)
    inverse.grow(to: count)
    for next in 0..<state { inverse[state, next] = factor * base[next] }
    inverse[state, state] = 1
    base.grow(to: count)
    weights.grow(to: count)
    weights[state] = weight(0)
    moved.grow(to: count)
    moved[state] = ofState
  }

  /// Learns from a launch and carries the inverse along; false if rounding forbids that.
  ///
  /// Both updates are worked out before either is made, so that the inverse is walked through once.
  private mutating func update(to state: Int) -> Bool {
    if current >= 0 {
      updateRow(current, to: state)
    } else {
      ofRow = SquareMatrix.Update(size: count)
    }
    updateShares(state)
    learn(state)
    guard ofRow.divisor > 1e-6, ofShares.divisor > 1e-6 else { return false }
    inverse.apply(ofRow, ofShares)
    return true
  }

  /// The row of the app left moves towards the app launched: `K += e·yᵀ`.
  ///
  /// `y = −γ (e(state) − P(row)) / (N(row) + 1 + α)`; as `K G = I`, `γ P(row)ᵀG` needs no sum.
  private mutating func updateRow(_ left: Int, to state: Int) {
    let share = 1 / (rowTotals[left] + 1 + prior)
    for position in base.fours.indices {
      ofRow.row.fours[position] =
        share
        * (inverse.four(ofRow: left, at: position) + restart * base.fours[position]
          - discount * inverse.four(ofRow: state, at: position))
    }
    ofRow.row[left] -= share
    for next in 0..<count { ofRow.column[next] = inverse[next, left] }
    ofRow.divisor = 1 + ofRow.row[left]
    let weight = weight(rowTotals[left] + 1)
    let change = weight - weights[left] - ofRow.row.product(weights)
    weights[left] = weight
    let ofBase = base[left] / ofRow.divisor
    let ofMoved = change / ofRow.divisor
    for position in base.fours.indices {
      base.fours[position] -= ofBase * ofRow.row.fours[position]
      moved.fours[position] += ofMoved * ofRow.column.fours[position]
    }
  }

  /// The launch shares move towards the app launched: `K += x·yᵀ` with `y = Δb`; the row has moved
  /// before.
  private mutating func updateShares(_ state: Int) {
    let share = 1 / (total + 1)
    let taken = ofRow.column[state] / ofRow.divisor
    for position in base.fours.indices {
      let row = inverse.four(ofRow: state, at: position) - taken * ofRow.row.fours[position]
      ofShares.row.fours[position] = share * (row - base.fours[position])
      ofShares.column.fours[position] = moved.fours[position]
    }
    let sum = launches.product(moved)
    let change = share * (moved[state] - sum / total)
    ofShares.divisor = 1 + change
    let ofBase = 1 - (sum / total + change) / ofShares.divisor
    for position in base.fours.indices {
      base.fours[position] += ofBase * ofShares.row.fours[position]
      moved.fours[position] /= ofShares.divisor
    }
  }
}
