internal import JettisonTraces

/// Values by whole numbers, such as processes by their ids.
///
/// A dictionary without order whose keys cost next to nothing to hash.
struct NumberMap<Key: FixedWidthInteger, Value> {
  private var slots = IDTable()
  private var values: [Value?] = []
  private var vacant: [UInt32] = []

  subscript(key: Key) -> Value? {
    get {
      guard let slot = slots.slot(of: Int64(truncatingIfNeeded: key)) else { return nil }
      return values[Int(slot)]
    }
    set {
      let id = Int64(truncatingIfNeeded: key)
      guard let newValue else { return remove(id) }
      if let slot = slots.slot(of: id) {
        values[Int(slot)] = newValue
      } else if let slot = vacant.popLast() {
        values[Int(slot)] = newValue
        _ = slots.insert(id, slot: slot)
      } else {
        _ = slots.insert(id, slot: UInt32(values.count))
        values.append(newValue)
      }
    }
  }

  private mutating func remove(_ id: Int64) {
    guard let slot = slots.remove(id) else { return }
    values[Int(slot)] = nil
    vacant.append(slot)
  }
}
