/// Candidates in no order, of which the first is found without comparing them all.
///
/// Scores stand densely in blocks, and each block knows its first candidate in the engine's total
/// order (``Candidate/precedes(_:_:)``). Above the blocks a tournament finds the first of all. A
/// block is searched again only when its first candidate went or got another place, and only when
/// it is asked for. Up to 64 candidates are one block: scanning it is faster than keeping a heap.
struct CandidateTree: ~Copyable {
  private static let blockSize = 64
  private static let none = UInt32.max

  private var scores = Column<Double>(capacity: blockSize)
  private var candidates = Column<Candidate>(capacity: blockSize)
  /// Where each app stands in the columns, by ``AppIndex``.
  private var places: Column<UInt32>
  /// The place of the first candidate below each node: 1 is the root, `leafCount` and up are the
  /// blocks; above a block that is to be searched, whatever is known of the others.
  private var winners = Column<UInt32>(repeating: none, count: 2)
  private var leafCount = 1
  /// Blocks that are to be searched.
  private var staleBlocks = Column<UInt32>()
  private var isStale = Column<Bool>(repeating: false, count: 1)

  init(appCount: Int) {
    places = Column(repeating: Self.none, count: appCount)
  }

  var isEmpty: Bool { scores.isEmpty }

  /// Puts a candidate in, or where it belongs now.
  ///
  /// - Complexity: O(log n).
  mutating func put(_ candidate: Candidate) {
    var place = places[candidate.app.position]
    if place == Self.none {
      place = UInt32(scores.count)
      places[candidate.app.position] = place
      scores.append(candidate.score)
      candidates.append(candidate)
      if scores.count > leafCount * Self.blockSize { addLeaves() }
    } else {
      scores[Int(place)] = candidate.score
      candidates[Int(place)] = candidate
    }
    noteChange(at: place)
  }

  /// Takes an app out, if it is in.
  ///
  /// - Complexity: O(log n).
  @inline(__always)
  mutating func remove(_ app: AppIndex) {
    let place = places[app.position]
    if place != Self.none { remove(app, from: place) }
  }

  private mutating func remove(_ app: AppIndex, from place: UInt32) {
    places[app.position] = Self.none
    noteGap(at: place)
    let score = scores.removeLast()
    let last = candidates.removeLast()
    let lastPlace = UInt32(scores.count)
    guard place != lastPlace else { return }
    noteGap(at: lastPlace)
    scores[Int(place)] = score
    candidates[Int(place)] = last
    places[last.app.position] = place
    noteChange(at: place)
  }

  /// The next victim; nil if the tree is empty.
  ///
  /// - Complexity: O(log n) for each block that is to be searched.
  mutating func first() -> Candidate? {
    while !staleBlocks.isEmpty {
      let block = Int(staleBlocks.removeLast())
      isStale[block] = false
      winners[leafCount + block] = search(block)
      climb(from: block)
    }
    return winners[1] == Self.none ? nil : candidates[Int(winners[1])]
  }

  // MARK: Blocks

  /// The candidate at a place is new, or has changed.
  @inline(__always)
  private mutating func noteChange(at place: UInt32) {
    let block = Int(place) / Self.blockSize
    guard !isStale[block] else { return }
    let winner = winners[leafCount + block]
    if winner == place {
      makeStale(block)
    } else if winner == Self.none || precedes(place, winner) {
      winners[leafCount + block] = place
      climb(from: block)
    }
  }

  /// The candidate at a place is about to leave it.
  @inline(__always)
  private mutating func noteGap(at place: UInt32) {
    let block = Int(place) / Self.blockSize
    if !isStale[block], winners[leafCount + block] == place { makeStale(block) }
  }

  /// What is known above a block no longer holds.
  private mutating func makeStale(_ block: Int) {
    isStale[block] = true
    staleBlocks.append(UInt32(block))
    var node = leafCount + block
    while node > 0 {
      winners[node] = Self.none
      node /= 2
    }
  }

  /// The first candidate of a block: the least score, and among equals the one that comes first.
  private mutating func search(_ block: Int) -> UInt32 {
    var place = block * Self.blockSize
    let end = min(place + Self.blockSize, scores.count)
    guard place < end else { return Self.none }
    let least = leastScore(from: place, to: end)
    while scores[place] != least { place += 1 }
    var first = place
    place += 1
    while place < end {
      if scores[place] == least, Candidate.precedes(candidates[place], candidates[first]) {
        first = place
      }
      place += 1
    }
    return UInt32(first)
  }

  /// Four chains of comparisons, so that none has to wait for the other.
  @inline(__always)
  private mutating func leastScore(from start: Int, to end: Int) -> Double {
    var a = scores[start]
    var (b, c, d) = (a, a, a)
    var place = start
    while place + 3 < end {
      a = min(a, scores[place])
      b = min(b, scores[place + 1])
      c = min(c, scores[place + 2])
      d = min(d, scores[place + 3])
      place += 4
    }
    while place < end {
      a = min(a, scores[place])
      place += 1
    }
    return min(min(a, b), min(c, d))
  }

  // MARK: Tournament

  /// Finds the winners anew from a block to the root.
  @inline(__always)
  private mutating func climb(from block: Int) {
    var node = (leafCount + block) / 2
    while node > 0 {
      let (left, right) = (winners[2 * node], winners[2 * node + 1])
      let isLeft = right == Self.none || (left != Self.none && precedes(left, right))
      winners[node] = isLeft ? left : right
      node /= 2
    }
  }

  @inline(__always)
  private mutating func precedes(_ a: UInt32, _ b: UInt32) -> Bool {
    Candidate.precedes(candidates[Int(a)], candidates[Int(b)])
  }

  /// Makes room for twice as many blocks, all of which are to be searched.
  @inline(never)
  private mutating func addLeaves() {
    leafCount *= 2
    winners = Column(repeating: Self.none, count: 2 * leafCount)
    isStale = Column(repeating: true, count: leafCount)
    staleBlocks.removeAll()
    for block in 0..<leafCount { staleBlocks.append(UInt32(block)) }
  }
}
