/// Numbers from 1 of which the lowest free one is taken next.
///
/// A heap of the numbers that came back, so that a capture in which many thousand processes of one
/// name live at a time costs no more than any other.
struct FreeNumbers {
  /// Numbers up to here were handed out at least once.
  private(set) var highest = 0
  /// Those that came back; each is at most its two children, at 2n + 1 and 2n + 2.
  private var heap: [Int] = []

  /// The lowest number that came back; nil if none did.
  ///
  /// Complexity: O(log n).
  mutating func takeReturned() -> Int? {
    guard let lowest = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return lowest }
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      guard heap[child] < last else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = last
    return lowest
  }

  /// The number after all those that were handed out.
  mutating func takeNext() -> Int {
    highest += 1
    return highest
  }

  /// Gives a number back that was taken.
  ///
  /// Complexity: O(log n).
  mutating func giveBack(_ number: Int) {
    var place = heap.count
    heap.append(number)
    while place > 0, heap[(place - 1) / 2] > number {
      heap[place] = heap[(place - 1) / 2]
      place = (place - 1) / 2
    }
    heap[place] = number
  }
}
