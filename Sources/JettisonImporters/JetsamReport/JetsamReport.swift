internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// What a report of a jetsam event says: one moment of one device.
struct JetsamReport {
  /// More bytes are no report: each of the processes takes less than one kilobyte.
  static let mostBytes = 1 << 27
  /// Darwin's process numbers end below it (`PID_MAX` in `bsd/sys/proc_internal.h` of XNU).
  static let mostProcesses = 100_000

  /// Numbers of pages, as far as they are written.
  struct Pages {
    var free: Int64?
    var active: Int64?
    var inactive: Int64?
    var speculative: Int64?
    var wired: Int64?
    var purgeable: Int64?
    var fileBacked: Int64?
    /// Physical pages that the compressor fills.
    var compressor: Int64?
    /// Pages stored in them.
    var uncompressed: Int64?
  }

  /// A process of the report.
  struct Process {
    var name = ""
    /// Footprint in pages; resident pages in reports before iOS 7.
    var pages: Int64?
    /// Pages of it that are in the compressor.
    var compressedPages: Int64?
    /// Priority band; reports before iOS 10 have none.
    var band: Int64?
    var states: States = []
    /// Why it was killed, in the report's words; nil: it lives.
    var reason: String?
    /// Ticks of 24 MHz from the snapshot to the kill.
    var killTicks: Int64?
    /// Where the report says so.
    var line = 0
  }

  /// Words for states; further ones say nothing that a trace has a row for.
  struct States: OptionSet {
    let rawValue: UInt8
    /// In front.
    static let front = States(rawValue: 1 << 0)
    static let suspended = States(rawValue: 1 << 1)
    /// A daemon, not an app.
    static let daemon = States(rawValue: 1 << 2)
    /// Nothing to do: a daemon in band 0.
    static let idle = States(rawValue: 1 << 3)
    /// Runs without being in front.
    static let running = States(rawValue: 1 << 4)

    /// The state that a word names.
    init(word: String) {
      switch word {
      case "frontmost": self = .front
      case "suspended", "frozen": self = .suspended
      case "daemon": self = .daemon
      case "idle": self = .idle
      case "active", "resume", "continuous": self = .running
      default: self = []
      }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// The product's identifier, such as `iPhone14,2`.
  var product: String?
  /// Name and version of the system.
  var system: String?
  /// When the report was written.
  var date: CivilTime.Moment?
  /// Whole seconds from the snapshot to the report.
  var ageSeconds: Int64 = 0
  /// Bytes of a page; nil: not written.
  var pageBytes: Int64?
  var pages = Pages()
  private(set) var processes: [Process] = []

  /// Adds a process, unless there are more than a system can have.
  mutating func add(_ process: Process, issues: inout ImportIssues) {
    guard processes.count < Self.mostProcesses else {
      issues.add(
        .error, "more processes than a system can have: skipped", line: process.line)
      return
    }
    processes.append(process)
  }
}

extension JetsamReport {
  /// Bytes of a page where the report does not say: until iOS 8 physical pages had 4 KiB, also on
  /// the processors that map memory in pages of 16 KiB.
  static let olderPageBytes: Int64 = 4096

  /// Reads `2016-06-17 11:51:25.25 -0700`: a date with a space before its offset.
  static func moment(_ text: String) -> CivilTime.Moment? {
    CivilTime.moment(Array(text.utf8).span)
  }

  /// The word of `observed-exit` for a reason; nil if the reason is not known.
  ///
  /// The left column is of `kern_memorystatus.h` and of reports of iOS 5 to 18.
  static func cause(of reason: String) -> String? {
    switch reason {
    case "jettisoned": "memory-pressure"
    case "highwater": "high-water"
    case "vnode-limit": "vnode"
    case "vm-pageshortage": "page-shortage"
    case "proc-thrashing": "process-thrashing"
    case "fc-thrashing": "file-cache-thrashing"
    case "per-process-limit": "per-process-limit"
    case "disk-space-shortage": "disk-space-shortage"
    case "idle-exit", "long-idle-exit": "idle-exit"
    case "zone-map-exhaustion": "zone-map"
    case "vm-thrashing", "vm-compressor-thrashing": "compressor-thrashing"
    case "vm-compressor-space-shortage": "compressor-space"
    case "low-swap": "low-swap"
    case "sustained-memory-pressure": "sustained-pressure"
    // The pageout scan makes no progress; there is no nearer word.
    case "vm-pageout-starvation": "memory-pressure"
    default: nil
    }
  }
}
