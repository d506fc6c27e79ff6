internal import JettisonModel
internal import JettisonPerfetto
internal import JettisonTraces

/// What a Perfetto trace holds, read but not yet in order of time.
struct PerfettoCapture {
  var issues = ImportIssues()
  /// What shows which app is in front.
  var evidence = Set<Evidence>()
  /// Process of each thread that is not the first of its process.
  var threads: [Int32: Int32] = [:]
  /// When processes of a number were forked or started, in nanoseconds since boot, ascending.
  var forks: [Int32: [Int64]] = [:]
  var names: [String] = []
  /// The launches that were completed, by the number that the system gave them.
  var launches: [Int64: Launch] = [:]
  /// Time since 1970 less time since boot, in nanoseconds.
  var epochOffset: Int64?
  /// Offset of the device's zone in seconds.
  var zoneSeconds: Int64?
  /// Whether a thread of the kernel was seen.
  var hasKernelThreads = false
  /// The device, as far as the trace tells it.
  var device = CaptureDevice()
  /// The last time at which anything was said, in nanoseconds since boot.
  var end: Int64 = 0
  var records = GrowingList<PerfettoRecord>.Finished.memory([])
  /// First record of each part in which times do not fall.
  var partStarts: [Int] = []

  /// A launch as `launchingActivity#N:completed…` tells it.
  struct Launch {
    let package: String
    /// Nil: not told.
    let kind: LaunchKind?
  }

  /// Kinds of data that a capture may or may not hold.
  enum Evidence {
    case activities, launches, frames, scores, samples, meminfo, ends
    /// Scores of 900 and more: Android is at work, and score 0 is worth something.
    case cachedScores
  }
}

/// Reads the packets of a Perfetto trace.
///
/// Packets are routed by their bytes; only those that say something about the memory or the life of
/// a process are decoded. Places of issues are byte offsets of packets.
struct PerfettoReader: ~Copyable {
  /// What is read of a packet before its data.
  private struct Envelope {
    var timestamp: UInt64?
    var clock: UInt32?
    var sequence: UInt64 = 0
    var isAfterLoss = false
    var isOfOtherMachine = false
    var field = 0
    var data = 0..<0
  }

  var capture = PerfettoCapture()
  var clocks = PerfettoClocks()
  /// Where the packet at hand begins.
  var place = 0
  /// Process of each address space that counters of ftrace named.
  var addressSpaces: [UInt32: Int32] = [:]
  private var records: GrowingList<PerfettoRecord>
  private var lastAdded = Int64.min
  private var nameNumbers: [String: Int] = [:]
  /// Clock of the packets of each writer that names one for all.
  private var clockOfSequence: [UInt64: UInt32] = [:]
  private var sequences = Set<UInt64>()
  /// The processes that told their proportional set size.
  private var proportional = Set<Int32>()
  private var lastFrame: (pid: Int32, nanoseconds: Int64) = (0, 0)

  /// An empty reader.
  init(_ storage: TraceStorage) throws(TraceFault) {
    records = try GrowingList(storage)
  }

  /// Reads all packets.
  mutating func read(_ bytes: Span<UInt8>) throws(TraceFault) {
    var cursor = PacketCursor()
    while let step = cursor.next(bytes) {
      switch step {
      case .packet(let packet, let start):
        place = start
        try take(packet, of: bytes)
      case .damage(let range):
        capture.issues.add(
          .dataLoss, "bytes outside any packet are skipped (places are byte offsets)",
          line: range.lowerBound)
      case .cutShort(let range):
        capture.issues.add(
          .dataLoss, "the last packet is cut short (places are byte offsets)",
          line: range.lowerBound)
      }
    }
  }

  /// What was read.
  consuming func finish() throws(TraceFault) -> PerfettoCapture {
    var capture = capture
    capture.epochOffset = clocks.epochOffset
    capture.forks = capture.forks.mapValues { $0.sorted() }
    capture.records = try records.finish()
    return capture
  }

  /// Adds a record of the packet at hand.
  mutating func add(
    _ kind: PerfettoRecord.Kind, at nanoseconds: Int64, pid: Int32 = 0, value: Int64 = 0,
    flag: UInt8 = 0
  ) throws(TraceFault) {
    if records.count == 0 || nanoseconds < lastAdded { capture.partStarts.append(records.count) }
    lastAdded = nanoseconds
    capture.end = max(capture.end, nanoseconds)
    try records.append(
      PerfettoRecord(
        nanoseconds: nanoseconds, value: value, pid: pid, place: UInt32(clamping: place),
        kind: kind, flag: flag))
  }

  /// The number of a name.
  mutating func number(of name: String) -> Int64 {
    if let number = nameNumbers[name] { return Int64(number) }
    nameNumbers[name] = capture.names.count
    capture.names.append(name)
    return Int64(capture.names.count - 1)
  }

