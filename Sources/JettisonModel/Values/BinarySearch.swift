extension RandomAccessCollection where Index == Int {
  /// The first position whose element is of the second part, where all of the first come before.
  ///
  /// Complexity: O(log n).
  @inlinable package func partitioningIndex(_ isInSecond: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isInSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
