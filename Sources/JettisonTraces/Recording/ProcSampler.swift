#if os(Linux)
  internal import CProcesses
  internal import Glibc

  /// Looks at the processes of this machine through `/proc`.
  ///
  /// A look costs about 10 µs per process of the machine, and a measurement of a footprint some
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
    private let pageBytes = max(1, Int64(sysconf(Int32(_SC_PAGESIZE))))
    private var kills: Int64?
    private let begin: Int64

    /// - Parameter group: The folder of a control group whose processes are asked for.
    init(group: String?) {
      self.group = group
      begin = Self.monotonic()
    }

    deinit {
      for process in known.values where process.descriptor >= 0 { close(process.descriptor) }
    }

    /// Nanoseconds since the recording began; time in which the machine slept counts.
    var timeNanoseconds: Int64 { Self.monotonic() - begin }

    /// Nanoseconds until the next look: looks stand on multiples of the interval.
    func untilNextLook(_ options: RecordingOptions) -> Int64 {
      let now = timeNanoseconds
      let interval = max(1, options.intervalNanoseconds)
      let next = interval - now % interval
      return min(next, max(0, (options.durationNanoseconds ?? .max) - now))
    }

    private static func monotonic() -> Int64 {
      var time = timespec()
      _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Ticks in a second, the unit of the starts of processes.
    static var ticksPerSecond: Int64 { max(1, Int64(sysconf(Int32(_SC_CLK_TCK)))) }

    /// Looks once.
    ///
    /// - Parameter waited: How children of ours have ended, as `waitpid` says it.
    mutating func look(waited: [Int32: Int32]) -> ProcessSnapshot {
      var snapshot = ProcessSnapshot()
      snapshot.timeNanoseconds = timeNanoseconds
      let second: Int64 = 1_000_000_000
      let now = Self.monotonic()
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

    /// The footprint of a process; nil if it is gone or nobody may know.
    mutating func measure(_ process: ProcessStatus) -> MeasuredFootprint? {
      guard var before = known[process.identity] else { return nil }
      before.age += 1
      // Only of those that are followed: descriptors are few.
      if before.descriptor < 0 {
        before.descriptor = jettison_process_open(process.identity.number)
      }
      if before.activity != process.activity || before.age >= Self.patience {
        let number = process.identity.number
        if file.read("/proc/\(number)/smaps_rollup"),
          let bytes = ProcFigures.footprint(
            smapsRollup: file.buffer.span.extracting(0..<file.count))
        {
          before.measured = MeasuredFootprint(bytes: bytes, isDerived: false)
        } else if file.read("/proc/\(number)/statm"),
          let bytes = ProcFigures.footprint(
            statm: file.buffer.span.extracting(0..<file.count), pageBytes: pageBytes)
        {
          before.measured = MeasuredFootprint(bytes: bytes, isDerived: true)
        }
        before.activity = process.activity
        before.age = 0
      }
      known[process.identity] = before
      return before.measured
    }

    private mutating func readSystem(_ snapshot: inout ProcessSnapshot) {
      if file.read("/proc/meminfo") {
        snapshot.availableBytes = ProcFigures.bytes(
          "MemAvailable", in: file.buffer.span.extracting(0..<file.count))
        snapshot.totalBytes = ProcFigures.bytes(
          "MemTotal", in: file.buffer.span.extracting(0..<file.count))
      }
      if file.read("/proc/pressure/memory") {
        snapshot.someStallMicroseconds = ProcFigures.stallMicroseconds(
          "some", pressure: file.buffer.span.extracting(0..<file.count))
        snapshot.fullStallMicroseconds = ProcFigures.stallMicroseconds(
          "full", pressure: file.buffer.span.extracting(0..<file.count))
      }
      var now: Int64?
      if let group, file.read("\(group)/memory.events") {
        now = ProcFigures.number("oom_kill", in: file.buffer.span.extracting(0..<file.count))
      }
      if now == nil, file.read("/proc/vmstat") {
        now = ProcFigures.number("oom_kill", in: file.buffer.span.extracting(0..<file.count))
      }
      if let now {
        if let kills { snapshot.hasKilledForMemory = now > kills }
        kills = now
      }
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
