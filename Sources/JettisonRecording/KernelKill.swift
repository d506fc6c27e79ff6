internal import JettisonImporters
internal import JettisonModel
internal import JettisonSupport

/// A report of the kernel's OOM killer, as a recording uses it.
struct KernelKill: Sendable, Equatable {
  /// A process as the kernel weighed it.
  struct Process: Sendable, Equatable {
    var number: Int32
    /// At most 15 bytes of its name.
    var name: String
    /// Resident and swapped pages and page tables.
    var bytes: Int64
    /// `oom_score_adj`.
    var adjustment: Int64
  }

  /// Nanoseconds since the recording began.
  var timeNanoseconds: Int64
  /// Every process that the kernel considered.
  var processes: [Process]
  /// Numbers of those who were killed.
  var victims: [Int32]
  /// The allocation that failed.
  var requestedBytes: Int64
  /// Whether the limit of a control group was reached, and not that of the machine.
  var isOfGroup: Bool
}

extension KernelKill {
  /// What a report says; nil: it has no table, or its figures are not of this world.
  ///
  /// - Parameters:
  ///   - names: Names by the numbers in the report.
  ///   - time: Nanoseconds since the recording began.
  init?(_ report: KernelReport, names: ByteTable, time: Int64) {
    let pageBytes = report.pageBytes ?? 4096
    let processes = report.processes.compactMap { row -> Process? in
      guard let number = Int32(exactly: row.pid), let pages = row.pages(pageBytes: pageBytes) else {
        return nil
      }
      return Process(
        number: number, name: String(decoding: names[row.name], as: UTF8.self),
        bytes: pages * pageBytes, adjustment: row.adjustment)
    }
    guard !processes.isEmpty else { return nil }
    let victims = report.victims.compactMap { Int32(exactly: $0.pid) }
    self.init(
      timeNanoseconds: time, processes: processes, victims: victims,
      requestedBytes: (Int64(1) << report.order) * pageBytes, isOfGroup: report.isOfGroup)
  }
}
