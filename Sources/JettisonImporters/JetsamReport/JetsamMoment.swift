internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Turns a jetsam report into the facts of one moment: the snapshot is the beginning, kills follow
/// it, and the report's date is the end.
struct JetsamMoment {
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000
  /// Bands above are out of reach of every kill: `kernel_task` and `launchd` have 999.
  private static let highestBand: Int64 = 210

  private let report: JetsamReport
  private let filter: AppFilter
  private let pageBytes: Int64
  private let isPageSizeKnown: Bool
  /// Seconds that the report's date is ahead of UTC; nil: not known.
  private let zone: Int64?
  /// When the snapshot was taken, since 1970; 0 where the report has no date.
  private let snapshot: Int64
  private let end: Int64

  /// Prepares a report; only processes whose names the filter keeps count as apps.
  ///
  /// - Parameters:
  ///   - report: What was read.
  ///   - filter: Which apps to keep.
  ///   - zone: Seconds that a date without an offset is ahead of UTC; nil: not known.
  init(_ report: JetsamReport, _ filter: AppFilter, zone: Int64?) {
    self.report = report
    self.filter = filter
    let written = report.pageBytes ?? 0
    isPageSizeKnown = [4096, 16384].contains(written)
    pageBytes = isPageSizeKnown ? written : JetsamReport.olderPageBytes
    self.zone = report.date?.offsetSeconds ?? zone
    let local = (report.date?.localNanoseconds ?? 0) / Self.nanosecondsPerSecond
    let seconds = local - (self.zone ?? 0)
    let begin = report.date == nil ? 0 : max(0, seconds - report.ageSeconds)
    snapshot = begin * Self.nanosecondsPerSecond
    end = (begin + report.ageSeconds) * Self.nanosecondsPerSecond
  }

  /// Adds everything and makes the trace.
  consuming func write(to timeline: consuming CaptureTimeline) throws(TraceError) -> Trace {
    if !isPageSizeKnown {
      timeline.issues.add(.info, "the size of a page is unknown: 4096 bytes are assumed")
    }
    var hasFront = false
    for process in report.processes { try add(process, &hasFront, &timeline) }
    if let bytes = availableBytes(&timeline.issues) {
      try timeline.add(.available(bytes: bytes), at: snapshot)
    }
    if let bytes = systemBytes() { try timeline.add(.systemMemory(bytes: bytes), at: snapshot) }
    if report.processes.isEmpty {
      timeline.issues.add(.error, "the report has no process")
    }
    let clock: CaptureClock =
      report.date == nil ? .unknown : .epoch(offsetSeconds: zone)
    return try timeline.finish(
      clock: clock, source: source, endsAt: end,
      device: report.product.flatMap(AppleProduct.device), deviceYAML: device.yaml)
  }

  /// What the report says of a device that the device table does not have.
  private var device: CaptureDevice {
    var device = CaptureDevice()
    device.model = report.product
    device.era = report.system.flatMap(CaptureDevice.era(ofAppleSystem:))
    device.ramBytes = countedBytes
    if isPageSizeKnown { device.pageBytes = pageBytes }
    return device
  }

  private var source: String {
    var text = "jetsam report"
    if let system = report.system { text += " of \(system)" }
    if let product = report.product { text += ", \(product)" }
    return text + "; one moment: what ran, how large, and who was killed"
  }

  private func add(
    _ process: JetsamReport.Process, _ hasFront: inout Bool, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let line = process.line
    let life = timeline.process(named: process.name, ranBefore: true)
    if let keys = Self.catalogKeys(of: process) {
      timeline.describe(life, catalogKeys: keys)
    }
    if let bytes = bytes(process.pages) {
      try timeline.add(
        .footprint(bytes: bytes, isDerived: !isPageSizeKnown), at: snapshot, life, line: line)
    } else {
      timeline.issues.add(.error, "a process without a footprint", line: line)
    }
    if process.states.contains(.front), hasFront {
      timeline.issues.add(.info, "a second app in front counts as background", line: line)
    }
    if let state = Self.state(of: process, hasFront: &hasFront) {
      try timeline.add(state, at: snapshot, life, line: line)
    }
    if let band = process.band, band > Self.highestBand {
      try timeline.add(.pinned(true), at: snapshot, life, line: line)
    }
    guard let reason = process.reason else { return }
    let cause = JetsamReport.cause(of: reason)
    if cause == nil {
      timeline.issues.add(.info, "an unknown reason for a kill: 'other'", line: line)
    }
    try timeline.add(
      .exited(.observed(cause: cause ?? "other", band: process.band)),
      at: killed(process, &timeline.issues), life, line: line)
  }

