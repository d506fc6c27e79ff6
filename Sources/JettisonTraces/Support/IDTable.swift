/// Live ids of one app (blocks or tasks) and the dense slots they have.
///
/// Open addressing with linear probing and backward-shift deletion: no tombstones, no allocation
/// per id. Budget: 10 ns per operation.
package struct IDTable {
  private struct Entry: BitwiseCopyable {
    var id: Int64
    /// Slot plus one; 0 marks a vacant entry.
    var mark: UInt32
  }

  private var entries: [Entry] = []
  package private(set) var count = 0

  /// An empty table.
  package init() {}

  /// The slot of a live id.
  package func slot(of id: Int64) -> UInt32? {
    guard count > 0 else { return nil }
    let position = find(id)
    let mark = entries[position].mark
    return mark == 0 ? nil : mark - 1
  }

  /// Makes an id live; false if it is already.
  ///
  /// - Precondition: `slot` is below `UInt32.max`.
  package mutating func insert(_ id: Int64, slot: UInt32) -> Bool {
    if (count + 1) * 4 > entries.count * 3 { grow() }
    let position = find(id)
    guard entries[position].mark == 0 else { return false }
    entries[position] = Entry(id: id, mark: slot + 1)
    count += 1
    return true
  }

  /// Ends an id; the slot it had, or nil if it was not live.
  package mutating func remove(_ id: Int64) -> UInt32? {
    guard count > 0 else { return nil }
    var hole = find(id)
    let mark = entries[hole].mark
    guard mark != 0 else { return nil }
    let mask = entries.count - 1
    var next = (hole + 1) & mask
    while entries[next].mark != 0 {
      let distanceFromHome = (next - home(entries[next].id)) & mask
      if distanceFromHome >= (next - hole) & mask {
        entries[hole] = entries[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    entries[hole].mark = 0
    count -= 1
    return mark - 1
  }

  /// Ends every id and hands the slots back, in the order of the table.
  ///
  /// The order follows from the ids and their history alone, so it is the same in every run.
  package mutating func drain(into slots: inout [UInt32]) {
    if count > 0 {
      for entry in entries where entry.mark != 0 { slots.append(entry.mark - 1) }
    }
    entries = []
    count = 0
  }

  private func home(_ id: Int64) -> Int {
    // Wrapping on purpose: a multiplicative hash is defined modulo 2^64.
    var hash = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 32
    return Int(truncatingIfNeeded: hash) & (entries.count - 1)
  }

  private func find(_ id: Int64) -> Int {
    let mask = entries.count - 1
    var position = home(id)
    while entries[position].mark != 0, entries[position].id != id {
      position = (position + 1) & mask
    }
    return position
  }

  private mutating func grow() {
    let old = entries
    entries = Array(repeating: Entry(id: 0, mark: 0), count: max(16, old.count * 2))
    for entry in old where entry.mark != 0 { entries[find(entry.id)] = entry }
  }
}
