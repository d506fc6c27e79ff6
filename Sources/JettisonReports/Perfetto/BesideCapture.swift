internal import JettisonPerfetto
internal import JettisonSupport

/// A capture that runs are to lie beside.
struct BesideCapture: Sendable {
  private static let gzipMagic: [UInt8] = [0x1F, 0x8B]

  let path: String
  /// What must be added to the time since boot to get the time since 1970.
  private let epochOffset: Int64
  /// First and last time of its packets, since boot.
  private let times: ClosedRange<Int64>

  /// Reads what the clocks of a capture say.
  ///
  /// - Throws: ``ReportError`` if it is no whole Perfetto trace, or none whose clocks are known.
  init(path: String) throws(ReportError) {
    guard let file = MappedFile(path: path) else { throw .unreadable(path: path) }
    var clocks = PerfettoClocks()
    var first = Int64.max
    var last = Int64.min
    try file.withBytes { (bytes) throws(ReportError) in
      try Self.checkIsTrace(bytes, path)
      var cursor = PacketCursor()
      while let step = cursor.next(bytes) {
        guard case .packet(let packet, _) = step else {
          if case .damage = step { continue }
          throw Self.cutShort(step, path)
        }
        guard let time = Self.read(packet, bytes, &clocks) else { continue }
        first = min(first, time)
        last = max(last, time)
      }
    }
    guard let offset = clocks.epochOffset, first <= last else {
      throw .unusable(
        path: path, what: "no snapshot of its clocks tells the date",
        remedy: "a simulation is put beside it by the date")
    }
    self.path = path
    epochOffset = offset
    times = first...last
  }

  /// The time since boot at which a run begins.
  func origin(of run: StartedRun) throws(ReportError) -> Int64 {
    guard let start = run.start.flatMap({ CivilTime.moment($0.utf8.span)?.nanoseconds }) else {
      throw .unusable(
        path: path, what: "trace '\(run.key.trace)' does not say when it starts",
        remedy: "replay the trace that was imported from the capture")
    }
    // A damaged capture may say any offset.
    let (origin, isOff) = start.subtractingReportingOverflow(epochOffset)
    let (end, endsOff) = origin.addingReportingOverflow(run.endNanoseconds)
    guard !isOff, !endsOff, origin <= times.upperBound, end >= times.lowerBound else {
      throw .unusable(
        path: path,
        what: "trace '\(run.key.trace)', which starts at \(run.start ?? ""), "
          + "is of another time than the capture",
        remedy: "replay the trace that was imported from it")
    }
    return origin
  }

  private static func checkIsTrace(
    _ bytes: borrowing Span<UInt8>, _ path: String
  ) throws(ReportError) {
    if bytes.count >= 2, bytes[0] == gzipMagic[0], bytes[1] == gzipMagic[1] {
      throw .unusable(path: path, what: "is compressed", remedy: "unpack it with gunzip")
    }
    guard PacketCursor.isTrace(copy bytes) else {
      throw .unusable(
        path: path, what: "is not a Perfetto trace", remedy: "name a capture in Perfetto's own form"
      )
    }
  }

  private static func cutShort(_ step: PacketCursor.Step, _ path: String) -> ReportError {
    guard case .cutShort(let range) = step else { return .unreadable(path: path) }
    return .unusable(
      path: path, what: "its last packet is cut short, and nothing can be put behind it",
      remedy: "keep the whole ones with 'head -c \(range.lowerBound)'")
  }

  /// Takes a snapshot of the clocks; returns the time of any other packet, if it is since boot.
  private static func read(
    _ packet: Range<Int>, _ bytes: borrowing Span<UInt8>, _ clocks: inout PerfettoClocks
  ) -> Int64? {
    var fields = ProtoFields(packet)
    var time: Int64?
    while let field = fields.next(copy bytes) {
      switch field.number {
      case 6:
        if let snapshot = ClockSnapshot(field.range, from: copy bytes) { clocks.take(snapshot) }
      case 8: time = PerfettoClocks.time(field.value)
      case 58 where field.value != UInt64(PerfettoClocks.boottime): return nil
      case 98 where field.value != 0: return nil
      default: break
      }
    }
    return time
  }
}
