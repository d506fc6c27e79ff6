#if os(Linux)
  internal import CProcesses
  internal import Glibc
  internal import JettisonTraces

  /// Samples the processes of this machine through `/proc`.
  ///
  /// A sample costs about 10 µs per process of the machine, and a measurement of a footprint some
  /// microseconds per MiB: a process that has done nothing since is not measured again.
  struct ProcSampler: ~Copyable {
    typealias Identity = ProcessStatus.Identity

    /// Measurements after which one is repeated though nothing seems to have happened.
    private static let patience = 60

    private struct Known {
      /// The kernel's name of the program when ``name`` was found.
      var shortName: String
      var name: String
      var measured: MeasuredFootprint?
      var activity: [Int64] = []
      var age = 0
      /// Stands for the process, so that its end can be asked for; negative: there is none.
      var descriptor: Int32 = -1
    }

    private var file = ProcFile()
    private var known: [Identity: Known] = [:]
    private let group: String?
    /// Whether footprints are what the kernel's OOM killer counts.
    private let countsAsKernel: Bool
    private let pageBytes = max(1, Int64(sysconf(Int32(_SC_PAGESIZE))))
    private var kills: Int64?
    private let begin: Int64

    /// - Parameters:
    ///   - group: The folder of a control group whose processes are asked for.
    ///   - countsAsKernel: Whether a footprint is what the kernel's OOM killer counts: resident and
    ///     swapped pages and page tables; else what the process would give back.
    init(group: String?, countsAsKernel: Bool) {
      self.group = group
      self.countsAsKernel = countsAsKernel
      begin = Self.clock(CLOCK_BOOTTIME)
    }

    deinit {
      for process in known.values where process.descriptor >= 0 { close(process.descriptor) }
    }

    /// Nanoseconds since the recording began; time in which the machine slept counts.
    var timeNanoseconds: Int64 { Self.clock(CLOCK_BOOTTIME) - begin }

    /// The same of a moment of the kernel's log; without one: now.
    ///
    /// That clock is not corrected as ours are: it may be off by milliseconds.
    func time(ofLog moment: Int64?) -> Int64 {
      let now = timeNanoseconds
      guard let moment else { return now }
      let (age, overflow) = Self.clock(CLOCK_MONOTONIC).subtractingReportingOverflow(moment)
      return overflow || age < 0 || age > now ? now : now - age
    }

    /// Nanoseconds until the next sample: samples are at multiples of the interval.
    func untilNextSample(_ options: RecordingOptions) -> Int64 {
      let now = timeNanoseconds
      let interval = options.intervalNanoseconds
      let next = interval - now % interval
      return min(next, max(0, (options.durationNanoseconds ?? .max) - now))
    }

    private static func clock(_ clock: clockid_t) -> Int64 {
      var time = timespec()
      _ = unsafe clock_gettime(clock, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Ticks in a second, the unit of the starts of processes.
    static var ticksPerSecond: Int64 { max(1, Int64(sysconf(Int32(_SC_CLK_TCK)))) }

    /// Takes one sample.
    ///
    /// - Parameter waited: How children of ours have ended, as `waitpid` says it.
    mutating func sample(waited: [Int32: Int32]) -> ProcessSnapshot {
      var snapshot = ProcessSnapshot()
      snapshot.timeNanoseconds = timeNanoseconds
      let second: Int64 = 1_000_000_000
      let now = Self.clock(CLOCK_BOOTTIME)
      snapshot.ticks =
        now / second * Self.ticksPerSecond + now % second * Self.ticksPerSecond / second
      for number in Self.numbers() {
        if let process = status(of: number) { snapshot.processes.append(process) }
      }
      if let group, file.read("\(group)/cgroup.procs") {
        snapshot.group = Self.lines(file.buffer.span.extracting(0..<file.count))
      }
      forget(&snapshot, waited)
      readSystem(&snapshot)
      return snapshot
    }

    // MARK: Processes

    private static func numbers() -> [Int32] {
      guard let folder = unsafe opendir("/proc") else { return [] }
      defer { unsafe closedir(folder) }
      var numbers: [Int32] = []
      while let entry = unsafe readdir(folder) {
        let number = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          var number: Int32 = 0
          var position = 0
          while position < bytes.count, unsafe bytes[position] != 0 {
            let byte = unsafe bytes[position]
            guard (0x30...0x39).contains(byte), number < 100_000_000 else { return Int32(0) }
            number = number * 10 + Int32(byte - 0x30)
            position += 1
          }
          return number
        }
        if number > 0 { numbers.append(number) }
      }
      return numbers
    }

    private mutating func status(of number: Int32) -> ProcessStatus? {
      guard file.read("/proc/\(number)/stat"),
        var process = ProcessStatus(file.buffer.span.extracting(0..<file.count)),
        process.parent != 2, number != 2
      else { return nil }
      let identity = process.identity
      if let before = known[identity], before.shortName == process.name {
        process.name = before.name
        return process
      }
      let shortName = process.name
      if shortName.utf8.count >= ProcessStatus.longestName, file.read("/proc/\(number)/cmdline") {
        process.name = ProcessStatus.wholeName(
          shortName, commandLine: file.buffer.span.extracting(0..<file.count))
      }
      if known[identity] == nil {
        known[identity] = Known(shortName: shortName, name: process.name)
      } else {
        known[identity]?.shortName = shortName
        known[identity]?.name = process.name
      }
      return process
    }

    /// Forgets processes that are gone, and asks how they ended.
    private mutating func forget(_ snapshot: inout ProcessSnapshot, _ waited: [Int32: Int32]) {
      let present = Set(snapshot.processes.map(\.identity))
      for (identity, process) in known where !present.contains(identity) {
        var status: Int32 = 0
        if let told = waited[identity.number] {
          snapshot.exits[identity] = told
        } else if process.descriptor >= 0,
          unsafe jettison_process_exit(process.descriptor, &status)
        {
          snapshot.exits[identity] = status
        }
        if process.descriptor >= 0 { close(process.descriptor) }
        known[identity] = nil
      }
    }

    private static func lines(_ text: Span<UInt8>) -> Set<Int32> {
      var numbers: Set<Int32> = []
      var start = 0
      for position in 0..<text.count where text[position] == 0x0A {
        var line = ProcNumbers()
        if let number = line.next(text.extracting(start..<position)),
          let number = Int32(exactly: number)
        {
          numbers.insert(number)
        }
        start = position + 1
      }
      return numbers
    }

    // MARK: Memory

    /// The footprint of a process; nil if it is gone or may not be read.
    mutating func measure(_ process: ProcessStatus) -> MeasuredFootprint? {
      guard var before = known[process.identity] else { return nil }
      before.age += 1
      // Only of those that are followed: descriptors are few.
      if before.descriptor < 0 {
        before.descriptor = jettison_process_open(process.identity.number)
      }
      if before.activity != process.activity || before.age >= Self.patience {
        before.measured = footprint(process.identity.number) ?? before.measured
        before.activity = process.activity
        before.age = 0
      }
      before.measured?.adjustment = adjustment(process.identity.number)
      known[process.identity] = before
      return before.measured
    }

    private mutating func footprint(_ number: Int32) -> MeasuredFootprint? {
      if countsAsKernel {
        guard file.read("/proc/\(number)/status") else { return nil }
        return ProcFigures.kernelFootprint(status: file.buffer.span.extracting(0..<file.count))
          .map { MeasuredFootprint(bytes: $0, isDerived: false) }
      }
      if file.read("/proc/\(number)/smaps_rollup"),
        let bytes = ProcFigures.footprint(
          smapsRollup: file.buffer.span.extracting(0..<file.count))
      {
        return MeasuredFootprint(bytes: bytes, isDerived: false)
      }
      guard file.read("/proc/\(number)/statm"),
        let bytes = ProcFigures.footprint(
          statm: file.buffer.span.extracting(0..<file.count), pageBytes: pageBytes)
      else { return nil }
      return MeasuredFootprint(bytes: bytes, isDerived: true)
    }

    private mutating func adjustment(_ number: Int32) -> Int64? {
      guard file.read("/proc/\(number)/oom_score_adj") else { return nil }
      var text = ProcNumbers()
      return text.next(file.buffer.span.extracting(0..<file.count))
        .flatMap { (-1000...1000).contains($0) ? $0 : nil }
    }

    private mutating func readSystem(_ snapshot: inout ProcessSnapshot) {
      if file.read("/proc/meminfo") {
        snapshot.availableBytes = figure("MemAvailable")
        snapshot.totalBytes = figure("MemTotal")
      }
      if let left = groupLimit.flatMap({ groupAvailable(limit: $0) }) {
        snapshot.availableBytes = left
      }
      // Of a group that waits the machine's stalls say little.
      if group == nil, file.read("/proc/pressure/memory") {
        snapshot.someStallMicroseconds = ProcFigures.stallMicroseconds(
          "some", pressure: file.buffer.span.extracting(0..<file.count))
        snapshot.fullStallMicroseconds = ProcFigures.stallMicroseconds(
          "full", pressure: file.buffer.span.extracting(0..<file.count))
      }
      guard let now = killCount() else { return }
      if let kills { snapshot.memoryKills = max(0, now - kills) }
      kills = now
    }

    private func figure(_ name: StaticString) -> Int64? {
      ProcFigures.bytes(name, in: file.buffer.span.extracting(0..<file.count))
    }

    private mutating func number(_ name: StaticString, inGroupFile path: String) -> Int64? {
      guard let group, file.read("\(group)/\(path)") else { return nil }
      return ProcFigures.number(name, in: file.buffer.span.extracting(0..<file.count))
    }

    /// Processes that the system has killed for want of memory, in the group if there is one.
    private mutating func killCount() -> Int64? {
      if let count = number("oom_kill", inGroupFile: "memory.events")
        ?? number("oom_kill", inGroupFile: "memory.oom_control")
      {
        return count
      }
      guard file.read("/proc/vmstat") else { return nil }
      return ProcFigures.number("oom_kill", in: file.buffer.span.extracting(0..<file.count))
    }

    // MARK: The control group

    /// This machine for a replay of what its kernel does, as a flow mapping of a device file's keys;
    /// nil: it does not tell its memory.
    ///
    /// Files that processes map need not count against the limit of their group, but in their
    /// resident pages they do: the RAM is the machine's, and the limit what `adj` goes by.
    var kernelDeviceYAML: String? {
      mutating get {
        guard file.read("/proc/meminfo"), let ram = figure("MemTotal") else { return nil }
        let total = groupLimit.map { ", total: \($0)" } ?? ""
        return "{ram: \(ram), reserve: 0, page: \(pageBytes), era: linux-oom, "
          + "oom: {page-table-bytes: 0\(total)}}"
      }
    }

    /// Bytes that the processes of the group may have together; nil: without a limit.
    var groupLimit: Int64? {
      mutating get {
        let limit =
          soleNumber(inGroupFile: "memory.max")
          ?? soleNumber(inGroupFile: "memory.limit_in_bytes")
        // The older hierarchy writes the largest number there is.
        return limit.flatMap { (1..<ProcFigures.largest).contains($0) ? $0 : nil }
      }
    }

    /// What its processes may still have: room, and pages of files that can be read again.
    private mutating func groupAvailable(limit: Int64) -> Int64? {
      let usage =
        soleNumber(inGroupFile: "memory.current")
        ?? soleNumber(inGroupFile: "memory.usage_in_bytes")
      guard let usage else { return nil }
      let files =
        (number("inactive_file", inGroupFile: "memory.stat") ?? 0)
        + (number("active_file", inGroupFile: "memory.stat") ?? 0)
      return min(limit, max(0, limit - usage + max(0, files)))
    }

    private mutating func soleNumber(inGroupFile name: String) -> Int64? {
      guard let group, file.read("\(group)/\(name)") else { return nil }
      var text = ProcNumbers()
      return text.next(file.buffer.span.extracting(0..<file.count))
    }
  }

  /// Reads small files into one buffer.
  struct ProcFile {
    /// Larger files are cut.
    private static let largest = 1 << 20
    private(set) var buffer = [UInt8](repeating: 0, count: 1 << 14)
    /// How much of the buffer the file took.
    private(set) var count = 0

    /// Reads a file; false if it is not there, or may not be read.
    mutating func read(_ path: String) -> Bool {
      count = 0
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      while true {
        let start = count
        let room = buffer.count - start
        let got = unsafe buffer.withUnsafeMutableBytes { bytes in
          unsafe Glibc.read(descriptor, bytes.baseAddress.map { unsafe $0 + start }, room)
        }
        if got < 0 { return false }
        count += got
        if got == 0 { return count > 0 }
        if count == buffer.count {
          if count >= Self.largest { return true }
          buffer.append(contentsOf: repeatElement(0, count: buffer.count))
        }
      }
    }
  }
#endif