  /// The time of an event on a clock; nil, and an issue, if it cannot be told.
  mutating func time(_ timestamp: UInt64, of clock: UInt32) -> Int64? {
    let time = clocks.sinceBoot(timestamp, of: clock)
    if time == nil {
      capture.issues.add(
        .error, "an event with an absurd time, or a clock that is in no snapshot", line: place)
    }
    return time
  }

  mutating func damaged() {
    capture.issues.add(
      .error, "a packet is damaged inside (places are byte offsets)", line: place)
  }
}

// MARK: - Packets

extension PerfettoReader {
  private mutating func take(_ packet: Range<Int>, of bytes: Span<UInt8>) throws(TraceFault) {
    let envelope = envelope(packet, bytes)
    if envelope.isAfterLoss, sequences.contains(envelope.sequence) {
      capture.issues.add(
        .dataLoss, "packets of a writer were dropped before they were written", line: place)
    }
    sequences.insert(envelope.sequence)
    if envelope.isOfOtherMachine {
      capture.issues.add(
        .info, "a packet of another machine, such as a guest, is not read", line: place)
      return
    }
    let data = envelope.data
    switch envelope.field {
    case 1: return try takeFtrace(data, of: bytes)
    case 6: return decode(ClockSnapshot(data, from: bytes)) { $0.clocks.take($1) }
    case 35: return decode(TraceStats(data, from: bytes)) { $0.take($1) }
    case 45: return decode(SystemInfo(data, from: bytes)) { $0.take($1) }
    case 39:
      guard let log = AndroidLogPacket(data, from: bytes) else { return damaged() }
      return try take(log)
    case 50, 133:
      capture.issues.add(
        .dataLoss, "a compressed packet is not read (traceconv decompress_packets unpacks it)",
        line: place)
      return
    case 2, 7, 9, 76: break
    default: return
    }
    let clock =
      envelope.clock ?? clockOfSequence[envelope.sequence] ?? PerfettoClocks.boottime
    guard let time = time(envelope.timestamp ?? 0, of: clock) else { return }
    try takeTimed(envelope.field, data, of: bytes, at: time)
  }

  private mutating func takeTimed(
    _ field: Int, _ data: Range<Int>, of bytes: Span<UInt8>, at time: Int64
  ) throws(TraceFault) {
    switch field {
    case 2:
      guard let tree = ProcessTree(data, from: bytes) else { return damaged() }
      try take(tree, at: time)
    case 7:
      guard let stats = SysStats(data, from: bytes) else { return damaged() }
      try take(stats, at: time)
    case 9:
      guard let stats = ProcessStats(data, from: bytes) else { return damaged() }
      try take(stats, at: time)
    default:
      guard let frame = FrameTimelineEvent(data, from: bytes) else { return damaged() }
      try take(frame, at: time)
    }
  }

  private mutating func decode<Message>(
    _ message: Message?, _ body: (inout PerfettoReader, Message) -> Void
  ) {
    guard let message else { return damaged() }
    body(&self, message)
  }

  private mutating func envelope(_ packet: Range<Int>, _ bytes: Span<UInt8>) -> Envelope {
    var envelope = Envelope()
    var fields = ProtoFields(packet)
    while let field = fields.next(bytes) {
      switch field.number {
      case 8: envelope.timestamp = field.value
      case 10: envelope.sequence = field.value
      case 42: envelope.isAfterLoss = field.value != 0
      case 98: envelope.isOfOtherMachine = field.value != 0
      case 58: envelope.clock = UInt32(clamping: field.value)
      case 59:
        let defaults = TracePacketDefaults(field.range, from: bytes)
        guard let clock = defaults?.timestampClockID else { continue }
        clockOfSequence[envelope.sequence] = clock
      case 1, 2, 6, 7, 9, 35, 39, 45, 50, 76, 133:
        envelope.field = field.number
        envelope.data = field.range
      default: break
      }
    }
    return envelope
  }

  private mutating func take(_ info: SystemInfo) {
    if let minutes = info.timezoneOffMins { capture.zoneSeconds = Int64(minutes) * 60 }
    if let bytes = info.pageSize { capture.device.pageBytes = Int64(bytes) }
    let fingerprint = info.androidBuildFingerprint
    if !fingerprint.isEmpty {
      capture.device.era = .androidLMKD
      capture.device.model = CaptureDevice.model(ofFingerprint: fingerprint)
      capture.device.apiLevel = CaptureDevice.apiLevel(ofFingerprint: fingerprint)
    }
    if info.androidSdkVersion > 0 {
      capture.device.era = .androidLMKD
      capture.device.apiLevel = Int(clamping: info.androidSdkVersion)
    }
  }

