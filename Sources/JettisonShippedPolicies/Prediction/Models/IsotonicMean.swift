/// Means of outcomes by class, pooled so that they never fall from one class to the next.
///
/// Classes are ordered. ``fit()`` gives every class the value of the monotone step function that is
/// nearest to the outcomes by squares: pool adjacent violators (Ayer, Brunk, Ewing, Reid and
/// Silverman, Annals of Mathematical Statistics 26(4), 1955). State: three numbers per class. O(1)
/// per outcome, O(classes) per fit.
struct IsotonicMean: Sendable {
  private var tallies: [Tally]
  private var values: [Double]
  private var isFitted = true

  private struct Tally {
    var count = 0.0
    var sum = 0.0
  }

  /// A stretch of classes with one value.
  private struct Block {
    var start: Int
    var count: Double
    var sum: Double

    func isAtLeast(_ next: Block) -> Bool { sum * next.count >= next.sum * count }
  }

  private var blocks: [Block] = []

  init(classes: Int) {
    tallies = Array(repeating: Tally(), count: classes)
    values = Array(repeating: .nan, count: classes)
  }

  /// Adds an outcome of a class.
  mutating func add(_ outcome: Double, class position: Int) {
    tallies[position].count += 1
    tallies[position].sum += outcome
    isFitted = false
  }

  /// Pools what was added since the last fit.
  mutating func fit() {
    guard !isFitted else { return }
    isFitted = true
    blocks.removeAll(keepingCapacity: true)
    for position in tallies.indices where tallies[position].count > 0 {
      let tally = tallies[position]
      blocks.append(Block(start: position, count: tally.count, sum: tally.sum))
      while blocks.count > 1, blocks[blocks.count - 2].isAtLeast(blocks[blocks.count - 1]) {
        let last = blocks.removeLast()
        blocks[blocks.count - 1].count += last.count
        blocks[blocks.count - 1].sum += last.sum
      }
    }
    var block = 0
    for position in values.indices where !blocks.isEmpty {
      while block + 1 < blocks.count, blocks[block + 1].start <= position { block += 1 }
      values[position] = blocks[block].sum / blocks[block].count
    }
  }

  /// The fitted mean of a class, or that of the nearest class below that has outcomes, or above;
  /// nil before the first fit with outcomes.
  subscript(position: Int) -> Double? {
    values[position].isNaN ? nil : values[position]
  }
}
