/// A save in flight: what it will make durable, and when.
struct Save: BitwiseCopyable {
  var app = AppIndex.none
  /// Next save of the same app, or next free slot.
  var next = AppRecord.none
  var token: UInt32 = 0
  var trigger = RecordedCause.unspecified
  var isPartial = false
  var isAtomic = true
  /// A modelled background task that ends with the save.
  var holdsTask = false
  /// Made in the expiration handler: the app's tasks end with it.
  var endsTasks = false
  /// Begun when the app resigned, which it had left before the end: the handler of leaving comes then.
  var precedesLeave = false
  var durationNanoseconds: Int64 = 0
  /// When it ends; while it is frozen, what is left of it.
  var endsAt: Int64 = 0
  var isFrozen = false
  /// What the ledger's durable side reaches.
  var targetBytes: Int64 = 0
  var targetWorkNanoseconds: Int64 = 0
  var targetSynced: Int64 = 0
  var targetPosition: Int64 = 0
  var newestEditTime: Int64 = -1
}

/// The saves in flight of all apps.
struct SaveTable: ~Copyable {
  private var saves = Column<Save>(capacity: 16)
  private var firstFree = AppRecord.none

  init() {}

  init(copying other: borrowing SaveTable) {
    saves = Column(copying: other.saves)
    firstFree = other.firstFree
  }

  subscript(slot: UInt32) -> Save {
    @inline(__always) _read { yield saves[Int(slot)] }
    @inline(__always) _modify { yield &saves[Int(slot)] }
  }

  /// Stores a save as the newest of the list that begins at `first`; the result is its slot.
  ///
  /// - Complexity: O(saves in flight of one app), which are few.
  mutating func add(_ save: Save, to first: inout UInt32) -> UInt32 {
    let slot = store(save)
    guard first != AppRecord.none else {
      first = slot
      return slot
    }
    var last = first
    while self[last].next != AppRecord.none { last = self[last].next }
    self[last].next = slot
    return slot
  }

  private mutating func store(_ save: Save) -> UInt32 {
    var save = save
    guard firstFree != AppRecord.none else {
      saves.append(save)
      return UInt32(saves.count - 1)
    }
    let slot = firstFree
    firstFree = self[slot].next
    // Wrapping on purpose: only equality with a token in the queue matters.
    save.token = self[slot].token &+ 1
    self[slot] = save
    return slot
  }

  /// Unlinks a save from the list that begins at `first`.
  mutating func remove(_ slot: UInt32, first: inout UInt32) {
    if first == slot {
      first = self[slot].next
    } else {
      var previous = first
      while self[previous].next != slot { previous = self[previous].next }
      self[previous].next = self[slot].next
    }
    self[slot].app = .none
    self[slot].token &+= 1
    self[slot].next = firstFree
    firstFree = slot
  }
}