  private mutating func take(_ stats: TraceStats) {
    for buffer in stats.bufferStats {
      if buffer.traceWriterPacketLoss > 0 {
        capture.issues.add(
          .dataLoss, "a writer lost packets because its buffer was full", line: place)
      }
      if buffer.chunksOverwritten > 0 {
        capture.issues.add(
          .info, "the ring buffer was full: the trace begins later than the recording", line: place)
      }
      if buffer.chunksDiscarded > 0 {
        capture.issues.add(
          .dataLoss, "the buffer was full: the trace ends earlier than the recording", line: place)
      }
    }
  }
}

// MARK: - Processes and memory

extension PerfettoReader {
  private mutating func take(_ tree: ProcessTree, at time: Int64) throws(TraceFault) {
    for thread in tree.threads where thread.tid != thread.tgid {
      capture.threads[thread.tid] = thread.tgid
    }
    for process in tree.processes {
      // kthreadd is process 2 and the parent of all threads of the kernel.
      if process.pid == 2 || process.ppid == 2 {
        capture.hasKernelThreads = true
        try add(.kernelThread, at: time, pid: process.pid)
        continue
      }
      try add(.parent, at: time, pid: process.pid, value: Int64(process.ppid))
      if let name = process.cmdline.first, !name.isEmpty {
        try add(.commandLine, at: time, pid: process.pid, value: number(of: name))
      }
    }
  }

  /// A poll of `/proc/<pid>/status`, and of `smaps_rollup` if the configuration asked for it.
  ///
  /// Only what changed is written. The parts of a footprint are anonymous memory, shared memory and
  /// swap. Where proportional sizes are told (`smr_pss_…`), they stand for the resident ones: what
  /// several processes share is then counted once.
  private mutating func take(_ stats: ProcessStats, at time: Int64) throws(TraceFault) {
    for process in stats.processes {
      let pid = process.pid
      if let score = process.oomScoreAdj { try addScore(score, pid, at: time) }
      if (process.smrPssAnonKb ?? process.smrPssShmemKb ?? process.smrSwapPssKb) != nil {
        proportional.insert(pid)
      }
      let isProportional = proportional.contains(pid)
      let flag = isProportional ? PerfettoRecord.proportionalPart : 0
      let last = flag | PerfettoRecord.lastPart
      let anonymous = isProportional ? process.smrPssAnonKb : process.rssAnonKb
      let shared = isProportional ? process.smrPssShmemKb : process.rssShmemKb
      let swapped = isProportional ? process.smrSwapPssKb : process.vmSwapKb
      if let anonymous {
        try addPart(.anonymous, anonymous, pid, time, (shared ?? swapped) == nil ? last : flag)
      }
      if let shared { try addPart(.shared, shared, pid, time, swapped == nil ? last : flag) }
      if let swapped { try addPart(.swapped, swapped, pid, time, last) }
    }
  }

  mutating func addScore(_ score: Int64, _ pid: Int32, at time: Int64) throws(TraceFault) {
    capture.evidence.insert(.scores)
    if score >= PerfettoRecord.cachedScore { capture.evidence.insert(.cachedScores) }
    try add(.score, at: time, pid: pid, value: score)
  }

  private mutating func addPart(
    _ kind: PerfettoRecord.Kind, _ kilobytes: UInt64, _ pid: Int32, _ time: Int64, _ flag: UInt8
  ) throws(TraceFault) {
    // More is not in any device, and sums stay within 64 bits.
    guard kilobytes <= 1 << 40 else {
      capture.issues.add(.error, "a size of more than 1 PiB", line: place)
      return
    }
    capture.evidence.insert(.samples)
    try add(kind, at: time, pid: pid, value: Int64(kilobytes) * 1024, flag: flag)
  }

  private mutating func take(_ stats: SysStats, at time: Int64) throws(TraceFault) {
    if !stats.psi.isEmpty {
      capture.issues.add(
        .info, "samples of pressure stalls are ignored: a trace has no event for them",
        line: place)
    }
    let total = stats.meminfo.first { $0.key == .memTotal }?.value
    let available = stats.meminfo.first { $0.key == .memAvailable }?.value
    if let total, total <= 1 << 40 { capture.device.ramBytes = Int64(total) * 1024 }
    guard let available, available <= 1 << 40 else { return }
    capture.evidence.insert(.meminfo)
    try add(.available, at: time, value: Int64(available) * 1024)
    guard let total, total <= 1 << 40, total >= available else { return }
    try add(.used, at: time, value: Int64(total - available) * 1024)
  }

  private mutating func take(_ frame: FrameTimelineEvent, at time: Int64) throws(TraceFault) {
    guard let start = frame.actualSurfaceFrameStart else { return }
    try addFrame(start.pid, at: time)
  }

  /// A process drew a frame; those in a row say nothing new for a while.
  mutating func addFrame(_ pid: Int32, at time: Int64) throws(TraceFault) {
    let elapsed = time - lastFrame.nanoseconds
    if pid == lastFrame.pid, (0..<100_000_000).contains(elapsed) { return }
    lastFrame = (pid, time)
    capture.evidence.insert(.frames)
    try add(.drew, at: time, pid: pid)
  }
}
