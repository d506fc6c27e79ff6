/// Numbers in a row, kept four at a time; what fills up the last four is 0.
struct NumberRow: Sendable {
  private(set) var count = 0
  var fours: [SIMD4<Double>] = []

  /// A row of zeros.
  init(count: Int = 0) {
    grow(to: count)
  }

  init(_ numbers: [Double]) {
    grow(to: numbers.count)
    for position in numbers.indices { self[position] = numbers[position] }
  }

  subscript(position: Int) -> Double {
    get { fours[position >> 2][position & 3] }
    set { fours[position >> 2][position & 3] = newValue }
  }

  /// Adds zeros.
  mutating func grow(to count: Int) {
    self.count = count
    while fours.count * 4 < count { fours.append(.zero) }
  }

  /// The sum of the products of numbers at the same place; both are as long as each other.
  func product(_ other: NumberRow) -> Double {
    var sums = SIMD4<Double>.zero
    for position in fours.indices { sums += fours[position] * other.fours[position] }
    return sums.sum()
  }
}

/// A square matrix of numbers, row after row, each as a ``NumberRow`` is kept.
///
/// Four numbers at a time: every launch walks through a matrix of all apps.
struct SquareMatrix: Sendable {
  private(set) var size = 0
  /// Fours in a row.
  private var width = 0
  private var fours: [SIMD4<Double>] = []

  subscript(row: Int, column: Int) -> Double {
    get { fours[row * width + column >> 2][column & 3] }
    set { fours[row * width + column >> 2][column & 3] = newValue }
  }

  /// The four numbers of a row from column `4 * position` on.
  func four(ofRow row: Int, at position: Int) -> SIMD4<Double> { fours[row * width + position] }

  /// Adds rows and columns of zeros.
  mutating func grow(to size: Int) {
    let width = (size + 3) / 4
    var larger = [SIMD4<Double>](repeating: .zero, count: size * width)
    for row in 0..<self.size {
      for position in 0..<self.width {
        larger[row * width + position] = fours[row * self.width + position]
      }
    }
    fours = larger
    self.size = size
    self.width = width
  }

  /// The matrix times a column.
  func product(_ column: NumberRow) -> NumberRow {
    var result = NumberRow(count: size)
    for row in 0..<size {
      var sums = SIMD4<Double>.zero
      for position in 0..<width { sums += fours[row * width + position] * column.fours[position] }
      result[row] = sums.sum()
    }
    return result
  }

  /// A column times a row over a number: what an update of rank one takes off an inverse
  /// (Sherman and Morrison, 1950).
  struct Update: Sendable {
    var column: NumberRow
    var row: NumberRow
    var divisor = 1.0

    /// Takes off nothing.
    init(size: Int = 0) {
      column = NumberRow(count: size)
      row = NumberRow(count: size)
    }
  }

  /// Takes off two updates.
  mutating func apply(_ first: Update, _ second: Update) {
    let (size, width) = (size, width)
    let (firstRow, secondRow) = (first.row.fours.span, second.row.fours.span)
    var fours = fours.mutableSpan
    for row in 0..<size {
      let a = first.column[row] / first.divisor
      let b = second.column[row] / second.divisor
      for position in 0..<width {
        fours[row * width + position] -= a * firstRow[position] + b * secondRow[position]
      }
    }
  }

  /// The inverse, by Gauss-Jordan elimination with the largest pivot of each column; the matrix must
  /// have one.
  ///
  /// Complexity: O(size³).
  func inverted() -> SquareMatrix {
    var left = self
    var right = SquareMatrix()
    right.grow(to: size)
    for position in 0..<size { right[position, position] = 1 }
    for pivot in 0..<size {
      var largest = pivot
      for row in pivot..<size
      where left[row, pivot].magnitude > left[largest, pivot].magnitude { largest = row }
      left.swapRows(pivot, largest)
      right.swapRows(pivot, largest)
      let scale = 1 / left[pivot, pivot]
      // Columns before the pivot's hold nothing any more that anybody reads.
      left.scaleRow(pivot, by: scale, from: pivot >> 2)
      right.scaleRow(pivot, by: scale, from: 0)
      for row in 0..<size where row != pivot {
        let factor = left[row, pivot]
        guard factor != 0 else { continue }
        left.subtractRow(pivot, times: factor, of: row, from: pivot >> 2)
        right.subtractRow(pivot, times: factor, of: row, from: 0)
      }
    }
    return right
  }

  private mutating func swapRows(_ a: Int, _ b: Int) {
    guard a != b else { return }
    for position in 0..<width { fours.swapAt(a * width + position, b * width + position) }
  }

  private mutating func scaleRow(_ row: Int, by factor: Double, from first: Int) {
    for position in first..<width { fours[row * width + position] *= factor }
  }

  /// Takes a multiple of row `pivot` off another row, from some four of columns on.
  private mutating func subtractRow(
    _ pivot: Int, times factor: Double, of row: Int, from first: Int
  ) {
    for position in first..<width {
      fours[row * width + position] -= factor * fours[pivot * width + position]
    }
  }
}
