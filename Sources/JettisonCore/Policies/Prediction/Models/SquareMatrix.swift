/// A square matrix of numbers, row after row.
struct SquareMatrix: Sendable {
  private(set) var size = 0
  private var entries: [Double] = []

  subscript(row: Int, column: Int) -> Double {
    get { entries[row * size + column] }
    set { entries[row * size + column] = newValue }
  }

  /// Adds rows and columns of zeros.
  mutating func grow(to size: Int) {
    var larger = [Double](repeating: 0, count: size * size)
    for row in 0..<self.size {
      for column in 0..<self.size { larger[row * size + column] = self[row, column] }
    }
    entries = larger
    self.size = size
  }

  /// The matrix times a column.
  ///
  /// A sum waits for each of its additions: four rows at once do not wait for each other.
  func product(_ column: [Double]) -> [Double] {
    let size = size
    precondition(column.count >= size, "a column is as long as the matrix")
    var result = [Double](repeating: 0, count: size)
    unsafe entries.withUnsafeBufferPointer { entries in
      unsafe column.withUnsafeBufferPointer { column in
        for first in stride(from: 0, to: size, by: 4) {
          // Past the last row the last one is summed again.
          let rows = SIMD4(first, first + 1, first + 2, first + 3)
          let starts = pointwiseMin(rows, SIMD4(repeating: size - 1)) &* size
          let (a, b, c, d) = (starts[0], starts[1], starts[2], starts[3])
          var sums = SIMD4<Double>()
          for next in 0..<size {
            let values = unsafe SIMD4(
              entries[a + next], entries[b + next], entries[c + next], entries[d + next])
            unsafe sums += values * column[next]
          }
          for row in first..<min(first + 4, size) { result[row] = sums[row - first] }
        }
      }
    }
    return result
  }

  /// A column times a row over a number: what an update of rank one takes off an inverse
  /// (Sherman and Morrison, 1950).
  struct Update: Sendable {
    var column: [Double]
    var row: [Double]
    var divisor = 1.0

    /// Takes off nothing.
    init(size: Int) {
      column = Array(repeating: 0, count: size)
      row = Array(repeating: 0, count: size)
    }
  }

  /// Takes off two updates.
  ///
  /// Every launch does this to a matrix of all apps: through buffers several numbers go at once.
  mutating func apply(_ first: Update, _ second: Update) {
    let size = size
    precondition(
      min(first.column.count, first.row.count, second.column.count, second.row.count) >= size,
      "updates are as long as the matrix")
    unsafe entries.withUnsafeMutableBufferPointer { entries in
      unsafe first.row.withUnsafeBufferPointer { firstRow in
        unsafe second.row.withUnsafeBufferPointer { secondRow in
          for position in 0..<size {
            let a = first.column[position] / first.divisor
            let b = second.column[position] / second.divisor
            let start = position * size
            for next in 0..<size {
              unsafe entries[start + next] -= a * firstRow[next] + b * secondRow[next]
            }
          }
        }
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
      left.scaleRow(pivot, by: scale, from: pivot)
      right.scaleRow(pivot, by: scale, from: 0)
      for row in 0..<size where row != pivot {
        let factor = left[row, pivot]
        guard factor != 0 else { continue }
        left.subtractRow(pivot, times: factor, of: row, from: pivot)
        right.subtractRow(pivot, times: factor, of: row, from: 0)
      }
    }
    return right
  }

  private mutating func swapRows(_ a: Int, _ b: Int) {
    guard a != b else { return }
    for column in 0..<size { entries.swapAt(a * size + column, b * size + column) }
  }

  private mutating func scaleRow(_ row: Int, by factor: Double, from first: Int) {
    for column in first..<size { entries[row * size + column] *= factor }
  }

  /// Takes a multiple of row `pivot` off another row, from a column on.
  private mutating func subtractRow(
    _ pivot: Int, times factor: Double, of row: Int, from first: Int
  ) {
    let size = size
    precondition(pivot < size && row < size && first >= 0, "rows and columns of the matrix")
    unsafe entries.withUnsafeMutableBufferPointer { entries in
      let source = pivot * size
      let target = row * size
      for column in first..<size {
        unsafe entries[target + column] -= factor * entries[source + column]
      }
    }
  }
}
