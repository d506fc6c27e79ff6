internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// What one report of the kernel's OOM killer says: who ran, how large, and who was killed.
package struct KernelReport {
  /// Linux has no more process numbers (`PID_MAX_LIMIT`).
  package static let mostProcesses = 1 << 22

  /// A row of the table of processes, in pages.
  package struct Process: BitwiseCopyable {
    package var pid: Int64 = -1
    package var uid: Int64 = -1
    package var residentPages: Int64 = 0
    package var swapPages: Int64 = 0
    package var tablePages: Int64 = 0
    /// The same in bytes, as newer kernels print it.
    package var tableBytes: Int64 = 0
    package var adjustment: Int64 = 0
    /// Number of the name among the names of the capture.
    package var name: UInt32 = 0
    package var line = 0

    /// Everything that the process's end gives back, in pages; nil: more than any machine has.
    package func pages(pageBytes: Int64) -> Int64? {
      var sum = tableBytes / pageBytes
      let most = TraceLimits.bytes / pageBytes
      guard (0...most).contains(residentPages), (0...most).contains(swapPages),
        (0...most).contains(tablePages)
      else { return nil }
      sum += residentPages + swapPages + tablePages
      return sum >= 0 && sum <= most ? sum : nil
    }
  }

  /// A column of the table.
  package enum Field: Equatable {
    case uid, resident, swap, tablePages, tableBytes, adjustment, other
  }

  /// A process that was killed.
  package struct Victim {
    package let pid: Int64
    package let time: Int64?
    package let line: Int
  }

  package var time: Int64?
  package let line: Int
  /// Name of the process whose allocation failed.
  package var requester: String
  package var requesterPID: Int64?
  /// The allocation was of two to the power of so many pages.
  package var order: Int64 = 0
  /// Version of the kernel; nil: not told.
  package var version: KernelVersion?
  /// Bytes of a page; nil: not told.
  package var pageBytes: Int64?
  package var ramPages: Int64?
  package var reservedPages: Int64 = 0
  package var swapKilobytes: Int64?
  /// Limits of the control group whose report it is, in kilobytes.
  package var groupLimit: Int64?
  package var groupLimitWithSwap: Int64?
  package var groupSwapLimit: Int64?
  /// Path of that group below the root of its hierarchy; nil: not told.
  package var group: String?
  package var columns: [Field] = []
  package var processes: [Process] = []
  /// Who was to be killed, by an older kernel's words, which may take a child instead.
  package var chosenPID: Int64?
  package var printedScore: Int64?
  package var victims: [Victim] = []

  package init(time: Int64?, line: Int, requester: String) {
    self.time = time
    self.line = line
    self.requester = requester
  }

  /// Whether it is about a control group, not the machine.
  package var isOfGroup: Bool { groupLimit != nil }

  /// Memory and swap that the kernel counts by, in pages; nil: not told.
  package func capacity(pageBytes: Int64) -> (ramPages: Int64, swapPages: Int64)? {
    let kilobytes = pageBytes / 1024
    let limit = TraceLimits.bytes / pageBytes
    if let groupLimit {
      let ram = groupLimit / kilobytes
      let withSwap = groupLimitWithSwap.map { $0 / kilobytes - ram }
      let swap = withSwap ?? (groupSwapLimit ?? 0) / kilobytes
      guard (1...limit).contains(ram) else { return nil }
      // An unlimited one is not a size.
      return (ram, (0...limit).contains(swap) ? swap : 0)
    }
    guard let ramPages, (1...limit).contains(ramPages - reservedPages) else { return nil }
    let swap = (swapKilobytes ?? 0) / kilobytes
    return (ramPages - reservedPages, (0...limit).contains(swap) ? swap : 0)
  }
}

/// The version of a Linux kernel, and what its OOM killer spares root.
package struct KernelVersion: Equatable {
  package let major: Int64
  package let minor: Int64
  /// Whether it is the kernel of RHEL 7, which took the later rule over.
  package let isEL7: Bool

  /// What root's processes are spared.
  package enum RootBonus: Equatable {
    case none
    /// 3 % of the process's own points.
    case ofPoints
    /// 30 ‰ of RAM and swap.
    case ofTotal
  }

  package var rootBonus: RootBonus {
    if (major, minor) >= (4, 17) { return .none }
    return (major, minor) >= (3, 14) || isEL7 ? .ofPoints : .ofTotal
  }

  /// The version in `… Not tainted 3.10.0-514.el7.x86_64 #1`; nil: there is none.
  package init?(_ line: Span<UInt8>) {
    guard let taint = line.find("ainted") else { return nil }
    var position = taint
    while position < line.count {
      while position < line.count, line[position] != 0x20 { position += 1 }
      line.skipSpaces(&position)
      var next = position
      guard let major = line.number(&next), line.take(".", &next), let minor = line.number(&next)
      else { continue }
      self.major = major
      self.minor = minor
      isEL7 = line.find(".el7", from: next) != nil
      return
    }
    return nil
  }
}

extension KernelReport {
  /// The points of a process as the kernel counts them, without `adj` below -999.
  func points(_ process: Process, pageBytes: Int64, totalPages: Int64) -> Int64? {
    guard process.adjustment > -1000, let pages = process.pages(pageBytes: pageBytes) else {
      return nil
    }
    var points = pages + process.adjustment * (totalPages / 1000)
    if process.uid == 0 {
      switch version?.rootBonus ?? .none {
      case .none: break
      case .ofPoints: points -= pages * 3 / 100
      case .ofTotal: points -= 30 * (totalPages / 1000)
      }
    }
    return points
  }

  /// The machine, with the keys of a device file; nil: the report does not tell its memory.
  func deviceYAML(pageBytes: Int64) -> String? {
    guard let capacity = capacity(pageBytes: pageBytes) else { return nil }
    let bonus =
      switch version?.rootBonus ?? .none {
      case .none: ""
      case .ofPoints: ", root-bonus-points: 3%"
      case .ofTotal: ", root-bonus-total: 3%"
      }
    return "{ram: \(capacity.ramPages * pageBytes), reserve: 0, page: \(pageBytes), "
      + "era: linux-oom, oom: {page-table-bytes: 0\(bonus)}, "
      + "reclaim: {swap: \(capacity.swapPages * pageBytes), swappable: 100%}}"
  }
}