  /// What is said of a process's state; an idle daemon runs no code, like a suspended app.
  private static func state(
    of process: JetsamReport.Process, hasFront: inout Bool
  ) -> CaptureFact? {
    let states = process.states
    if states.contains(.front), !hasFront {
      hasFront = true
      return .inFront
    }
    if states.isEmpty { return nil }
    return states.contains(.suspended) || states.contains(.idle) ? .suspended : .background
  }

  /// The time of a kill: ticks of 24 MHz after the snapshot.
  private func killed(_ process: JetsamReport.Process, _ issues: inout ImportIssues) -> Int64 {
    guard let ticks = process.killTicks else { return snapshot }
    // 125/3 ns a tick. A snapshot is posted within minutes; a day is none of this report.
    let day: Int64 = 86_400 * 24_000_000
    guard (0...day).contains(ticks) else {
      issues.add(.error, "a kill that is more than a day from the snapshot", line: process.line)
      return snapshot
    }
    return snapshot + ticks * 125 / 3
  }

  /// What the models of iOS need to know of a process that is no app: what it is, and its band.
  private static func catalogKeys(of process: JetsamReport.Process) -> String? {
    let band = process.band ?? -1
    if band > highestBand { return "kind: system" }
    if process.states.contains(.daemon) || process.states.contains(.idle) {
      return band > 0 ? "kind: daemon, band: \(band)" : "kind: daemon"
    }
    // Apps have at most the band of the front; what stands above is part of the system.
    return band > Int64(PriorityBand.foreground) ? "kind: system, band: \(band)" : nil
  }
}

// MARK: - Pages

extension JetsamMoment {
  private func bytes(_ pages: Int64?) -> Int64? {
    guard let pages else { return nil }
    let (bytes, overflow) = pages.multipliedReportingOverflow(by: pageBytes)
    return overflow || !(0...TraceLimits.bytes).contains(bytes) ? nil : bytes
  }

  /// What the system has left: free and file-backed pages.
  private func availableBytes(_ issues: inout ImportIssues) -> Int64? {
    let pages = report.pages
    guard let free = bytes(pages.free) else { return nil }
    if let fileBacked = bytes(pages.fileBacked) { return free + fileBacked }
    issues.add(
      .info, "file-backed pages are not counted: more memory may be available")
    return free + (bytes(pages.purgeable) ?? 0)
  }

  /// Physical memory as far as the report counts it; nil: it leaves out more than little.
  private var countedBytes: Int64? {
    let pages = report.pages
    guard let free = bytes(pages.free), let active = bytes(pages.active),
      let inactive = bytes(pages.inactive), let wired = bytes(pages.wired)
    else { return nil }
    return free + active + inactive + wired + (bytes(pages.speculative) ?? 0)
      + (bytes(pages.compressor) ?? 0)
  }

  /// Physical memory that no process of the trace has: what the counted pages hold, less what is
  /// available and what the processes take, of which the compressor keeps a part smaller.
  private func systemBytes() -> Int64? {
    let pages = report.pages
    guard let active = bytes(pages.active), let inactive = bytes(pages.inactive),
      let wired = bytes(pages.wired), let fileBacked = bytes(pages.fileBacked)
    else { return nil }
    let compressor = bytes(pages.compressor) ?? 0
    let used = active + inactive + (bytes(pages.speculative) ?? 0) + wired + compressor - fileBacked
    var taken: Int64 = 0
    for process in report.processes where filter.keeps(process.name) {
      let footprint = bytes(process.pages) ?? 0
      let stored = min(bytes(process.compressedPages) ?? 0, footprint)
      taken = min(taken + footprint - stored + compressed(stored, compressor), TraceLimits.sum)
    }
    return min(max(0, used - taken), TraceLimits.bytes)
  }

  /// What a part of the memory in the compressor takes there.
  private func compressed(_ bytes: Int64, _ compressor: Int64) -> Int64 {
    guard let stored = self.bytes(report.pages.uncompressed), stored > compressor else {
      return bytes
    }
    let product = bytes.multipliedFullWidth(by: compressor)
    // The quotient is less than `bytes`, because the divisor is more than `compressor`.
    return stored.dividingFullWidth(product).quotient
  }
}
