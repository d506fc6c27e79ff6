import PerfettoMessages
import SwiftProtobuf

/// A Perfetto trace made by hand, packet by packet.
struct PerfettoFixture {
  /// Nanoseconds of a second.
  static let second: UInt64 = 1_000_000_000
  /// Seconds since 1970 when the device of a fixture had run for 0 s; its monotonic clock began
  /// 100 s later.
  static let epochSeconds: UInt64 = 1_600_000_000

  private(set) var bytes: [UInt8] = []
  /// Where each packet begins.
  private(set) var places: [Int] = []

  /// A trace with a snapshot of the clocks at 1000 s.
  init(hasClocks: Bool = true) throws {
    guard hasClocks else { return }
    var snapshot = PerfettoClockSnapshot()
    for (clock, seconds) in [(6, 1000), (1, Self.epochSeconds + 1000), (3, 900)]
      as [(UInt32, UInt64)]
    {
      var reading = PerfettoClockSnapshot.Clock()
      reading.clockID = clock
      reading.timestamp = seconds * Self.second
      snapshot.clocks.append(reading)
    }
    try add(at: nil) { $0.clockSnapshot = snapshot }
  }

  /// Adds a packet.
  ///
  /// - Parameters:
  ///   - seconds: Time of the packet on its clock.
  ///   - clock: Which clock, if not that of boot.
  ///   - sequence: Number of the writer.
  mutating func add(
    at seconds: Double?, clock: UInt32? = nil, sequence: UInt32 = 1,
    _ fill: (inout PerfettoTracePacket) -> Void
  ) throws {
    var packet = PerfettoTracePacket()
    packet.trustedPacketSequenceID = sequence
    if let seconds { packet.timestamp = Self.nanoseconds(seconds) }
    if let clock { packet.timestampClockID = clock }
    fill(&packet)
    places.append(bytes.count)
    var trace = PerfettoTrace()
    trace.packet = [packet]
    bytes += try trace.serializedBytes() as [UInt8]
  }

  /// Adds bytes that no packet framed.
  mutating func add(raw: [UInt8]) { bytes += raw }

  static func nanoseconds(_ seconds: Double) -> UInt64 { UInt64((seconds * 1e9).rounded()) }

  // MARK: Packets

  /// Processes as (pid, parent, name), and threads as (tid, process).
  mutating func tree(
    at seconds: Double, _ processes: [(Int32, Int32, String)], threads: [(Int32, Int32)] = []
  ) throws {
    var tree = PerfettoProcessTree()
    for (pid, parent, name) in processes {
      var process = PerfettoProcessTree.Process()
      process.pid = pid
      process.ppid = parent
      process.cmdline = [name, "--option"]
      tree.processes.append(process)
    }
    for (tid, process) in threads {
      var thread = PerfettoProcessTree.Thread()
      thread.tid = tid
      thread.tgid = process
      tree.threads.append(thread)
    }
    try add(at: seconds) { $0.processTree = tree }
  }

  /// A poll: pid, anonymous, shared and swapped kB, and `oom_score_adj`; nil: not written.
  mutating func poll(
    at seconds: Double, _ rows: [(Int32, UInt64?, UInt64?, UInt64?, Int64?)]
  ) throws {
    var stats = PerfettoProcessStats()
    for (pid, anonymous, shared, swapped, score) in rows {
      var process = PerfettoProcessStats.Process()
      process.pid = pid
      if let anonymous { process.rssAnonKb = anonymous }
      if let shared { process.rssShmemKb = shared }
      if let swapped { process.vmSwapKb = swapped }
      if let score { process.oomScoreAdj = score }
      stats.processes.append(process)
    }
    try add(at: seconds) { $0.processStats = stats }
  }

  /// Memory of the system in kB.
  mutating func meminfo(at seconds: Double, total: UInt64, available: UInt64) throws {
    var stats = PerfettoSysStats()
    for (key, value) in [
      (PerfettoMeminfoCounters.meminfoMemTotal, total), (.meminfoMemAvailable, available),
    ] {
      var row = PerfettoSysStats.MeminfoValue()
      row.key = key
      row.value = value
      stats.meminfo.append(row)
    }
    try add(at: seconds) { $0.sysStats = stats }
  }

  /// Events of one processor; times are seconds since boot.
  mutating func ftrace(
    cpu: UInt32 = 0, _ events: [(Double, UInt32, PerfettoFtraceEvent.OneOf_Event)],
    _ change: (inout PerfettoFtraceEventBundle) -> Void = { _ in }
  ) throws {
    var bundle = PerfettoFtraceEventBundle()
    bundle.cpu = cpu
    for (seconds, thread, event) in events {
      var row = PerfettoFtraceEvent()
      row.timestamp = Self.nanoseconds(seconds)
      row.pid = thread
      row.event = event
      bundle.event.append(row)
    }
    change(&bundle)
    try add(at: nil, sequence: 2) { $0.ftraceEvents = bundle }
  }

  /// An event of Android's log; its time is seconds since boot, written as time since 1970.
  mutating func log(
    at seconds: Double, _ tag: String, pid: Int32 = 0,
    _ arguments: [(String, PerfettoAndroidLogPacket.LogEvent.Arg.OneOf_Value)]
  ) throws {
    var event = PerfettoAndroidLogPacket.LogEvent()
    event.tag = tag
    event.pid = pid
    event.timestamp = Self.epochSeconds * Self.second + Self.nanoseconds(seconds)
    for (name, value) in arguments {
      var argument = PerfettoAndroidLogPacket.LogEvent.Arg()
      argument.name = name
      argument.value = value
      event.args.append(argument)
    }
    var packet = PerfettoAndroidLogPacket()
    packet.events = [event]
    try add(at: nil, sequence: 3) { $0.androidLog = packet }
  }
}

/// Events of the kernel in short.
extension PerfettoFtraceEvent.OneOf_Event {
  static func score(_ pid: Int32, _ score: Int32) -> Self {
    var event = PerfettoOomScoreAdjUpdateFtraceEvent()
    event.pid = pid
    event.oomScoreAdj = score
    return .oomScoreAdjUpdate(event)
  }

  static func newTask(
    _ pid: Int32, _ name: String, flags: UInt64 = 0, score: Int32? = nil
  ) -> Self {
    var event = PerfettoTaskNewtaskFtraceEvent()
    event.pid = pid
    event.comm = name
    event.cloneFlags = flags
    if let score { event.oomScoreAdj = score }
    return .taskNewtask(event)
  }

  static func exit(_ thread: Int32, of process: Int32?, _ name: String = "main") -> Self {
    var event = PerfettoSchedProcessExitFtraceEvent()
    event.pid = thread
    if let process { event.tgid = process }
    event.comm = name
    return .schedProcessExit(event)
  }

  static func print(_ text: String) -> Self {
    var event = PerfettoPrintFtraceEvent()
    event.buf = text
    return .print(event)
  }

  static func rss(_ member: Int32, _ bytes: Int64, isOwn: Bool = true, space: UInt32 = 9) -> Self {
    var event = PerfettoRssStatFtraceEvent()
    event.member = member
    event.size = bytes
    event.curr = isOwn ? 1 : 0
    event.mmID = space
    return .rssStat(event)
  }
}
