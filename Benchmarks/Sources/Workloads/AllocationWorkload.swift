import JettisonCore

/// One app in front that allocates, frees and reallocates a thousand times a second.
///
/// Shaped like what allocators see of real programs: most blocks have 16 to 128 bytes, one in
/// fifty has up to 256 KiB; a block is freed after a time that is spread evenly on a logarithmic
/// scale; one operation in thirty is a `realloc`; one block in seven lives on.
struct AllocationWorkload {
  static let nanosecondsPerOperation: Int64 = 1_000_000

  /// One operation on a block with a dense slot.
  struct Operation {
    var kind: EventKind
    var slot: Int
    var bytes: Int
  }

  private var generator = Generator(seed: 3)
  /// Slots of the live blocks, oldest first but for gaps that were filled.
  private var live: [Int] = []
  private var free: [Int] = []
  private(set) var slotCount = 0

  mutating func next() -> Operation {
    let choice = live.isEmpty ? 0 : generator.next(below: 1000)
    if choice < 520 {
      let slot = free.popLast() ?? slotCount
      slotCount = max(slotCount, slot + 1)
      live.append(slot)
      return Operation(kind: .alloc, slot: slot, bytes: nextSize())
    }
    let position = live.count - 1 - nextDistance()
    let slot = live[position]
    if choice >= 967 { return Operation(kind: .realloc, slot: slot, bytes: nextSize()) }
    live.swapAt(position, live.count - 1)
    live.removeLast()
    free.append(slot)
    return Operation(kind: .free, slot: slot, bytes: 0)
  }

  /// How far from the youngest live block.
  private mutating func nextDistance() -> Int {
    let magnitude = generator.next(below: 18)
    return generator.next(below: 1 << magnitude) % live.count
  }

  private mutating func nextSize() -> Int {
    let magnitude =
      generator.next(below: 50) == 0
      ? 10 + generator.next(below: 9) : 2 + generator.next(below: 5) + generator.next(below: 5)
    return 1 + generator.next(below: 1 << magnitude)
  }

  static func trace(operations: Int) -> Trace {
    var workload = AllocationWorkload()
    let app = AppIndex(0)
    var events: [TraceEvent] = []
    events.reserveCapacity(operations + 2)
    events.append(TraceEvent(timeNanoseconds: 0, kind: .launch, app: app))
    for number in 1...operations {
      let operation = workload.next()
      events.append(
        TraceEvent(
          timeNanoseconds: Int64(number) * nanosecondsPerOperation, kind: operation.kind, app: app,
          value: Int64(operation.bytes), slot: UInt32(operation.slot),
          flags: operation.kind == .free ? .hasID : [.hasID, .hasValue]))
    }
    events.append(
      TraceEvent(timeNanoseconds: Int64(operations) * nanosecondsPerOperation, kind: .end))
    return LaunchWorkload.trace(
      named: "allocations", appCount: 1, events, blockSlotCount: workload.slotCount)
  }

  /// A device with room for the app whatever it allocates, so that only its memory is timed.
  static func configuration(
    footprints: FootprintSource, usesThreadCache: Bool = true
  ) throws -> RunConfiguration {
    var device = try DeviceTable.device(named: "iphone-4")
    device.ramBytes = 64 << 30
    device.limitBytes = nil
    var configuration = RunConfiguration(
      device: device, pressure: .thresholds, profiles: [AppProfile()])
    configuration.footprints = footprints
    configuration.usesThreadCache = usesThreadCache
    return configuration
  }
}
