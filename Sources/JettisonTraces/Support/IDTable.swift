/// Live ids of one app (blocks or tasks) and the dense slots they have.
///
/// Open addressing with linear probing and backward-shift deletion: no tombstones, no allocation
/// per id. Budget: 10 ns per operation.
package struct IDTable {
  // Apart from each other: whether an entry is vacant is asked of the small column, which stays in
  // the processor's caches for longer.
  private var ids: [Int64] = []
  /// Slots plus one; 0 marks a vacant entry.
  private var marks: [UInt32] = []
  package private(set) var count = 0
  /// How many hundredths of the entries may be taken.
  private let fullPercent: Int

  /// An empty table.
  ///
  /// - Parameter isRoomy: Whether to take twice the memory, which is for ids that are asked for more
  ///   often without being live: what is not there is found out sooner.
  package init(isRoomy: Bool = false) {
    fullPercent = isRoomy ? 37 : 75
  }

  /// The slot of a live id.
  package func slot(of id: Int64) -> UInt32? {
    guard count > 0 else { return nil }
    let mark = marks[find(id)]
    return mark == 0 ? nil : mark - 1
  }

  /// Makes an id live; false if it is already.
  ///
  /// - Precondition: `slot` is below `UInt32.max`.
  package mutating func insert(_ id: Int64, slot: UInt32) -> Bool {
    if (count + 1) * 100 > marks.count * fullPercent { grow() }
    let position = find(id)
    guard marks[position] == 0 else { return false }
    ids[position] = id
    marks[position] = slot + 1
    count += 1
    return true
  }

  /// Ends an id; the slot it had, or nil if it was not live.
  package mutating func remove(_ id: Int64) -> UInt32? {
    guard count > 0 else { return nil }
    var hole = find(id)
    let mark = marks[hole]
    guard mark != 0 else { return nil }
    let mask = marks.count - 1
    var next = (hole + 1) & mask
    while marks[next] != 0 {
      let distanceFromHome = (next - home(ids[next])) & mask
      if distanceFromHome >= (next - hole) & mask {
        ids[hole] = ids[next]
        marks[hole] = marks[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    marks[hole] = 0
    count -= 1
    return mark - 1
  }

  /// Ends every id and hands the slots back, in the order of the table.
  ///
  /// The order follows from the ids and their history alone, so it is the same in every run.
  package mutating func drain(into slots: inout [UInt32]) {
    if count > 0 {
      for mark in marks where mark != 0 { slots.append(mark - 1) }
    }
    ids = []
    marks = []
    count = 0
  }

  private func home(_ id: Int64) -> Int {
    // Wrapping on purpose: a multiplicative hash is defined modulo 2^64.
    var hash = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 32
    return Int(truncatingIfNeeded: hash) & (marks.count - 1)
  }

  private func find(_ id: Int64) -> Int {
    let mask = marks.count - 1
    var position = home(id)
    while marks[position] != 0, ids[position] != id { position = (position + 1) & mask }
    return position
  }

  private mutating func grow() {
    let (oldIDs, oldMarks) = (ids, marks)
    let capacity = max(16, oldMarks.count * 2)
    ids = Array(repeating: 0, count: capacity)
    marks = Array(repeating: 0, count: capacity)
    for (id, mark) in zip(oldIDs, oldMarks) where mark != 0 {
      let position = find(id)
      ids[position] = id
      marks[position] = mark
    }
  }
}
