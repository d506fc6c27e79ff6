/// Candidates in no order, of which the first is found without comparing them all.
///
/// Scores stand densely in blocks, and each block knows its first candidate in the engine's total
/// order (``Candidate/precedes(_:_:)``). Above the blocks a tournament finds the first of all. A
/// block in which something changed is searched again, once somebody asks who is first: all of its
/// scores at a time, without a guess for the processor, which is faster than a heap.
struct CandidateTree: ~Copyable {
  private typealias Block = SIMD16<Double>
  private static let blockSize = Block.scalarCount
  private static let none = UInt32.max

  /// By place; beyond the last candidate infinite.
  private var scores = Column<Double>(repeating: .infinity, count: blockSize)
  private var candidates = Column<Candidate>(repeating: .none, count: blockSize)
  private var count = 0
  /// Where each app stands in the columns, by ``AppIndex``.
  private var places: Column<UInt32>
  /// The place of the first candidate below each node: 1 is the root, `leafCount` and up are the
  /// blocks; above a block that is to be searched, whatever was there before.
  private var winners = Column<UInt32>(repeating: none, count: 2)
  private var leafCount = 1
  /// Blocks that are to be searched come first, ``staleCount`` of them.
  private var staleBlocks = Column<UInt32>(repeating: 0, count: 2)
  private var staleCount = 0
  private var isStale = Column<Bool>(repeating: false, count: 1)

  init(appCount: Int) {
    places = Column(repeating: Self.none, count: appCount)
  }

  var isEmpty: Bool { count == 0 }

  /// Puts a candidate in, or where it belongs now.
  ///
  /// - Complexity: O(1) amortised.
  mutating func put(_ candidate: Candidate) {
    var place = places[candidate.app.position]
    if place == Self.none {
      if count == scores.count { addBlocks() }
      place = UInt32(count)
      places[candidate.app.position] = place
      count += 1
    }
    scores[Int(place)] = candidate.score
    candidates[Int(place)] = candidate
    noteChange(at: place)
  }

  /// Takes an app out, if it is in; the last candidate gets its place.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  mutating func remove(_ app: AppIndex) {
    let place = places[app.position]
    if place != Self.none { remove(app, from: place) }
  }

  private mutating func remove(_ app: AppIndex, from place: UInt32) {
    count -= 1
    let last = candidates[count]
    scores[Int(place)] = last.score
    candidates[Int(place)] = last
    places[last.app.position] = place
    noteChange(at: place)
    scores[count] = .infinity
    noteChange(at: UInt32(count))
    places[app.position] = Self.none
  }

  /// The next victim; nil if the tree is empty.
  ///
  /// - Complexity: O(log n) for each block in which something changed.
  mutating func first() -> Candidate? {
    while staleCount > 0 {
      staleCount -= 1
      let block = Int(staleBlocks[staleCount])
      isStale[block] = false
      winners[leafCount + block] = search(block)
      climb(from: block)
    }
    return isEmpty ? nil : candidates[Int(winners[1])]
  }

  // MARK: Blocks

  @inline(__always)
  private mutating func noteChange(at place: UInt32) {
    let block = Int(place) / Self.blockSize
    // Listed or not is a toss of a coin: no branch.
    staleBlocks[staleCount] = UInt32(truncatingIfNeeded: block)
    staleCount += isStale[block] ? 0 : 1
    isStale[block] = true
  }

  /// The place of the first candidate of a block: the least score, and among equals the one that comes
  /// first.
  @inline(__always)
  private mutating func search(_ block: Int) -> UInt32 {
    let start = block * Self.blockSize
    guard start < count else { return Self.none }
    let scores = scores.vector(at: start, as: Block.self)
    let least = scores.leastScalar
    // Where all but one are 0, the sum is that one.
    let marks = Self.marks.replacing(with: 0, where: scores .!= least).wrappedSum()
    return marks < 2 * Self.mark
      ? UInt32(start) + UInt32(truncatingIfNeeded: marks - Self.mark)
      : searchEqual(start, least)
  }

  /// More than the sum of all places in a block.
  private static let mark: Int64 = 1 << 16
  /// For each place in a block its number, marked.
  private static var marks: SIMD16<Int64> {
    SIMD16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) &+ mark
  }

  @inline(never)
  private mutating func searchEqual(_ start: Int, _ least: Double) -> UInt32 {
    var first = start
    for place in start..<min(start + Self.blockSize, count) where scores[place] == least {
      if scores[first] != least || Candidate.precedes(candidates[place], candidates[first]) {
        first = place
      }
    }
    return UInt32(first)
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
  private mutating func addBlocks() {
    leafCount *= 2
    scores.resize(to: leafCount * Self.blockSize, repeating: .infinity)
    candidates.resize(to: leafCount * Self.blockSize, repeating: .none)
    winners = Column(repeating: Self.none, count: 2 * leafCount)
    isStale = Column(repeating: true, count: leafCount)
    staleBlocks.resize(to: leafCount + 1, repeating: 0)
    for block in 0..<leafCount { staleBlocks[block] = UInt32(block) }
    staleCount = leafCount
  }
}

extension SIMD16<Double> {
  /// The least of them, of which none may be no number.
  fileprivate var leastScalar: Double {
    @inline(__always) get {
      // Four at a time: for more, the compiler (6.3) makes a loop of a comparison.
      let low = lowHalf.lowHalf.lesser(lowHalf.highHalf)
      let four = low.lesser(highHalf.lowHalf.lesser(highHalf.highHalf))
      let two = four.lowHalf.lesser(four.highHalf)
      return two.y < two.x ? two.y : two.x
    }
  }
}

extension SIMD where Scalar == Double {
  @inline(__always)
  fileprivate func lesser(_ other: Self) -> Self { replacing(with: other, where: other .< self) }
}

extension Candidate {
  /// Nobody.
  static var none: Candidate {
    Candidate(app: .none, group: 0, score: 0, suspendedAt: 0, footprintBytes: 0)
  }
}
