/// One block that is live in the capture, and whether it exists here.
struct Block: BitwiseCopyable {
  /// Address in the app's arena; 0: it does not exist here.
  var address: UInt = 0
  var bytes: Int64 = 0
  var next = AppRecord.none
  var previous = AppRecord.none
  /// Log2 of the alignment; 0: none asked for.
  var alignmentShift: UInt8 = 0
  var isPurgeable = false
  /// Live in the capture; guards against damaged inputs.
  var isLive = false
  /// Exists here: the app runs and did not drop it.
  var isHere = false

  var alignment: Int64 {
    @inline(__always) get { alignmentShift == 0 ? 0 : 1 << Int64(alignmentShift) }
  }

  /// A block as an `alloc` row asks for it.
  @inline(__always)
  init(bytes: Int64, _ detail: EventDetail) {
    self.bytes = bytes
    isPurgeable = detail.isPurgeable
    if detail.alignment > 1 { alignmentShift = UInt8(detail.alignment.trailingZeroBitCount) }
  }

  /// A block without alignment that nothing but its app gives back.
  @inline(__always)
  init(bytes: Int64 = 0) { self.bytes = bytes }
}

/// The blocks of one app that are live in the capture, in order of birth.
struct BlockList: BitwiseCopyable {
  fileprivate(set) var first = AppRecord.none
  fileprivate var last = AppRecord.none
  /// Their bytes, whether they exist here or not.
  var bytes: Int64 = 0

  var isEmpty: Bool { first == AppRecord.none }
}

/// The live blocks of the capture, linked to a list for each app.
struct BlockTable: ~Copyable {
  private var blocks: Column<Block>

  init(slotCount: Int) {
    blocks = Column(repeating: Block(), count: slotCount)
  }

  init(copying other: borrowing BlockTable) {
    blocks = Column(copying: other.blocks)
  }

  subscript(slot: UInt32) -> Block {
    @inline(__always) _read { yield blocks[Int(slot)] }
    @inline(__always) _modify { yield &blocks[Int(slot)] }
  }

  /// Adds a block as the youngest of its app.
  @inline(__always)
  mutating func append(_ slot: UInt32, _ block: Block, to list: inout BlockList) {
    var block = block
    block.isLive = true
    block.previous = list.last
    block.next = AppRecord.none
    if list.isEmpty {
      list.first = slot
    } else {
      self[list.last].next = slot
    }
    list.last = slot
    list.bytes += block.bytes
    self[slot] = block
  }

  /// Takes a block out of its app's list.
  @inline(__always)
  mutating func remove(_ slot: UInt32, from list: inout BlockList) {
    let block = self[slot]
    if block.previous == AppRecord.none {
      list.first = block.next
    } else {
      self[block.previous].next = block.next
    }
    if block.next == AppRecord.none {
      list.last = block.previous
    } else {
      self[block.next].previous = block.previous
    }
    list.bytes -= block.bytes
    self[slot].isLive = false
    self[slot].isHere = false
  }
}
