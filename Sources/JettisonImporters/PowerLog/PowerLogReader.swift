internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Reads iOS's power log: the states of apps, their memory, and that of the system.
///
/// **Times.** The log keeps seconds on a clock that starts at some 1970 and is never set; a second
/// table says how far the wall clock is from it, from when on. The trace runs on the log's clock.
/// It starts at the wall time of the first row, and each later change of the difference or of the
/// zone is a `clock` row.
///
/// **States** (``PowerLogRecord/State``). Foreground is `launch`. Running in the background is a
/// `background-mode` until the suspension. The home screen is no app. A process of the first
/// second ran before the log; a later one begins with its first state. Terminated is
/// `observed-exit`, with the cause if the log gives one.
///
/// **Memory of apps.** When an app is suspended the log asks the kernel for its usage: the
/// footprint and the largest footprint of the process so far, in bytes (`ri_phys_footprint` and
/// `ri_lifetime_max_phys_footprint` of `proc_pid_rusage`). In captures both change by whole pages
/// of 16,384 bytes. The footprint is a sample. The peak has no time: where it grew, it was reached
/// while the app last ran, and it is written at the beginning of that run as `derived`. A process
/// that is not known to have been larger has its first sample from its beginning on, `derived` too.
///
/// **Memory of the system.** The counters are pages of 16 KiB: swap in use, which is written in
/// bytes, is as many times 16,384 as pages were swapped out, up to the rounding to segments.
/// Devices with A7 and A8, whose kernels count 4 KiB, would show four times too much. Available
/// memory is pages that are free or backed by files, as the kernel counts it with its compressor
/// on. Everything that is no app of the trace has the rest: that figure is derived, from the
/// largest number of pages that the log ever accounts for.
///
/// The names of states come from `BKSApplicationState` in the system's frameworks; forensic
/// tools (APOLLO, iLEAPP) add the same difference of clocks.
enum PowerLogReader {
  /// Size of the pages that the log counts.
  static let pageBytes: Int64 = 16384

  /// Makes the trace of a database.
  static func read(_ input: TraceInput, _ options: ImportOptions) throws(TraceError) -> Trace {
    var issues = ImportIssues()
    let database = try SQLiteDatabase(input, issues: &issues)
    let rows = try PowerLogRows(database, &issues)
    guard let begin = rows.begin, let last = rows.records.last else {
      throw TraceError(
        file: input.displayName, what: "says nothing about any app or about memory",
        remedy: "a log of a day of use is CurrentPowerlog.PLSQL of a sysdiagnose")
    }
    let clock = PowerLogClock(rows, begin: begin)
    var timeline = try CaptureTimeline(input, options)
    timeline.issues = issues
    var lives = PowerLogLives(
      rows, begin: begin, offset: clock.offset, filter: AppFilter(options.apps))
    try lives.run(PowerLogBoots.find(rows), &timeline)
    try clock.run(until: last.nanoseconds, &timeline)
    let ram = Self.ramBytes(rows)
    try systemMemory(rows, lives.sizes, ram, clock.offset, &timeline)
    var source = "iOS power log"
    if let device = rows.device { source += " of \(device)" }
    var device = CaptureDevice()
    device.model = rows.model
    device.era = rows.build.flatMap(CaptureDevice.era(ofAppleBuild:))
    if ram > 0 { (device.ramBytes, device.pageBytes) = (ram, pageBytes) }
    return try timeline.finish(
      clock: .epoch(offsetSeconds: clock.zoneSeconds), source: source,
      endsAt: last.nanoseconds + clock.offset, device: rows.model.flatMap(AppleProduct.device),
      deviceYAML: device.yaml)
  }

  /// Memory of the largest number of pages that the log ever accounts for; 0: of none.
  private static func ramBytes(_ rows: PowerLogRows) -> Int64 {
    rows.records.reduce(Int64(0)) { most, record in
      if case .pages(_, let all) = record.kind { max(most, all) } else { most }
    } * pageBytes
  }

  /// Adds what everything but the apps uses, at each count of the system's pages.
  private static func systemMemory(
    _ rows: PowerLogRows, _ sizes: [PowerLogLives.Size], _ ram: Int64, _ offset: Int64,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let order = sizes.indices.sorted {
      (sizes[$0].nanoseconds, $0) < (sizes[$1].nanoseconds, $1)
    }
    var next = order[...]
    var current: [Int: Int64] = [:]
    var sum: Int64 = 0
    for record in rows.records {
      guard case .pages(let available, _) = record.kind else { continue }
      while let position = next.first, sizes[position].nanoseconds <= record.nanoseconds {
        next.removeFirst()
        let size = sizes[position]
        let bytes = min(max(size.bytes ?? 0, 0), TraceLimits.bytes)
        let change = bytes - (current.updateValue(bytes, forKey: size.life) ?? 0)
        let (total, isTooMuch) = sum.addingReportingOverflow(change)
        sum = isTooMuch ? .max : total
      }
      try timeline.add(
        .systemMemory(bytes: max(0, ram - available * pageBytes - sum)),
        at: record.nanoseconds + offset, line: record.line)
    }
  }
}

/// The wall clock of a power log.
struct PowerLogClock {
  /// Nanoseconds from the log's clock to the wall clock at the log's first row.
  let offset: Int64
  /// Seconds from UTC to the zone at the log's first row; nil: not known.
  let zoneSeconds: Int64?

  private let rows: PowerLogRows
  private let begin: Int64
  private let beginSeconds: Double

  /// Finds what the clocks showed at the log's first row.
  init(_ rows: PowerLogRows, begin: Int64) {
    self.rows = rows
    self.begin = begin
    let offset = Self.value(of: rows.offsets, at: begin) ?? 0
    let zone = Self.value(of: rows.zones, at: begin)
    self.offset = Int64((offset * 1e9).rounded())
    zoneSeconds = zone.map { Int64($0) }
    beginSeconds = offset + (zone ?? 0)
  }

  /// Adds the changes of the clock and of its zone, in whole seconds.
  func run(until end: Int64, _ timeline: inout CaptureTimeline) throws(TraceError) {
    let times = Set((rows.offsets + rows.zones).map(\.nanoseconds)).sorted()
    var told: Int64 = 0
    var offsets = rows.offsets[...]
    var zones = rows.zones[...]
    var offset = rows.offsets.first?.seconds ?? 0
    var zone = rows.zones.first?.seconds ?? 0
    for time in times {
      while let next = offsets.first, next.nanoseconds <= time {
        offset = next.seconds
        offsets.removeFirst()
      }
      while let next = zones.first, next.nanoseconds <= time {
        zone = next.seconds
        zones.removeFirst()
      }
      guard time > begin, time <= end else { continue }
      let seconds = Int64((offset + zone - beginSeconds).rounded())
      guard seconds != told else { continue }
      try timeline.add(.clock(seconds: seconds - told), at: time + self.offset)
      told = seconds
    }
  }

  /// What holds at a time: the last entry not after it, else the first.
  private static func value(
    of entries: [(nanoseconds: Int64, seconds: Double)], at time: Int64
  ) -> Double? {
    (entries.last { $0.nanoseconds <= time } ?? entries.first)?.seconds
  }
}
