#if os(Linux)
  internal import Glibc
  internal import JettisonModel
  internal import JettisonImporters
  internal import JettisonSupport
  internal import JettisonTraces

  /// Follows the kernel's log while a recording goes on, for the reports of its OOM killer.
  ///
  /// The log is `/dev/kmsg`, of which a read gives one record (`priority,sequence,µs,flags;text` and
  /// lines that begin with a blank), or a file that grows, in any form that `kernel-oom` imports.
  struct KernelLogFollower: ~Copyable {
    /// Longest record that the kernel gives (`PRINTK_MESSAGE_MAX` with room to spare).
    private static let longestRecord = 1 << 16

    /// Waited for together with everything else; negative: it is a file, which is always ready.
    let waitable: Int32
    /// Whether a read gives one record, whole.
    private let givesRecords: Bool
    /// Whether the kernel killed without a report, or forgot records before they were read.
    var isIncomplete: Bool { hasLostRecords || !issues.all.isEmpty }
    private var hasLostRecords = false
    private let descriptor: Int32
    private var parser = KernelReportParser()
    private var issues = ImportIssues()
    private var lines = 0
    /// The beginning of a line whose end has not been written yet.
    private var rest: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: Self.longestRecord)

    /// Opens a log at its end.
    init(path: String) throws(TraceError) {
      descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw TraceError(
          .unreadable, file: path,
          what: "cannot be read: \(SystemFailure.last.text)",
          remedy: "/dev/kmsg is for root, or with kernel.dmesg_restrict=0 for everybody")
      }
      var status = stat()
      let kind = unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
      waitable = kind == S_IFREG ? -1 : descriptor
      givesRecords = kind == S_IFCHR
      lseek(descriptor, 0, SEEK_END)
    }

    deinit { close(descriptor) }

    /// The reports that are whole since the last time.
    ///
    /// - Parameters:
    ///   - group: Folder of a control group, whose reports are asked for; nil: those of all.
    ///   - moment: Nanoseconds since the recording began, of nanoseconds since the machine started.
    mutating func reports(of group: String?, at moment: (Int64?) -> Int64) -> [KernelKill] {
      var reports: [KernelReport] = []
      while let text = read() {
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: true) {
          lines += 1
          let line = Self.kernelLine(line) ?? Array(line)
          if let ended = parser.take(line.span, lines, &issues) { reports.append(ended) }
        }
      }
      // The kernel writes a report in one go: what names a victim is whole.
      if !parser.isInReport, let ended = parser.finish() { reports.append(ended) }
      return reports.compactMap { report in
        guard !report.victims.isEmpty, Self.isReport(report, of: group) else { return nil }
        let time = moment(report.victims.first?.time ?? report.time)
        return KernelKill(report, names: parser.names, time: time)
      }
    }

    /// A report names its group by the path below the root of the hierarchy.
    private static func isReport(_ report: KernelReport, of folder: String?) -> Bool {
      guard let folder, let group = report.group else { return true }
      let path = folder.split(separator: "/")
      return path.suffix(group.split(separator: "/").count) == group.split(separator: "/")[...]
    }

    /// Whole lines that have been written since; nil: there are none now.
    private mutating func read() -> [UInt8]? {
      while true {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
          unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
        }
        if count < 0, errno == EINTR { continue }
        // Older records were overwritten: the next read gives the oldest that is left.
        if count < 0, errno == EPIPE {
          hasLostRecords = true
          continue
        }
        guard count > 0 else { return nil }
        if givesRecords { return Array(buffer[0..<count]) }
        rest += buffer[0..<count]
        guard let end = rest.lastIndex(of: 0x0A) else { continue }
        let whole = Array(rest[...end])
        rest.removeSubrange(...end)
        return whole
      }
    }

    /// The first line of a record of `/dev/kmsg` as `dmesg` shows it; nil: it isn't one.
    private static func kernelLine(_ line: ArraySlice<UInt8>) -> [UInt8]? {
      guard let semicolon = line.prefix(80).firstIndex(of: UInt8(ascii: ";")) else { return nil }
      let fields = line[..<semicolon].split(separator: UInt8(ascii: ","))
      guard fields.count >= 3, fields.prefix(3).allSatisfy({ $0.allSatisfy(Self.isDigit) }),
        let microseconds = Int64(String(decoding: fields[2], as: UTF8.self))
      else { return nil }
      let text = line[(semicolon + 1)...]
      let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
      return Array("[\(microseconds / 1_000_000).\(fraction)] ".utf8) + text
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  }
#endif
