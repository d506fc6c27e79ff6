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
}

/// The live blocks of the capture, linked in order of birth for each app.
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
  mutating func append(_ slot: UInt32, _ block: Block, to record: inout AppRecord) {
    var block = block
    block.isLive = true
    block.previous = record.lastBlock
    block.next = AppRecord.none
    if record.lastBlock == AppRecord.none {
      record.firstBlock = slot
    } else {
      self[record.lastBlock].next = slot
    }
    record.lastBlock = slot
    record.capturedBytes += block.bytes
    self[slot] = block
  }

  /// Takes a block out of its app's list.
  @inline(__always)
  mutating func remove(_ slot: UInt32, from record: inout AppRecord) {
    let block = self[slot]
    if block.previous == AppRecord.none {
      record.firstBlock = block.next
    } else {
      self[block.previous].next = block.next
    }
    if block.next == AppRecord.none {
      record.lastBlock = block.previous
    } else {
      self[block.next].previous = block.previous
    }
    record.capturedBytes -= block.bytes
    self[slot].isLive = false
    self[slot].isHere = false
  }
}
